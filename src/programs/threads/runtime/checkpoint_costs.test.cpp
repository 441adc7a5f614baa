#include "programs/threads/runtime/checkpoint_costs.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads {
namespace {

CheckpointCosts costs(double beginning, double going_on, double taking, double event) {
  CheckpointCosts made;
  for (int times = 0; times < 10; ++times) {
    made.beginning.add(beginning);
    made.going_on.add(going_on);
    made.taking.add(taking);
    made.event.add(event);
  }
  return made;
}

std::vector<std::size_t> plan(std::size_t begun, std::size_t left, std::size_t distance) {
  std::vector<std::size_t> places;
  CheckpointCosts::plan(begun, left, distance, places);
  return places;
}

TEST(CheckpointCosts, GoesOnWhereThatIsFaster) {
  EXPECT_TRUE(CheckpointCosts().pays_to_go_on(1));  // it is not known yet
  const CheckpointCosts known = costs(10, 50, 0, 2);
  EXPECT_FALSE(known.pays_to_go_on(20));
  EXPECT_TRUE(known.pays_to_go_on(21));
}

TEST(CheckpointCosts, DistanceIsWhatSavesAsMuchAsItCosts) {
  EXPECT_EQ(CheckpointCosts().least_distance(20), 1U);  // it is not known yet
  EXPECT_EQ(plan(0, 1600, CheckpointCosts().least_distance(1600)).size(), 4U);
  CheckpointCosts known = costs(10, 50, 100, 2);
  EXPECT_EQ(known.least_distance(20), 50U);
  // Each is used four times.
  for (int times = 0; times < 49; ++times) {
    known.taken();
    for (int uses = 0; uses < 4; ++uses) known.used();
  }
  EXPECT_NEAR(static_cast<double>(known.least_distance(20)), 12.5, 1);
  // Hardly any is ever used; but that is forgotten in time.
  for (int times = 0; times < 5000; ++times) known.taken();
  EXPECT_GT(known.least_distance(20), 1000U);
  EXPECT_LT(known.least_distance(20), 100000U);
}

TEST(CheckpointCosts, OneSlowMomentIsNotTakenForTheRule) {
  CheckpointCosts known = costs(10, 50, 100, 2);
  known.taking.add(1e9);
  EXPECT_LT(known.taking.value(), 200);
}

TEST(CheckpointCosts, WhatDidNotPayHasAnotherChanceEverMoreSeldom) {
  CheckpointCosts known = costs(10, 50, 100, 2);
  std::vector<int> chances;
  for (int execution = 1; execution <= 500; ++execution) {
    if (known.pays_to_go_on(20)) {
      chances.push_back(execution);
      for (int times = 0; times < 4; ++times) known.going_on.add(50);
    }
    known.passed_over();
  }
  ASSERT_EQ(chances.size(), 4U);
  for (std::size_t at = 2; at < chances.size(); ++at) {
    EXPECT_GE(chances[at] - chances[at - 1], 2 * (chances[at - 1] - chances[at - 2]));
  }
  // Once it pays there is no need for one.
  known.going_on.forget();
  for (int times = 0; times < 10; ++times) known.going_on.add(20);
  EXPECT_TRUE(known.pays_to_go_on(20));
}

TEST(CheckpointCosts, LowMeasurementsCountForMoreThanHighOnes) {
  CheckpointCosts known = costs(10, 50, 100, 2);
  for (int times = 0; times < 10; ++times) {
    known.taking.add(1000);
    known.taking.add(50);
  }
  EXPECT_LT(known.taking.value(), 500);
}

TEST(CheckpointCosts, PlacesAreDenseWhereTheExecutionLeavesTheOneBefore) {
  EXPECT_EQ(plan(0, 100, 1), (std::vector<std::size_t>{100, 99, 97, 93, 85, 69}));
  EXPECT_EQ(plan(0, 100, 20), (std::vector<std::size_t>{100, 80}));
  EXPECT_EQ(plan(80, 100, 4), (std::vector<std::size_t>{100, 96}));
  EXPECT_TRUE(plan(90, 100, 11).empty());
  EXPECT_TRUE(plan(5, 5, 1).empty());
  EXPECT_TRUE(plan(0, 0, 1).empty());
}

}  // namespace
}  // namespace mazurka::threads
