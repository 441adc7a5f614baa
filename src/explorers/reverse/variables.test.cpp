#include "explorers/reverse/variables.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "analysis/made_execution.test.hpp"

namespace mazurka::reverse {
namespace {

/// Processes that read and write one atomic variable.
class VariablesTest : public MadeExecution {
 protected:
  VariablesTest() : trace_(vocabulary_), variables_(trace_) {}

  void reads(unsigned process, std::uint32_t source) { touches(process, true, false, source); }
  void writes(unsigned process, std::uint32_t behind) { touches(process, false, true, behind); }
  void updates(unsigned process, std::uint32_t source) { touches(process, true, true, source); }

  const Variables& variables(const Task& task = {}) {
    trace_.update(execution_, 0);
    variables_.update(task);
    return variables_;
  }
  bool may_be_left_out(std::uint32_t first, std::uint32_t end, const MutableCut& kept,
                       const Task& task = {}) {
    LeftOut left_out(variables(task));
    left_out.begin(end, kept);
    return left_out.may_be_all_from(first);
  }
  MutableCut cut(std::vector<std::uint32_t> counts) {
    variables();
    counts.resize(trace_.order().width());
    return counts;
  }

 private:
  void touches(unsigned process, bool reads, bool writes, std::uint32_t source) {
    event(process, {});
    GraphStep step;
    step.variable = 1;
    step.reads = reads;
    step.writes = writes;
    step.source = source;
    execution_.graph.push_back(step);
  }

  Trace trace_;
  Variables variables_;
};

TEST_F(VariablesTest, AReadHappensAfterTheWriteThatItReadsAndAfterNoOther) {
  writes(0, no_event);
  writes(1, 0);
  reads(2, 0);
  variables();
  EXPECT_TRUE(may_be_left_out(3, 3, cut({})));
  Trace trace(vocabulary_);
  trace.update(execution_, 0);
  EXPECT_TRUE(trace.order().before(0, 2));
  EXPECT_FALSE(trace.order().before(1, 2));
}

TEST_F(VariablesTest, WhatReadsAndWritesTheLatestIsMaximal) {
  writes(0, no_event);
  reads(1, 0);
  updates(2, 0);
  EXPECT_TRUE(may_be_left_out(0, 3, cut({0, 0, 0})));
}

TEST_F(VariablesTest, WhatReadsAnOlderValueIsNot) {
  writes(0, no_event);
  reads(1, no_event);
  EXPECT_FALSE(may_be_left_out(1, 2, cut({0, 0})));
}

TEST_F(VariablesTest, WhatIsKeptCountsAsIfItHadBeenThereBefore) {
  reads(1, no_event);
  writes(0, no_event);
  EXPECT_TRUE(may_be_left_out(0, 1, cut({0, 0})));
  EXPECT_FALSE(may_be_left_out(0, 2, cut({1, 0})));  // it would have read the write
}

TEST_F(VariablesTest, AWriteThatIsLeftOutIsBehindAllThatIsKept) {
  writes(0, no_event);
  writes(1, 0);  // last
  EXPECT_FALSE(may_be_left_out(0, 2, cut({0, 1})));
  EXPECT_TRUE(may_be_left_out(0, 2, cut({1, 0})));
}

TEST_F(VariablesTest, ADelayedReadKeepsItsPlace) {
  writes(0, no_event);
  reads(1, 0);  // it was its turn before the write
  Task task;
  task.turns.push_back({0, 0, ProcessId{1}, true});
  EXPECT_TRUE(variables(task).was_delayed(1));
  EXPECT_EQ(variables(task).turn_of(1), 0U);
  EXPECT_FALSE(variables(task).was_delayed(0));
  // By itself it would not have read that write, unless the write is kept.
  EXPECT_FALSE(may_be_left_out(0, 2, cut({0, 0}), task));
  EXPECT_TRUE(may_be_left_out(0, 2, cut({1, 0}), task));
}

TEST_F(VariablesTest, WithoutAPredecessorAWriteGoesBehindTheOneBeforeThat) {
  writes(0, no_event);
  writes(1, 0);
  writes(2, 1);
  EXPECT_EQ(variables().source_within(2, 0, cut({1, 1, 0})), 1U);
  EXPECT_EQ(variables().source_within(2, 0, cut({1, 0, 0})), 0U);
  EXPECT_EQ(variables().source_within(2, 0, cut({0, 0, 0})), no_event);
}

TEST_F(VariablesTest, OneReadsAndWritesOverASource) {
  writes(0, no_event);
  reads(1, 0);
  updates(2, 0);
  EXPECT_EQ(variables().taker_of(1, 0), 2U);
  EXPECT_EQ(variables().taker_of(1, no_event), no_event);
}

}  // namespace
}  // namespace mazurka::reverse
