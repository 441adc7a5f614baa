#include "report/advice.hpp"

#include <gtest/gtest.h>

#include "report/sample_outcome.hpp"

namespace mazurka::report {
namespace {

Outcome too_large() {
  Outcome outcome = sample_outcome();
  outcome.findings.clear();
  outcome.verdict = Verdict::inconclusive;
  outcome.statistics.executions = 12'000;
  Advice& advice = outcome.advice;
  advice.events = 305.4;
  advice.total = 2.2e12;
  advice.error = 0.05;
  advice.lines = {{"racers.c:6", "work", 0.98, 0.99, 6, 50, 0},
                  {"spin.c:9", "take", 0.01, 0.01, 1, 20, 10}};
  advice.trials = {{"--technique optimal-observers", true, false, false, 420, 0.3},
                   {"--preemptions 1", true, true, false, 20, 0.1},
                   {"--technique pct", false, true, false, 8'000, 0.4}};
  advice.hints = {"fewer threads: 6 of them come to racers.c:6"};
  return outcome;
}

bool says(const Outcome& outcome, const std::string& part) {
  return advice_text(outcome, {.width = 200}).find(part) != std::string::npos;
}

TEST(Advice, SaysHowLargeAndWhy) {
  const Outcome outcome = too_large();
  EXPECT_TRUE(says(outcome,
                   "about 305 events; about 2 * 10^12 executions in all (give or take 10%), of "
                   "which 12,000 were seen"));
  EXPECT_TRUE(says(outcome,
                   "racers.c:6 in work: 98% of the events, 99% of the branches; 6 threads, each up "
                   "to 50 times\n"));
  EXPECT_TRUE(says(outcome, "10 of these in a row and in vain"));
}

TEST(Advice, SaysWhatWasTriedAndWhatItCameTo) {
  const Outcome outcome = too_large();
  EXPECT_TRUE(says(outcome,
                   "--technique optimal-observers: complete in 0.30 s, 420 executions, no finding: "
                   "that would settle it"));
  EXPECT_TRUE(says(outcome,
                   "--preemptions 1: complete in 0.10 s, 20 executions, no finding: all that is "
                   "within the bound"));
  EXPECT_TRUE(says(outcome, "--technique pct: not complete in 0.40 s, 8,000 executions"));
  EXPECT_TRUE(says(outcome, "fewer threads: 6 of them"));
}

TEST(Advice, IsOnlyGivenWhereASearchWasCut) {
  Outcome outcome = too_large();
  outcome.verdict = Verdict::verified;
  EXPECT_EQ(advice_text(outcome, {}), "");
  outcome.verdict = Verdict::inconclusive;
  outcome.advice = {};
  EXPECT_EQ(advice_text(outcome, {}), "");
}

TEST(Advice, WhatIsNotKnownIsNotSaid) {
  Outcome outcome = too_large();
  outcome.advice.total = 0;
  EXPECT_FALSE(says(outcome, "in all"));
  outcome.advice.at_least = 1e9;
  EXPECT_TRUE(says(outcome, "more than 1 * 10^9 executions"));
}

TEST(Advice, RoughNumbers) {
  EXPECT_EQ(roughly(12'345), "12,345");
  EXPECT_EQ(roughly(3.14e6), "3.1 million");
  EXPECT_EQ(roughly(2.9e12), "2 * 10^12");
}

}  // namespace
}  // namespace mazurka::report
