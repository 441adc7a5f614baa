// All techniques against brute force on random programs, and proof that the oracle can fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analysis/happens_before.hpp"
#include "analysis/reversal.hpp"
#include "core/session.hpp"
#include "explorers/path.hpp"
#include "explorers/table.hpp"
#include "oracle/brute_force.hpp"
#include "oracle/checker.hpp"
#include "oracle/generator.hpp"
#include "oracle/model_program.hpp"

namespace mazurka::oracle {
namespace {

constexpr std::uint64_t programs_per_feature_set = 200;

Model writers(std::initializer_list<std::vector<ModelStep>> processes) {
  Model model;
  for (const auto& steps : processes) model.processes.push_back({true, steps});
  return model;
}

std::size_t traces(const Model& model) {
  return enumerate_interleavings(model, most_interleavings).value().traces.size();
}

// --- the oracle itself ---------------------------------------------------------------------------

TEST(BruteForce, CountsTracesThatAreKnown) {
  const ModelStep write{Op::write, 0, 0, 1};
  const ModelStep read{Op::read, 0};
  EXPECT_EQ(traces(writers({{write}, {write}, {write}})), 6U);
  EXPECT_EQ(traces(writers({{write}, {read}, {read}})), 4U);
  EXPECT_EQ(traces(writers({{read}, {read}, {read}})), 1U);
  EXPECT_EQ(traces(writers({{{Op::lock, 0}}, {{Op::lock, 0}}})), 2U);
  EXPECT_EQ(traces(writers({{{Op::choose, 0, 0, 3}}, {{Op::exit}}})), 3U);
}

TEST(BruteForce, OneTraceHasOneFinalState) {
  std::size_t looked_at = 0;
  for (const Features& features : feature_sets()) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const Model model = random_model(seed, features);
      const auto truth = enumerate_interleavings(model, most_interleavings);
      if (truth) {
        EXPECT_FALSE(truth->inconsistent) << to_string(model);
        looked_at += truth->traces.size();
      }
    }
  }
  EXPECT_GT(looked_at, 10'000U);
}

// What others go through: every kind of program, every technique with and without its switches.
TEST(BruteForce, ThereAreProgramsAndTechniquesToCompare) {
  EXPECT_GE(feature_sets().size(), 10U);
  EXPECT_GE(all_variants().size(), 12U);
}

TEST(BruteForce, AnAttemptInVainHasOnlyLooked) {
  const ModelStep fails{Op::exchange, 0, 0, 1, 2};
  const ModelStep first{Op::exchange, 0, 0, 0, 1};
  EXPECT_EQ(traces(writers({{fails}, {fails}, {fails}})), 1U);
  EXPECT_EQ(traces(writers({{first}, {first}, {first}, {first}})), 4U);
  EXPECT_EQ(traces(writers({{{Op::try_lock, 0}}, {{Op::try_lock, 0}}, {{Op::try_lock, 0}}})), 3U);
  EXPECT_EQ(traces(writers({{{Op::sem_try, 0}}, {{Op::sem_try, 0}}})), 1U);
}

TEST(BruteForce, WhoSharesALockDoesNotDisturbOthersWhoDo) {
  const std::vector<ModelStep> reader{{Op::share, 0}, {Op::give_back, 0}};
  const std::vector<ModelStep> writer{{Op::take_alone, 0}, {Op::give_back, 0}};
  EXPECT_EQ(traces(writers({reader, reader, reader})), 1U);
  EXPECT_EQ(traces(writers({reader, reader, writer})), 4U);
  EXPECT_EQ(traces(writers({reader, {{Op::try_share, 0}, {Op::give_back, 0}}})), 1U);
  EXPECT_EQ(traces(writers({reader, reader, {{Op::try_alone, 0}, {Op::give_back, 0}}})), 9U);
}

// An execution that ends early shows no failure that one does not show in which the end comes last.
TEST(BruteForce, TheEndMayComeLast) {
  std::uint64_t compared = 0;
  for (const Features& features : feature_sets()) {
    if (!features.exits) continue;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      const Model model = random_model(seed, features);
      const auto anywhere = enumerate_interleavings(model, most_interleavings, Ends::anywhere);
      const auto last = enumerate_interleavings(model, most_interleavings);
      if (!anywhere || !last) continue;
      ++compared;
      EXPECT_EQ(anywhere->failures, last->failures) << to_string(model);
      EXPECT_LE(last->traces.size(), anywhere->traces.size()) << to_string(model);
    }
  }
  EXPECT_GT(compared, 500U);
}

// --- the techniques ------------------------------------------------------------------------------

class Techniques : public testing::TestWithParam<Features> {};

void expect_agreement(const Model& model, const Truth& truth, const Variant& tried,
                      std::uint64_t model_seed, std::uint64_t order) {
  const std::string problem =
      compare(model, truth, *tried.make(), promises_of(tried, model), order);
  if (problem.empty()) return;
  const Model small =
      shrink(model, [&](const Model& other) { return !compare(other, tried, order).empty(); });
  ADD_FAILURE() << tried.name << ", seed " << model_seed << ", order " << order << ": " << problem
                << "\nshrunk (" << compare(small, tried, order) << "):\n"
                << to_string(small);
}

TEST_P(Techniques, AgreeWithBruteForce) {
  const std::vector<Variant> variants = all_variants();
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; compared < programs_per_feature_set; ++seed) {
    const Model model = random_model(seed, GetParam());
    const auto truth = enumerate_interleavings(model, most_interleavings);
    if (!truth) continue;
    ++compared;
    for (const Variant& tried : variants) {
      expect_agreement(model, *truth, tried, seed, 0);
      if (tried.name != "exhaustive") expect_agreement(model, *truth, tried, seed, seed);
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Features, Techniques,
                         testing::ValuesIn(feature_sets().begin(), feature_sets().end()),
                         [](const auto& which) { return std::string(which.param.name); });

// Races between repeated events may ask for more when the execution goes on differently.
TEST(Optimal, ReconsidersRacesOfRepeatedEvents) {
  const Model model = writers({{{Op::write, 0, 0, 0}},
                               {{Op::write, 0, 0, 1}},
                               {{Op::write, 1, 0, 1}, {Op::write, 1, 0, 1}},
                               {{Op::check, 1, 0, 0}, {Op::write, 0, 0, 2}}});
  EXPECT_EQ(compare(model, variant("optimal")), "");
}

// The printed rule together with sleep sets misses one of the eight traces.
TEST(Dpor, AsksForWhatASleepingStepWouldHaveAskedFor) {
  const Model model =
      writers({{{Op::read, 1}}, {{Op::read, 0}}, {{Op::copy, 0, 1}}, {{Op::write, 0}}});
  for (std::uint64_t order = 0; order < 50; ++order) {
    EXPECT_EQ(compare(model, variant("dpor"), order), "");
  }
}

// --- what the papers' printed algorithms lose ----------------------------------------------------

// Counter-examples to context-sensitive DPOR and to optimal DPOR with context sensitivity and
// observers, as printed (docs/techniques.md, "Where we depart from the papers"). What the printed
// algorithms lose on these, or on close relatives, is shown by printed.test.cpp. x is variable 0,
// y 1, z 2.
struct CounterExample {
  const char* name;
  Model model;
};

const ModelStep read_x{Op::read, 0};
const ModelStep read_y{Op::read, 1};
constexpr ModelStep set(std::uint8_t variable, std::uint8_t value) {
  return {Op::write, variable, 0, value};
}
constexpr ModelStep copy(std::uint8_t from, std::uint8_t to) { return {Op::copy, from, to}; }
constexpr ModelStep holds_unless(std::uint8_t variable, std::uint8_t value) {
  return {Op::check, variable, 0, value};
}

Model started_by_others(Model model) {
  for (std::size_t at = 1; at < model.processes.size(); ++at) model.processes[at].present = false;
  return model;
}

std::vector<CounterExample> counter_examples() {
  const ModelStep join_first{Op::join, 0};
  const ModelStep join_second{Op::join, 1};
  return {
      {"E0BlockedLock", writers({{{Op::lock, 0}}, {{Op::lock, 0}}})},
      {"E1EagerAbsorption", writers({{set(0, 1)}, {read_x}, {set(0, 0), read_x}})},
      {"E2RaceMasking", writers({{read_x},
                                 {set(0, 1)},
                                 {join_first, holds_unless(1, 0)},
                                 {{Op::add, 1, 0, 1}, read_x}})},
      {"E3CheckedButNotStored", writers({{copy(0, 1), set(1, 0)}, {set(0, 1)}, {read_y}})},
      {"E4OverwrittenBeforeTheCheck",
       writers({{{Op::conditional, 0, 1, 0, 5}, {Op::add, 1, 0, 2}}, {set(0, 1)}})},
      {"E5InheritedAcrossUnobservedWrites", writers({{set(0, 0)}, {read_x, set(0, 2), read_x}})},
      {"E6MinimalObserversOnly",
       writers({{set(0, 2)},
                {set(0, 1)},
                {join_first, join_second, holds_unless(0, 3), holds_unless(0, 2)}})},
      {"E7StateDependentFootprint", writers({{{Op::conditional, 0, 1, 0, 0}},
                                             {set(1, 2), {Op::add, 1, 0, 2}},
                                             {set(0, 2)},
                                             {read_y}})},
      {"E8GuardObserves", writers({{set(0, 1)}, {set(0, 2)}, {{Op::await, 0, 0, 1}}})},
      {"E9FutureInitials",
       writers({{set(0, 1), read_y}, {set(0, 1), set(1, 1)}, {read_x, read_y}})},
      {"SleepSequences1", writers({{copy(1, 0)}, {holds_unless(1, 2), set(1, 2)}, {set(0, 2)}})},
      {"SleepSequences2", writers({{copy(1, 0)}, {set(1, 1)}, {set(0, 0)}})},
      {"SleepSequences3", writers({{copy(1, 2), read_y}, {{Op::add, 1, 0, 1}}, {copy(2, 0)}})},
      {"AnticipatingCut", writers({{read_y, set(0, 0)}, {set(1, 0), set(1, 1)}})},
      // Found here. An exit is no part of the state: what it leaves must not be taken for an
      // ordinary end.
      {"StateAfterAnExit",
       writers(
           {{set(0, 2)}, {{Op::read_branch, 0, 0, 2}, {Op::read_branch, 0, 0, 2}, {Op::exit}}})},
      // What one part of the search leaves to another must not be left back.
      {"TwoOrdersKept", writers({{{Op::sem_wait, 0}, {Op::sem_post, 0}},
                                 {read_x, set(0, 2)},
                                 {{Op::sem_wait, 0}, read_x},
                                 {set(0, 1)}})},
      {"JudgedAcrossAnother",
       writers(
           {{set(1, 0), set(2, 2)}, {set(2, 2), {Op::read, 2}, read_x}, {set(0, 2), set(1, 2)}})},
      {"GuardedPairSetLoose",
       writers({{read_x, {Op::sem_wait, 0}, {Op::sem_post, 0}}, {{Op::sem_wait, 0}, set(0, 1)}})},
      {"GuardedPartnerNotBehindTheLatest", writers({{read_x, {Op::unlock, 1}},
                                                    {{Op::lock, 1}, {Op::unlock, 1}, set(0, 1)},
                                                    {{Op::lock, 1}, read_x}})},
      {"LaterRaceHidden",
       writers({{set(0, 2), set(1, 2)}, {set(2, 1)}, {{Op::conditional, 1, 2, 0, 0}, set(0, 1)}})},
      {"CutBeforeARaceIsSeen", writers({{set(2, 2)}, {read_x}, {set(2, 0), copy(2, 0)}})},
      // That x is waited for is learnt when what depends on it is explored already.
      {"WaitedForAfterAll", started_by_others(writers({{{Op::spawn, 1}, {Op::lock, 1}},
                                                       {{Op::spawn, 3}, set(0, 2), {Op::spawn, 2}},
                                                       {{Op::lock, 1}, {Op::await, 0, 0, 0}},
                                                       {set(0, 1)}}))},
      // Source sets: below a first step, nothing need show again what came after it.
      {"FirstStepOfARelaxedRace",
       writers({{read_y}, {{Op::swap, 1, 0}}, {set(1, 0), read_x}, {read_x, set(0, 1)}})},
      // Optimal DPOR: an attempt that might write stands beside the reads that it does not disturb.
      {"AttemptInVain", writers({{set(0, 0)}, {read_x}, {{Op::exchange, 0, 0, 1, 2}}, {read_x}})},
      {"AttemptInVainBeforeOthers",
       writers({{set(0, 1)}, {{Op::exchange, 0, 0, 1, 0}}, {read_x}, {read_x}})},
      {"AttemptInVainWhileAnotherSleeps",
       writers(
           {{set(0, 1)}, {{Op::exchange, 0, 0, 1, 2}}, {{Op::exchange, 0, 0, 1, 1}}, {read_x}})},
      // That another outcome is covered by a sleeping step may be true of one continuation only.
      {"AnotherOutcomeCoveredForNow",
       writers({{{Op::choose_write, 0, 0, 3}, holds_unless(0, 2), read_y},
                {{Op::choose_write, 1, 0, 2}},
                {read_y}})},
      // What is planned after a step that would have succeeded is not what follows its failure.
      {"PlannedForAnotherBranch",
       writers(
           {{{Op::exchange_branch, 0, 0, 0, 1}, {Op::lock, 0}, set(0, 2), {Op::unlock, 0}, read_x},
            {{Op::exchange, 0, 0, 0, 2}, set(0, 0)}})},
      {"FirstStepThatIsCut", writers({{{Op::swap, 1, 0}, {Op::swap, 2, 3}, {Op::read, 2}},
                                      {set(2, 1), {Op::swap, 0, 2}, set(2, 1)},
                                      {copy(1, 3)}})},
  };
}

TEST(CounterExamples, LoseNothingHere) {
  for (CounterExample& example : counter_examples()) {
    example.model.semaphores[0] = 2;
    for (const Variant& tried : all_variants()) {
      for (std::uint64_t order = 0; order < 60; ++order) {
        EXPECT_EQ(compare(example.model, tried, order), "")
            << example.name << ", " << tried.name << ", order " << order;
      }
    }
  }
}

std::uint64_t count(const Model& model, std::string_view technique) {
  ModelProgram program(model);
  Session session(program, {.keep_going = true});
  EXPECT_TRUE(variant(technique).make()->explore(session)) << technique;
  return session.statistics().executions;
}

// p: y = 1; x = 1   q: x = 2   r: assert x < 3; assert x < 2
TEST(RunningExample, NeedsTheseExecutions) {
  const Model model =
      writers({{set(1, 1), set(0, 1)}, {set(0, 2)}, {holds_unless(0, 3), holds_unless(0, 2)}});
  const auto executions = [&](std::string_view technique) { return count(model, technique); };
  EXPECT_EQ(executions("exhaustive"), 30U);
  EXPECT_EQ(executions("optimal"), 12U);
  EXPECT_EQ(executions("optimal-observers"), 11U);
  EXPECT_EQ(executions("source-context"), 6U);
  EXPECT_EQ(executions("source-context:chains"), 4U);  // x is 1 or 2, the assertion holds or not
  EXPECT_LE(executions("optimal-context"), 6U);
  EXPECT_LE(executions("optimal-context-observers"), 5U);
}

// No pair commutes but the last, yet all ends alike.
TEST(Chains, OfStepsThatDoNotCommuteLeadToOneState) {
  const Model model = writers({{set(0, 1), set(0, 0)}, {set(0, 2), set(0, 0)}});
  const auto executions = [&](std::string_view technique) { return count(model, technique); };
  EXPECT_EQ(executions("optimal"), 6U);
  EXPECT_GT(executions("source-context:cut,guide"), 1U);
  EXPECT_EQ(executions("source-context:chains"), 1U);
}

// --- techniques that are wrong -------------------------------------------------------------------

// Source DPOR that overlooks one kind of race.
class Careless final : public Explorer {
 public:
  explicit Careless(Race::Kind overlooked) : overlooked_(overlooked) {}

  bool explore(Session& session) override {
    Path path(session, Path::Sleepers::kept_asleep, false);
    HappensBefore happens_before(session.vocabulary());
    Reversal reversal(session.vocabulary(), happens_before, path.sleepers());
    BacktrackSets backtrack;
    while (path.perform()) {
      happens_before.update(path.execution(), path.kept());
      for (const Race& race : happens_before.races()) {
        if (race.kind == overlooked_ || reversal.begins_asleep(path.execution(), race)) continue;
        reversal.build_brief();
        ask_for_an_initial(backtrack, reversal);
      }
      const std::size_t node = backtrack.deepest();
      if (node == no_node) return true;
      path.put_to_sleep(node);
      path.leave(node);
      path.decide(backtrack.take(node));
    }
    return false;
  }

 private:
  Race::Kind overlooked_;
};

class Overlooked : public testing::TestWithParam<Race::Kind> {};

TEST_P(Overlooked, IsNoticed) {
  const Features& everything = *find_features("everything");
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const auto problem = [](const Model& model) -> std::string {
      const auto truth = enumerate_interleavings(model, most_interleavings);
      if (!truth) return {};
      Careless careless(GetParam());
      return compare(model, *truth, careless, {});
    };
    const Model model = random_model(seed, everything);
    if (problem(model).empty()) continue;
    const Model small = shrink(model, [&](const Model& other) { return !problem(other).empty(); });
    EXPECT_NE(problem(small).find("missing"), std::string::npos) << problem(small);
    std::size_t steps = 0;
    for (const ModelProcess& process : small.processes) steps += process.steps.size();
    EXPECT_LE(steps, 4U) << to_string(small);
    return;
  }
  FAIL() << "500 programs did not show it";
}

INSTANTIATE_TEST_SUITE_P(Races, Overlooked,
                         testing::Values(Race::Kind::events, Race::Kind::pending,
                                         Race::Kind::alternative),
                         [](const auto& which) -> std::string {
                           switch (which.param) {
                             case Race::Kind::events: return "Events";
                             case Race::Kind::pending: return "Pending";
                             case Race::Kind::alternative: return "Alternative";
                           }
                           return "Unknown";
                         });

// Promises that are not kept are noticed too.
TEST(Checker, NoticesUnkeptPromises) {
  const Model same_trace_twice = writers({{{Op::read, 0}}, {{Op::read, 0}}});
  const auto truth = enumerate_interleavings(same_trace_twice, most_interleavings).value();
  const auto exhaustive = find_technique("exhaustive");
  const auto optimal = find_technique("optimal");
  EXPECT_NE(compare(same_trace_twice, truth, *exhaustive->make(), {.each_trace_once = true}), "");
  EXPECT_NE(compare(same_trace_twice, truth, *optimal->make(), {.every_interleaving = true}), "");
  const auto sleep = find_technique("sleep");
  EXPECT_NE(compare(same_trace_twice, truth, *sleep->make(), {.never_asleep = true}), "");
}

}  // namespace
}  // namespace mazurka::oracle
