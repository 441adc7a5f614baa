#include "core/schedule.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

#include "core/journey.test.hpp"

namespace mazurka {
namespace {

constexpr std::array<Access, 1> some_access{{{ObjectId{3}, 1}}};

Step step_of(ProcessId process) {
  return {{process, 0}, 1, no_process, false, some_access, {}, {}};
}

Schedule sample() {
  Schedule schedule;
  schedule.prefix = {{ProcessId{1}, 0}, {ProcessId{2}, 3}};
  schedule.shared = 1;
  schedule.asleep.push_back(step_of(ProcessId{4}));
  schedule.expected.push_back(step_of(ProcessId{2}));
  return schedule;
}

TEST(Schedule, IsTheSameAfterAJourney) {
  const Schedule back = read<Schedule>(written(sample()));
  EXPECT_EQ(back.prefix, sample().prefix);
  EXPECT_EQ(back.shared, 1U);
  ASSERT_EQ(back.asleep.size(), 1U);
  EXPECT_EQ(back.asleep.process(0), ProcessId{4});
  EXPECT_TRUE(same_accesses(back.asleep[0].accesses, some_access));
  ASSERT_EQ(back.expected.size(), 1U);
  EXPECT_EQ(back.expected.process(0), ProcessId{2});
}

TEST(Schedule, EverySwitchMakesTheJourneyByItself) {
  const std::vector<bool Schedule::*> switches{&Schedule::record_enabled, &Schedule::record_states,
                                               &Schedule::whole_states,   &Schedule::watch_reads,
                                               &Schedule::as_announced,   &Schedule::tentative};
  for (const auto on : switches) {
    Schedule schedule = sample();
    schedule.*on = true;
    const Schedule back = read<Schedule>(written(schedule));
    for (const auto one : switches) EXPECT_EQ(back.*one, one == on);
  }
}

TEST(Schedule, WhatIsCutShortIsRefused) {
  const std::vector<std::byte> bytes = written(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(read<Schedule>(std::span(bytes).first(size)), ArchiveError) << size;
  }
}

}  // namespace
}  // namespace mazurka
