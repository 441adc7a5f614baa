#include "explorers/context/trace_names.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace mazurka {
namespace {

constexpr std::uint8_t read = 0;
constexpr std::uint8_t write = 1;

class TraceNamesTest : public testing::Test {
 protected:
  TraceNamesTest() {
    vocabulary_.add_kind("cell", {{"read"}, {"write"}});
    vocabulary_.declare_independent(0, read, read);
  }
  struct Made {
    int process;
    std::vector<Access> accesses;
    std::uint16_t choice = 0;
    ProcessId awaited = no_process;
    std::vector<ProcessId> released = {};
    bool exits = false;
  };
  std::pair<std::uint64_t, std::uint64_t> name(const std::vector<Made>& steps) {
    StepList list;
    for (const Made& made : steps) {
      Step step;
      step.decision = {static_cast<ProcessId>(made.process), made.choice};
      step.accesses = made.accesses;
      step.awaited = made.awaited;
      step.released = made.released;
      step.exits = made.exits;
      list.push_back(step);
    }
    const Fingerprint found = names_.name(list);
    return {found.low, found.high};
  }
  static Access cell(std::uint32_t object, std::uint8_t mode) {
    return {ObjectId{object}, 0, mode, 0};
  }

  Vocabulary vocabulary_;
  TraceNames names_{vocabulary_};
};

TEST_F(TraceNamesTest, AreTheSameForEquivalentSequences) {
  const Made p{0, {cell(0, read)}};
  const Made q{1, {cell(0, read)}};
  const Made r{2, {cell(1, write)}};
  EXPECT_EQ(name({p, q, r}), name({r, q, p}));
  EXPECT_EQ(name({p, p, q}), name({q, p, p}));
  EXPECT_EQ(name({}), name({}));
}

TEST_F(TraceNamesTest, DifferWhereSomethingDependentIsReversed) {
  const Made p{0, {cell(0, write)}};
  const Made q{1, {cell(0, read)}};
  const Made join{2, {}, 0, ProcessId{0}};
  const Made create{3, {}, 0, no_process, {ProcessId{0}}};
  const Made exit{4, {}, 0, no_process, {}, true};
  EXPECT_NE(name({p, q}), name({q, p}));
  EXPECT_NE(name({p, p, q}), name({p, q, p}));
  EXPECT_NE(name({p, join}), name({join, p}));
  EXPECT_NE(name({p, create}), name({create, p}));
  EXPECT_NE(name({q, exit}), name({exit, q}));
}

TEST_F(TraceNamesTest, TellStepsApart) {
  // What a step touches is not taken for what comes before it, or the other way round.
  std::set<std::pair<std::uint64_t, std::uint64_t>> names;
  for (std::uint16_t one = 0; one < 2; ++one) {
    for (std::uint16_t other = 0; other < 2; ++other) {
      names.insert(name({{0, {cell(0, write)}, one}, {0, {}, other}}));
    }
  }
  EXPECT_EQ(names.size(), 4U);
  EXPECT_NE(name({{0, {cell(0, write)}}, {0, {}}}), name({}));
  EXPECT_NE(name({{0, {cell(0, write), cell(0, write)}}}), name({{0, {cell(0, write)}}}));
}

}  // namespace
}  // namespace mazurka
