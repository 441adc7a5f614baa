#include "programs/threads/host/story_order.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads::story_order_test {
namespace {

constexpr ProcessId main_process{0};
constexpr ProcessId t1{1};
constexpr ProcessId t2{2};
constexpr std::uint64_t object = 0x1000;
constexpr std::uint64_t other = 0x2000;

RawEvent event(ProcessId process, Action action, std::uint64_t address, std::uint64_t value = 0,
               std::uint8_t flags = 0) {
  return {.process = process,
          .action = action,
          .flags = flags,
          .size = 4,
          .address = address,
          .value = value,
          .stack = {},
          .ends = {}};
}
RawEvent with_peer(ProcessId process, Action action, ProcessId peer, std::uint64_t address = 0) {
  RawEvent result = event(process, action, address);
  result.peer = peer;
  return result;
}

using Edges = std::vector<OrderEdge>;

TEST(StoryOrder, AThreadComesAfterItsStartAndBeforeItsJoin) {
  EXPECT_EQ(
      order_of({with_peer(main_process, Action::create, t1), event(t1, Action::read, object),
                event(t1, Action::exit_process, 0), with_peer(main_process, Action::join, t1)}),
      (Edges{{0, 1}, {2, 3}}));
}

TEST(StoryOrder, AMutexOrdersThoseWhoHoldIt) {
  EXPECT_EQ(order_of({event(t1, Action::lock, object), event(t1, Action::unlock, object),
                      event(t2, Action::lock, other), event(t2, Action::lock, object)}),
            (Edges{{1, 3}}));
}

TEST(StoryOrder, ReadersDoNotOrderEachOther) {
  EXPECT_EQ(order_of({event(t1, Action::read_lock, object), event(t1, Action::unlock, object),
                      event(t2, Action::read_lock, object), event(t2, Action::unlock, object),
                      event(main_process, Action::lock, object)}),
            (Edges{{1, 4}, {3, 4}}));
}

TEST(StoryOrder, AnAtomicValueOrdersOnlyIfItIsReleasedAndAcquired) {
  const auto through = [](std::uint8_t write, std::uint8_t read) {
    return order_of(
        {event(t1, Action::write, object, 1, write), event(t2, Action::read, object, 1, read)});
  };
  EXPECT_EQ(through(flag_releases, flag_acquires), (Edges{{0, 1}}));
  EXPECT_TRUE(through(0, flag_acquires).empty());
  EXPECT_TRUE(through(flag_releases, 0).empty());
  EXPECT_TRUE(through(flag_plain, flag_plain).empty());
}

TEST(StoryOrder, ALaterRelaxedWriteHidesWhatWasReleased) {
  EXPECT_TRUE(order_of({event(t1, Action::write, object, 1, flag_releases),
                        event(t1, Action::write, object, 2),
                        event(t2, Action::read, object, 2, flag_acquires)})
                  .empty());
}

TEST(StoryOrder, ASignalWakesAndTheMutexOrders) {
  RawEvent wait = event(t1, Action::wait, object);
  wait.second_address = other;
  RawEvent woken = event(t1, Action::wake, object);
  woken.second_address = other;
  EXPECT_EQ(order_of({event(t1, Action::lock, other), wait, event(t2, Action::lock, other),
                      event(t2, Action::signal, object, index(t1) + 1),
                      event(t2, Action::unlock, other), woken}),
            (Edges{{1, 2}, {3, 5, EdgeKind::wakes}, {4, 5}}));
}

TEST(StoryOrder, EveryArrivalComesBeforeWhoeverLeavesTheBarrier) {
  EXPECT_EQ(
      order_of({event(t1, Action::barrier_arrive, object),
                event(t2, Action::barrier_arrive, object), event(t2, Action::barrier_leave, object),
                event(t2, Action::barrier_arrive, object),  // of the next round
                event(t1, Action::barrier_leave, object)}),
      (Edges{{0, 2}, {1, 4}}));
}

TEST(StoryOrder, AMessageComesAfterItsSending) {
  EXPECT_EQ(
      order_of({event(t1, Action::message_send, object), event(t2, Action::message_send, object),
                with_peer(main_process, Action::wait_received, t2, object)}),
      (Edges{{1, 2}}));
}

}  // namespace
}  // namespace mazurka::threads::story_order_test
