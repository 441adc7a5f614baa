#include "programs/threads/runtime/memory_model/history.hpp"

#include "programs/threads/runtime/memory_model/three_processes.test.hpp"

namespace mazurka::threads {
namespace {

class HistoryTest : public ThreeProcesses {
 protected:
  HistoryTest() {
    history_.begin(4);
    history_.write_plainly({0, 0}, {});
  }
  std::uint32_t write(ProcessId process, std::size_t behind, bool updates = false) {
    const std::uint32_t number = history_.insert_behind(behind);
    history_.message(number).process = process;
    history_.message(number).updates = updates;
    see(process, number);
    return number;
  }
  void see(ProcessId process, std::uint32_t number) {
    history_.mark(process, clock(process)[index(process)], number);
  }
  [[nodiscard]] std::size_t oldest(ProcessId process) const {
    return history_.oldest_for(clock(process));
  }

  History history_;
};

TEST_F(HistoryTest, WhoKnowsOfNoWriteMayReadTheFirstValue) {
  write(a, 0);
  EXPECT_EQ(oldest(b), 0U);
  EXPECT_EQ(oldest(a), 1U);
}

TEST_F(HistoryTest, WhoKnowsOfAWriteReadsNothingBeforeIt) {
  write(a, 0);
  order(a, b);
  EXPECT_EQ(oldest(b), 1U);
  write(a, 1);
  EXPECT_EQ(oldest(b), 1U);
}

TEST_F(HistoryTest, WhoKnowsOfAReadReadsNothingOlder) {
  const std::uint32_t one = write(a, 0);
  see(b, one);
  EXPECT_EQ(oldest(c), 0U);
  order(b, c);
  EXPECT_EQ(oldest(c), 1U);
}

TEST_F(HistoryTest, AWriteMayGoInFrontOfAnother) {
  const std::uint32_t one = write(a, 0);
  const std::uint32_t other = write(b, 0);
  EXPECT_EQ(history_.position_of(other), 1U);
  EXPECT_EQ(history_.position_of(one), 2U);
  EXPECT_EQ(history_.latest_number(), other);
  EXPECT_EQ(oldest(a), 2U);
  EXPECT_EQ(oldest(b), 1U);
}

TEST_F(HistoryTest, NothingComesBetweenTheHalvesOfAnUpdate) {
  write(a, 0, true);
  EXPECT_TRUE(history_.is_updated(0));
  EXPECT_FALSE(history_.is_updated(1));
}

TEST_F(HistoryTest, WhatWasWrittenPlainlyIsTheOldest) {
  write(a, 0);
  EXPECT_FALSE(history_.is_up_to_date({7, 0}));
  history_.write_plainly({7, 0}, clock(a));
  EXPECT_TRUE(history_.is_up_to_date({7, 0}));
  EXPECT_EQ(oldest(b), 2U);
  EXPECT_EQ(history_.at(2).released, clock(a));
}

TEST_F(HistoryTest, WhatComesToBeInFreedMemoryHasAHistoryOfItsOwn) {
  EXPECT_TRUE(history_.is_up_to_date({0, 0}));
  history_.end();
  EXPECT_FALSE(history_.is_up_to_date({0, 0}));
}

}  // namespace
}  // namespace mazurka::threads
