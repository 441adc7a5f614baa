#include "programs/threads/host/story_memory.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads::story_memory_test {
namespace {

constexpr std::uint8_t weak = flag_source;
constexpr std::uint64_t data = 0x1000;
constexpr std::uint64_t flag = 0x2000;

RawEvent event(unsigned process, Action action, std::uint64_t address, std::uint8_t flags,
               std::uint32_t source = no_event) {
  RawEvent result;
  result.process = ProcessId{static_cast<std::uint16_t>(process)};
  result.action = action;
  result.address = address;
  result.flags = flags;
  result.source = source;
  return result;
}

using Missing = std::vector<MissingEdge>;

/// T1 writes data and flag; T2 sees the flag, and reads the data.
std::vector<RawEvent> message(std::uint8_t write, std::uint8_t read) {
  return {event(1, Action::write, data, weak),
          event(1, Action::write, flag, static_cast<std::uint8_t>(weak | write)),
          event(2, Action::read, flag, static_cast<std::uint8_t>(weak | read), 1),
          event(2, Action::read, data, weak)};
}

TEST(MissingOrder, EitherEndOfAValueMayBeTheReason) {
  const auto missing = [](std::uint8_t write, std::uint8_t read) {
    const std::vector<RawEvent> events = message(write, read);
    return MissingOrder(events).between(0, 3);
  };
  EXPECT_EQ(missing(0, 0), (Missing{{1, 2, true, true}}));
  EXPECT_EQ(missing(flag_releases, 0), (Missing{{1, 2, false, true}}));
  EXPECT_EQ(missing(0, flag_acquires), (Missing{{1, 2, true, false}}));
}

TEST(MissingOrder, FencesStandForTheOperationsAroundThem) {
  std::vector<RawEvent> events = message(0, 0);
  events.insert(events.begin() + 1, event(1, Action::fence, 0, flag_plain | flag_releases));
  events[3].source = 2;
  EXPECT_EQ(MissingOrder(events).between(0, 4), (Missing{{2, 3, false, true}}));
  // A fence before the data was written is of no use.
  std::swap(events[0], events[1]);
  EXPECT_EQ(MissingOrder(events).between(1, 4), (Missing{{2, 3, true, true}}));
  events.insert(events.begin() + 4, event(2, Action::fence, 0, flag_plain | flag_acquires));
  EXPECT_EQ(MissingOrder(events).between(1, 5), (Missing{{2, 3, true, false}}));
}

TEST(MissingOrder, ThereNeedBeNoWay) {
  const std::vector<RawEvent> events{
      event(1, Action::write, data, weak), event(1, Action::read, flag, weak),
      event(2, Action::write, flag, weak), event(2, Action::read, data, weak)};
  EXPECT_TRUE(MissingOrder(events).between(0, 3).empty());
}

TEST(MissingOrder, AWayMayLeadThroughOthers) {
  // T2 hands on what it has read from T1; only its own write is relaxed.
  const std::vector<RawEvent> events{
      event(1, Action::write, data, weak | flag_releases),
      event(2, Action::read, data, weak | flag_acquires, 0),
      event(2, Action::write, flag, weak),
      event(3, Action::read, flag, weak | flag_acquires, 2),
      event(3, Action::read, data, weak),
  };
  EXPECT_EQ(MissingOrder(events).between(0, 4), (Missing{{2, 3, true, false}}));
}

TEST(MissingOrder, AnUpdateContinuesWhatWasReleased) {
  std::vector<RawEvent> events{
      event(1, Action::write, data, weak),
      event(1, Action::write, flag, weak | flag_releases),
      event(2, Action::update, flag, weak, 1),
      event(3, Action::read, flag, weak | flag_acquires, 2),
      event(3, Action::read, data, weak),
  };
  EXPECT_EQ(order_of(events), (std::vector<OrderEdge>{{1, 3}}));
  events[2].action = Action::write;
  EXPECT_TRUE(order_of(events).empty());
}

TEST(MissingOrder, WhatIsReadCountsAndNotWhatIsNewest) {
  std::vector<RawEvent> events{
      event(1, Action::write, flag, weak | flag_releases),
      event(1, Action::write, flag, weak | flag_releases),
      event(2, Action::read, flag, weak | flag_acquires | flag_overtakes, 0),
      event(3, Action::read, flag, weak | flag_acquires | flag_overtakes),
  };
  EXPECT_EQ(order_of(events), (std::vector<OrderEdge>{{0, 2}}));
}

TEST(MissingOrder, NumbersOfEventsThatAreNotThereAreIgnored) {
  const std::vector<RawEvent> events{event(1, Action::read, flag, weak | flag_acquires, 7),
                                     event(2, Action::update, flag, weak, 1)};
  EXPECT_TRUE(order_of(events).empty());
  EXPECT_TRUE(MissingOrder(events).between(0, 1).empty());
}

}  // namespace
}  // namespace mazurka::threads::story_memory_test
