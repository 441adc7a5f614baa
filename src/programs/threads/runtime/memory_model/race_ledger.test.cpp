// The ledger finds a race exactly where the detector does, and besides that every pair.
#include "programs/threads/runtime/memory_model/race_ledger.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "programs/threads/runtime/memory_model/three_processes.test.hpp"

namespace mazurka::threads {
namespace {

class RaceLedgerTest : public ThreeProcesses {
 protected:
  std::vector<NotedAccess> add(ProcessId process, AccessKind kind, std::uint32_t stack,
                               std::uintptr_t address = 64, std::size_t size = 4) {
    const std::uint32_t tick = clock(process)[index(process)];
    return ledger_.add({process, tick, address, size, kind, false, stack}, clock(process));
  }
  RaceLedger ledger_;
};

TEST_F(RaceLedgerTest, LaterAccessFromAnotherStackDoesNotHideAnEarlierOne) {
  add(a, AccessKind::write, 1);
  add(a, AccessKind::write, 2);
  const auto racing = add(b, AccessKind::read, 3);
  ASSERT_EQ(racing.size(), 2U);
  EXPECT_EQ(racing[0].stack, 1U);
  EXPECT_EQ(racing[1].stack, 2U);
}

TEST_F(RaceLedgerTest, RaceDoesNotHideWhoElseRaces) {
  add(a, AccessKind::write, 1);
  EXPECT_EQ(add(b, AccessKind::write, 2).size(), 1U);
  order(b, c);
  const auto racing = add(c, AccessKind::read, 3);  // c knows of b's write, not of a's
  ASSERT_EQ(racing.size(), 1U);
  EXPECT_EQ(racing[0].process, a);
}

TEST_F(RaceLedgerTest, WideAccessMeetsEveryPart) {
  add(a, AccessKind::write, 1, 4096, 8);
  add(a, AccessKind::read, 2, 4200, 8);
  EXPECT_EQ(add(b, AccessKind::write, 3, 4000, 1000).size(), 2U);
  EXPECT_EQ(add(c, AccessKind::read, 4, 4990, 4).size(), 1U);
  EXPECT_TRUE(add(c, AccessKind::read, 4, 5000, 4).empty());
}

TEST_F(RaceLedgerTest, EachExecutionBeginsEmpty) {
  add(a, AccessKind::write, 1);
  ledger_.clear();
  EXPECT_TRUE(add(b, AccessKind::write, 2).empty());
}

TEST(StackNumbers, StacksAreKeptOnce) {
  StackNumbers numbers;
  const std::uint32_t one = numbers.number_of({1, 2});
  EXPECT_NE(numbers.number_of({1}), one);
  EXPECT_EQ(numbers.number_of({1, 2}), one);
  EXPECT_EQ(numbers.stack(one), (std::vector<std::uint64_t>{1, 2}));
}

// Up to and including the first race both must say the same of every access.
TEST(RaceLedgerLaw, AgreesWithTheDetector) {
  alignas(16) static std::array<std::byte, 256> memory{};
  const auto base = reinterpret_cast<std::uintptr_t>(memory.data());
  RaceDetector detector;
  detector.add_region(base, base + memory.size());
  RaceLedger ledger;
  std::size_t races = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t end) { return random() % end; };
    detector.clear();
    ledger.clear();
    std::array<VectorClock, 3> clocks;
    for (std::size_t at = 0; at < 3; ++at) clocks[at].tick(ProcessId{static_cast<uint16_t>(at)});
    for (int step = 0; step < 60; ++step) {
      const auto who = static_cast<std::uint16_t>(below(3));
      const ProcessId process{who};
      if (below(3) == 0) {
        clocks[below(3)].join(clocks[who]);
        clocks[who].tick(process);
        continue;
      }
      const std::size_t size = std::array<std::size_t, 6>{1, 2, 4, 8, 16, 100}[below(6)];
      const std::uintptr_t address = base + below(24) + (size >= 4 ? 4 : 0);
      const auto kind = static_cast<AccessKind>(below(4));
      const bool fine = detector.access(process, clocks[who], address, size, kind);
      const NotedAccess access{process,
                               clocks[who][who],
                               address,
                               size,
                               kind,
                               false,
                               static_cast<std::uint32_t>(below(4))};
      ASSERT_EQ(ledger.add(access, clocks[who]).empty(), fine) << "seed " << seed;
      if (!fine) {
        ++races;
        break;
      }
    }
  }
  EXPECT_GT(races, 1000U);
}

}  // namespace
}  // namespace mazurka::threads
