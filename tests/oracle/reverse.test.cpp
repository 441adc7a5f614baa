// Reverse search: each of its rules is needed.
//
// Every program here is one on which the search is wrong, in a way that is known, if one rule is
// taken out; with all of them it has as many executions as there are traces.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explorers/reverse/search.hpp"
#include "oracle/brute_force.hpp"
#include "oracle/model_program.hpp"

namespace mazurka::oracle {
namespace {

using reverse::AllRules;

Model model_of(std::vector<std::vector<ModelStep>> processes) {
  Model model;
  for (std::vector<ModelStep>& steps : processes)
    model.processes.push_back({true, std::move(steps)});
  return model;
}

ModelStep reads(std::uint8_t x) { return {.op = Op::read, .x = x}; }
ModelStep writes(std::uint8_t x, std::uint8_t value = 1) {
  return {.op = Op::write, .x = x, .c = value};
}
ModelStep copies(std::uint8_t from, std::uint8_t to) {
  return {.op = Op::copy, .x = from, .y = to};
}
ModelStep awaits(std::uint8_t x, std::uint8_t value) {
  return {.op = Op::await, .x = x, .c = value};
}
ModelStep locks(std::uint8_t mutex) { return {.op = Op::lock, .x = mutex}; }
ModelStep unlocks(std::uint8_t mutex) { return {.op = Op::unlock, .x = mutex}; }
ModelStep writes_one_of(std::uint8_t x, std::uint8_t values) {
  return {.op = Op::choose_write, .x = x, .c = values};
}

struct Seen {
  std::uint64_t executions = 0;
  std::set<std::string> traces;
};

template <typename Rules>
Seen explore(const Model& model) {
  ModelProgram program(model);
  Session session(program, {.max_executions = 1000, .keep_going = true});
  Seen seen;
  session.on_execution = [&](const Execution& execution) {
    ++seen.executions;
    Interleaving replay(model);
    for (std::size_t at = 0; at < execution.size(); ++at) {
      const Decision decision = execution.steps.decision(at);
      replay.take({program.process_of(decision.process), decision.choice});
    }
    seen.traces.insert(replay.trace());
  };
  reverse::Search<Rules> search(session);
  search.explore();
  return seen;
}

/// Without the rule so many executions find so many traces; with it each has one of its own.
template <typename Without>
void expect_needed(const Model& model, std::uint64_t traces, std::uint64_t executions,
                   std::uint64_t found) {
  const std::optional<Truth> truth = enumerate_interleavings(model, 100'000);
  ASSERT_TRUE(truth);
  EXPECT_EQ(truth->traces.size(), traces);
  const Seen all = explore<AllRules>(model);
  EXPECT_EQ(all.executions, traces);
  EXPECT_EQ(all.traces.size(), traces);
  const Seen without = explore<Without>(model);
  EXPECT_EQ(without.executions, executions);
  EXPECT_EQ(without.traces.size(), found);
}

constexpr std::uint8_t x = 0;
constexpr std::uint8_t y = 1;

struct Unordered : AllRules {
  static constexpr bool ordered = false;
};
TEST(Reverse, DelaysOfOneProcessAreOrdered) {
  expect_needed<Unordered>(model_of({{writes(x)}, {reads(x)}, {reads(x)}}), 4, 5, 4);
}

struct OrderedDirectly : AllRules {
  static constexpr bool ordered_through_others = false;
};
TEST(Reverse, DelaysMayBeOrderedThroughAThirdEvent) {
  expect_needed<OrderedDirectly>(model_of({{copies(x, y)}, {writes(x)}, {reads(y), reads(x)}}), 7,
                                 6, 6);
}

struct Unsettled : AllRules {
  static constexpr bool settled = false;
};
TEST(Reverse, LaterTurnsMustBelongToTheReversal) {
  expect_needed<Unsettled>(model_of({{writes(x)}, {writes(x)}, {writes(y)}, {reads(y)}}), 4, 6, 4);
}

struct NotNext : AllRules {
  static constexpr bool delayed_is_next = false;
};
TEST(Reverse, TheDelayedProcessIsNext) {
  expect_needed<NotNext>(
      model_of({{awaits(x, 1), reads(y)}, {writes(y)}, {writes(x, 1), reads(y)}}), 4, 5, 4);
}

struct NobodyIsLeftWaiting : AllRules {
  static constexpr bool waiting_at_the_end = false;
};
TEST(Reverse, StepsThatAreLeftWaitingMightHaveComeFirst) {
  expect_needed<NobodyIsLeftWaiting>(model_of({{writes(x, 2)}, {awaits(x, 0)}}), 2, 1, 1);
}

struct NoHindrances : AllRules {
  static constexpr bool hindrances = false;
};
TEST(Reverse, LocksAreReversedThoughUnlocksAreBetweenThem) {
  expect_needed<NoHindrances>(model_of({{locks(0), unlocks(0)}, {locks(0), unlocks(0)}}), 2, 1, 1);
}

struct AnyOutcomeIsReversed : AllRules {
  static constexpr bool first_outcomes_only = false;
};
TEST(Reverse, OnlyFirstOutcomesAreReversed) {
  expect_needed<AnyOutcomeIsReversed>(model_of({{reads(y)}, {writes_one_of(y, 2)}}), 4, 6, 4);
}

struct AfterAnyOutcome : AllRules {
  static constexpr bool of_first_outcomes_only = false;
};
TEST(Reverse, NothingIsReversedWithOtherOutcomesThanTheFirst) {
  expect_needed<AfterAnyOutcome>(model_of({{writes_one_of(y, 2)}, {reads(y)}}), 4, 6, 4);
}

}  // namespace
}  // namespace mazurka::oracle
