#include "core/schedule.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

namespace mazurka {
namespace {

constexpr std::array<Access, 1> some_access{{{ObjectId{3}, 1}}};

Step step_of(ProcessId process) {
  return {{process, 0}, 1, no_process, false, some_access, {}, {}};
}

TEST(Schedule, IsTheSameAfterAJourney) {
  Schedule schedule;
  schedule.prefix = {{ProcessId{1}, 0}, {ProcessId{2}, 3}};
  schedule.shared = 1;
  schedule.asleep.push_back(step_of(ProcessId{4}));
  schedule.expected.push_back(step_of(ProcessId{2}));
  schedule.record_states = schedule.tentative = true;

  std::vector<std::byte> bytes;
  ArchiveWriter writer(bytes);
  writer(schedule);
  Schedule back;
  ArchiveReader reader(bytes);
  reader(back);
  reader.expect_end();

  EXPECT_EQ(back.prefix, schedule.prefix);
  EXPECT_EQ(back.shared, 1U);
  EXPECT_TRUE(back.record_states && back.tentative);
  EXPECT_FALSE(back.record_enabled || back.whole_states || back.watch_reads || back.as_announced);
  ASSERT_EQ(back.asleep.size(), 1U);
  EXPECT_EQ(back.asleep.process(0), ProcessId{4});
  EXPECT_TRUE(same_accesses(back.asleep[0].accesses, some_access));
  ASSERT_EQ(back.expected.size(), 1U);
  EXPECT_EQ(back.expected.process(0), ProcessId{2});
}

}  // namespace
}  // namespace mazurka
