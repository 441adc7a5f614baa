// Properties that hold for every program and every technique, on random models.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/session.hpp"
#include "explorers/table.hpp"
#include "oracle/brute_force.hpp"
#include "oracle/checker.hpp"
#include "oracle/generator.hpp"
#include "oracle/model_program.hpp"

namespace mazurka {
namespace {

using oracle::Model;
using oracle::ModelProgram;

void for_random_models(const std::function<void(const Model&)>& check, std::uint64_t count = 40) {
  for (const oracle::Features& features : oracle::feature_sets()) {
    for (std::uint64_t seed = 5000; seed < 5000 + count; ++seed) {
      const Model model = oracle::random_model(seed, features);
      SCOPED_TRACE("features " + std::string(features.name) + ", seed " + std::to_string(seed) +
                   '\n' + to_string(model));
      check(model);
      if (testing::Test::HasFailure()) return;
    }
  }
}

std::vector<Decision> decisions(const Execution& execution) {
  std::vector<Decision> all;
  for (std::size_t at = 0; at < execution.size(); ++at) {
    all.push_back(execution.steps.decision(at));
  }
  return all;
}

struct Counts {
  Statistics statistics;
  std::size_t findings = 0;
  bool all = false;
};

Counts explore(const Model& model, std::string_view technique, std::uint64_t seed = 0) {
  ModelProgram program(model);
  Session session(program, {.keep_going = true, .seed = seed});
  const bool all = find_technique(technique)->make()->explore(session);
  return {session.statistics(), session.findings().size(), all};
}

/// Explores with optimal and looks at every execution.
void for_each_execution(const Model& model,
                        const std::function<void(const Execution&, const ModelProgram&)>& look) {
  ModelProgram program(model);
  Session session(program, {.max_executions = 200, .keep_going = true});
  session.on_execution = [&](const Execution& execution) { look(execution, program); };
  find_technique("optimal")->make()->explore(session);
}

/// Performs the decisions, in a new session; empty if they cannot be performed.
std::string state_after(const Model& model, const std::vector<Decision>& schedule) {
  ModelProgram program(model);
  Session session(program, {.keep_going = true});
  session.run({.prefix = schedule});
  return session.divergence() ? std::string() : program.state().bytes();
}

TEST(Laws, DependenceIsSymmetric) {
  std::size_t pairs = 0;
  std::size_t dependent_pairs = 0;
  for_random_models([&](const Model& model) {
    for_each_execution(model, [&](const Execution& execution, const ModelProgram& program) {
      for (std::size_t one = 0; one < execution.size(); ++one) {
        for (std::size_t other = 0; other < execution.size(); ++other) {
          const bool forwards =
              dependent(program.vocabulary(), execution.steps[one], execution.steps[other]);
          EXPECT_EQ(forwards,
                    dependent(program.vocabulary(), execution.steps[other], execution.steps[one]));
          ++pairs;
          if (forwards) ++dependent_pairs;
        }
      }
    });
  });
  EXPECT_GT(dependent_pairs, 10'000U);
  EXPECT_GT(pairs - dependent_pairs, 10'000U);
}

TEST(Laws, IndependentNeighboursCanBeSwapped) {
  // Ids are interned in the order in which processes first appear, so schedules of one session
  // can be performed in another only while nobody is created: the features without processes.
  std::size_t swaps = 0;
  for_random_models(
      [&](const Model& model) {
        for (const auto& process : model.processes) {
          if (!process.present) return;
        }
        for_each_execution(model, [&](const Execution& execution, const ModelProgram& program) {
          if (execution.ending == Ending::asleep) return;  // without sleepers it would go on
          const std::string state = program.state().bytes();
          for (std::size_t at = 0; at + 1 < execution.size(); ++at) {
            const Step one = execution.steps[at];
            const Step other = execution.steps[at + 1];
            if (dependent(program.vocabulary(), one, other)) continue;
            std::vector<Decision> swapped = decisions(execution);
            std::swap(swapped[at], swapped[at + 1]);
            EXPECT_EQ(state_after(model, swapped), state);
            ++swaps;
          }
        });
      },
      15);
  EXPECT_GT(swaps, 1000U);
}

TEST(Laws, AScheduleGivesTheSameExecutionAgain) {
  std::size_t events = 0;
  for_random_models([&](const Model& model) {
    ModelProgram program(model);
    Session session(program, {.keep_going = true, .seed = 7});
    const Execution first = session.run({});
    const std::string state = program.state().bytes();
    const std::vector<Decision> schedule = decisions(first);
    const Execution& again = session.run({.prefix = schedule});
    EXPECT_FALSE(session.divergence());
    EXPECT_EQ(decisions(again), schedule);
    EXPECT_EQ(again.ending, first.ending);
    EXPECT_EQ(program.state().bytes(), state);
    const Execution& verified = session.run({.prefix = schedule, .shared = schedule.size()});
    EXPECT_FALSE(session.divergence());
    EXPECT_EQ(verified.ending, first.ending);
    EXPECT_EQ(verified.before, first.before);
    events += schedule.size();
  });
  EXPECT_GT(events, 1000U);
}

TEST(Laws, EveryFindingIsReplayedByItsSchedule) {
  std::size_t replayed = 0;
  for_random_models([&](const Model& model) {
    ModelProgram program(model);
    Session session(program, {.keep_going = true});
    find_technique("optimal")->make()->explore(session);
    for (const Finding& finding : session.findings()) {
      ModelProgram fresh_program(model);
      Session fresh(fresh_program, {.keep_going = true});
      fresh.run({.prefix = finding.schedule});
      EXPECT_FALSE(fresh.divergence());
      // A deadlock's key names processes by their ids, which a new session gives out anew.
      EXPECT_TRUE(std::any_of(fresh.findings().begin(), fresh.findings().end(),
                              [&](const Finding& again) {
                                return again.kind == finding.kind &&
                                       (finding.kind == FindingKind::deadlock ||
                                        again.key == finding.key);
                              }))
          << finding.key;
      ++replayed;
    }
  });
  EXPECT_GT(replayed, 50U);
}

TEST(Laws, TechniquesWithSleepSetsCompleteEachTraceOnce) {
  std::size_t models = 0;
  std::size_t traces = 0;
  for_random_models(
      [&](const Model& model) {
        const auto truth = oracle::enumerate_interleavings(model, oracle::most_interleavings);
        if (!truth) return;
        ++models;
        traces += truth->traces.size();
        for (const std::string_view technique : {"sleep", "dpor", "source", "optimal"}) {
          EXPECT_EQ(explore(model, technique).statistics.executions, truth->traces.size())
              << technique;
        }
      },
      20);
  EXPECT_GT(models, 150U);
  EXPECT_GT(traces, 5 * models);
}

TEST(Laws, BetterTechniquesAbandonFewerExecutions) {
  std::uint64_t sleep = 0;
  std::uint64_t dpor = 0;
  std::uint64_t source = 0;
  std::size_t never_asleep = 0;
  for_random_models([&](const Model& model) {
    sleep += explore(model, "sleep").statistics.asleep;
    dpor += explore(model, "dpor").statistics.asleep;
    source += explore(model, "source").statistics.asleep;
    const std::uint64_t optimal = explore(model, "optimal").statistics.asleep;
    if (oracle::promises_of(*find_technique("optimal"), model).never_asleep) {
      EXPECT_EQ(optimal, 0U);
      ++never_asleep;
    }
  });
  EXPECT_GT(never_asleep, 200U);
  EXPECT_GT(sleep, dpor);
  EXPECT_GT(dpor, source);
}

TEST(Laws, WhatOptimalFindsDoesNotDependOnTheOrderOfChoice) {
  std::size_t executions = 0;
  std::size_t findings = 0;
  for_random_models([&](const Model& model) {
    const Counts fixed = explore(model, "optimal");
    executions += fixed.statistics.executions;
    findings += fixed.findings;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Counts seeded = explore(model, "optimal", seed);
      EXPECT_TRUE(seeded.all);
      EXPECT_EQ(seeded.statistics.executions, fixed.statistics.executions);
      if (oracle::promises_of(*find_technique("optimal"), model).never_asleep) {
        EXPECT_EQ(seeded.statistics.asleep, 0U);
      }
      EXPECT_EQ(seeded.findings, fixed.findings);
    }
  });
  EXPECT_GT(executions, 3000U);
  EXPECT_GT(findings, 50U);
}

}  // namespace
}  // namespace mazurka
