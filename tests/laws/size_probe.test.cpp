// The estimate of a search's size: on average the truth, as near as it says, silent where it can
// not know.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "core/session.hpp"
#include "explorers/size_probe.hpp"
#include "explorers/table.hpp"
#include "oracle/generator.hpp"
#include "oracle/model_program.hpp"

namespace mazurka {
namespace {

using oracle::Features;
using oracle::Model;
using oracle::ModelProgram;
using oracle::Op;

double executions_of(const Model& model, const char* technique, std::int32_t preemptions = -1) {
  ModelProgram program(model);
  Session session(program, {.keep_going = true, .preemptions = preemptions});
  EXPECT_TRUE(find_technique(technique)->make()->explore(session));
  return static_cast<double>(session.statistics().executions);
}

SizeEstimate estimate_of(const Model& model, SearchTree tree, int walks) {
  ModelProgram program(model);
  SizeProbe probe(program, tree);
  for (int walk = 0; walk < walks; ++walk) {
    EXPECT_TRUE(probe.walk({.stop_at_finding = false}));
  }
  return probe.estimate();
}

/// Off by no more than chance explains: five standard errors.
void expect_near(const SizeEstimate& estimate, double truth, const std::string& what) {
  const double tolerated = 5 * estimate.error * estimate.total + 1e-6 * truth;
  EXPECT_LE(std::abs(estimate.total - truth), tolerated)
      << what << ": " << estimate.total << " instead of " << truth << ", error " << estimate.error;
}

TEST(SizeProbe, TracesOfRandomModels) {
  int estimated = 0;
  for (const Features& features : oracle::feature_sets()) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Model model = oracle::random_model(seed, features);
      const SizeEstimate estimate = estimate_of(model, {}, 2000);
      if (estimate.total == 0) continue;  // attempts fail: that is not estimated
      ++estimated;
      expect_near(estimate, executions_of(model, "optimal"),
                  std::string(features.name) + ", seed " + std::to_string(seed));
    }
  }
  EXPECT_GT(estimated, 200);
}

TEST(SizeProbe, InterleavingsAndThoseWithFewPreemptions) {
  for (const Features& features : oracle::feature_sets()) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Model model = oracle::random_model(seed, features);
      const std::string what = std::string(features.name) + ", seed " + std::to_string(seed);
      expect_near(estimate_of(model, {.reduced = false}, 2000), executions_of(model, "exhaustive"),
                  what);
      expect_near(estimate_of(model, {.reduced = false, .preemptions = 1}, 2000),
                  executions_of(model, "bounded", 1), what + ", bounded");
    }
  }
}

Model racers(std::size_t processes, std::size_t steps, std::uint8_t objects) {
  Model model;
  for (std::size_t process = 0; process < processes; ++process) {
    model.processes.emplace_back();
    for (std::size_t step = 0; step < steps; ++step) {
      const auto object = static_cast<std::uint8_t>(step % objects);
      model.processes.back().steps.push_back({Op::add, object, 0, 1});
    }
  }
  return model;
}

TEST(SizeProbe, IsNearlyExactWhereAllWorkOnOneObject) {
  const SizeEstimate estimate = estimate_of(racers(4, 3, 1), {}, 500);  // 12! / 3!^4
  EXPECT_NEAR(estimate.total, 369'600, 8'000);  // the first walks do not know how long they are
  EXPECT_TRUE(estimate.believable);
}

TEST(SizeProbe, SaysThatItDoesNotKnow) {
  const SizeEstimate few = estimate_of(racers(4, 3, 2), {}, 20);
  EXPECT_FALSE(few.believable);
  EXPECT_GT(few.at_least, 0);
  // 2 * 10^30 traces, and more: far beyond what some hundred walks can be sure of.
  const SizeEstimate many = estimate_of(racers(6, 40, 3), {}, 300);
  EXPECT_GT(many.at_least, 1e30);
}

}  // namespace
}  // namespace mazurka
