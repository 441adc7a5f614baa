// The rules of the primitives, without a program: who can go on, what a step changes, what it
// touches.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/run.hpp"
#include "programs/threads/runtime/primitives/barrier.hpp"
#include "programs/threads/runtime/primitives/condition.hpp"
#include "programs/threads/runtime/primitives/gate.hpp"
#include "programs/threads/runtime/primitives/mutex.hpp"
#include "programs/threads/runtime/primitives/step.hpp"

namespace mazurka::threads {
namespace {

constexpr ProcessId a{0}, b{1}, c{2};
constexpr ObjectId object{7}, lock{8};

struct Clocks {
  Clocks() {
    for (const ProcessId process : {a, b, c}) of[index(process)].tick(process);
  }
  /// Whether `one` knows of all that `other` had done before it last passed something on.
  [[nodiscard]] bool knows(ProcessId one, ProcessId other) const {
    return of[index(one)][index(other)] + 1 == of[index(other)][index(other)];
  }
  VectorClock of[3];
};

// What the vocabulary says of the object's value is what the rule says.
bool guard_allows(const Access& access, std::uint64_t value) {
  const Vocabulary vocabulary = make_vocabulary();
  return vocabulary.allows(access, value);
}

TEST(MutexRule, OneHoldsItAndTheNextKnowsWhatThatOneDid) {
  Mutex mutex;
  Clocks clocks;
  EXPECT_TRUE(mutex.is_free());
  mutex.take(a, clocks.of[0]);
  mutex.wait(b);
  EXPECT_FALSE(mutex.is_free());
  EXPECT_EQ(mutex.owner(), a);
  EXPECT_EQ(mutex.waiting(), std::vector{b});
  mutex.give_back(a, clocks.of[0]);
  EXPECT_TRUE(mutex.is_free());
  mutex.take(b, clocks.of[1]);
  EXPECT_TRUE(mutex.waiting().empty());
  EXPECT_TRUE(clocks.knows(b, a));
}

TEST(MutexRule, LockIsGuardedByItsValue) {
  Mutex mutex;
  Clocks clocks;
  const Access locks = Mutex::access(object, mutex_mode::lock);
  EXPECT_TRUE(guard_allows(locks, mutex.value()));
  mutex.take(a, clocks.of[0]);
  EXPECT_FALSE(guard_allows(locks, mutex.value()));
}

TEST(MutexRule, RecursiveOneIsHeldUntilTheLastUnlock) {
  Mutex mutex;
  Clocks clocks;
  mutex.take(a, clocks.of[0]);
  mutex.lock_again();
  EXPECT_EQ(mutex.depth(), 2U);
  mutex.unlock_inner();
  EXPECT_EQ(mutex.depth(), 1U);
  EXPECT_FALSE(mutex.is_free());
}

TEST(OnceRule, WhoFindsItDoneKnowsWhatTheInitialiserDid) {
  Mutex once;
  Clocks clocks;
  once.take(a, clocks.of[0]);
  once.wait(b);
  once.set_run(true);
  once.give_back(a, clocks.of[0]);
  EXPECT_TRUE(once.has_run());
  once.learn(b, clocks.of[1]);
  EXPECT_TRUE(once.is_free());
  EXPECT_TRUE(once.waiting().empty());
  EXPECT_TRUE(clocks.knows(b, a));
}

TEST(ConditionRule, AnyOfThoseWhoWaitMayBeWoken) {
  Condition condition;
  EXPECT_EQ(condition.value(), 0U);
  condition.start_waiting({c, lock, false});
  condition.start_waiting({a, lock, false});
  condition.start_waiting({b, lock, true});
  ASSERT_EQ(condition.ways_to_wake(1), 3U);
  std::vector<ProcessId> woken;
  for (std::size_t choice = 0; choice < 3; ++choice) {
    woken.push_back(condition.woken(1, choice).at(0).process);
  }
  EXPECT_EQ(woken, (std::vector{a, b, c}));  // in whatever order they came
  EXPECT_EQ(condition.ways_to_wake(2), 3U);
  EXPECT_EQ(condition.woken(2, 2).at(1).process, c);
  EXPECT_EQ(condition.ways_to_wake(100), 1U);
  EXPECT_EQ(condition.woken(100, 0).size(), 3U);
}

TEST(ConditionRule, WhoWasSignalledWaitsNoMore) {
  Condition condition;
  condition.start_waiting({a, lock, true});
  EXPECT_TRUE(condition.still_waits(a));
  EXPECT_TRUE(condition.stop_waiting(a));
  EXPECT_FALSE(condition.still_waits(a));
  EXPECT_FALSE(condition.stop_waiting(a));
  EXPECT_EQ(condition.ways_to_wake(1), 1U);  // to wake nobody
}

TEST(ConditionRule, MoreWaysThanCanBeToldApartAreRefused) {
  Condition condition;
  for (std::uint16_t at = 0; at < 40; ++at) condition.start_waiting({ProcessId{at}, lock, false});
  EXPECT_EQ(condition.ways_to_wake(20), 0U);
}

TEST(GateRule, ReadersShareWhatWritersHoldAlone) {
  Gate gate;
  Clocks clocks;
  gate.enter(a, gate_wish::shared, clocks.of[0]);
  EXPECT_TRUE(gate.allows(gate_wish::shared));
  EXPECT_FALSE(gate.allows(gate_wish::alone));
  gate.wait(b, gate_wish::alone);
  gate.unlock(a, 0, clocks.of[0]);
  EXPECT_TRUE(gate.allows(gate_wish::alone));
  EXPECT_TRUE(guard_allows(Gate::access(object, gate_mode::pass, gate_wish::alone), gate.value()));
  gate.enter(b, gate_wish::alone, clocks.of[1]);
  EXPECT_TRUE(gate.waiting().empty());
  EXPECT_TRUE(gate.is_held_alone_by(b));
  EXPECT_EQ(gate.holder(), b);
  EXPECT_FALSE(gate.allows(gate_wish::shared));
  EXPECT_TRUE(clocks.knows(b, a));
}

TEST(GateRule, ReadersDoNotOrderEachOther) {
  Gate gate;
  Clocks clocks;
  gate.enter(a, gate_wish::shared, clocks.of[0]);
  gate.unlock(a, 0, clocks.of[0]);
  gate.enter(b, gate_wish::shared, clocks.of[1]);
  EXPECT_FALSE(clocks.knows(b, a));
}

TEST(GateRule, SemaphoreHandsOutTokensAndWhatTheirGiversKnow) {
  Gate semaphore;
  Clocks clocks;
  EXPECT_FALSE(semaphore.allows(gate_wish::token));
  semaphore.change(a, 1, clocks.of[0]);
  EXPECT_TRUE(semaphore.allows(gate_wish::token));
  semaphore.enter(b, gate_wish::token, clocks.of[1]);
  EXPECT_EQ(semaphore.value(), 0U);
  EXPECT_TRUE(semaphore.holders().empty());
  EXPECT_TRUE(clocks.knows(b, a));
}

TEST(BarrierRule, RoundIsCompleteWhenAllHaveArrived) {
  Barrier barrier;
  Clocks clocks;
  barrier.set_up(2);
  EXPECT_EQ(barrier.arrive(a, false, clocks.of[0]), 0U);
  const Access leaves = Barrier::access(object, barrier_mode::leave, 1);
  EXPECT_FALSE(guard_allows(leaves, barrier.value()));
  EXPECT_EQ(barrier.arrive(b, false, clocks.of[1]), 0U);
  EXPECT_TRUE(guard_allows(leaves, barrier.value()));
  EXPECT_EQ(barrier.complete(), 1U);
  EXPECT_EQ(barrier.round(0).chooser, no_process);  // nobody looks
  EXPECT_EQ(barrier.arrive(a, false, clocks.of[0]), 1U);
}

TEST(BarrierRule, TheFirstWhoLooksChoosesTheSerialOne) {
  Barrier barrier;
  Clocks clocks;
  barrier.set_up(3);
  barrier.arrive(c, true, clocks.of[2]);
  barrier.arrive(b, true, clocks.of[1]);
  EXPECT_EQ(barrier.round(0).chooser, no_process);
  barrier.arrive(a, false, clocks.of[0]);
  EXPECT_EQ(barrier.round(0).chooser, b);
  EXPECT_EQ(barrier.choices(barrier.round(0)), 3U);  // one of the two, or the one who does not look
}

TEST(BarrierRule, KnowsWhenMoreUseItThanItLetsThrough) {
  Barrier barrier;
  barrier.set_up(2);
  EXPECT_FALSE(barrier.add_user(a));
  EXPECT_FALSE(barrier.add_user(b));
  EXPECT_FALSE(barrier.add_user(a));
  EXPECT_TRUE(barrier.add_user(c));
}

/// Notes what it is asked for.
struct FakeScheduler {
  void note(Action, std::uintptr_t address) { calls += "note " + std::to_string(address) + ";"; }
  void park(const Operation& operation, bool enabled) {
    calls += "park " + std::to_string(operation.accesses.size()) + (enabled ? " on;" : " off;");
  }
  RawEvent* record(Action action, std::uintptr_t address) {
    calls += "record;";
    event.action = action;
    event.address = address;
    return &event;
  }
  void commit(std::span<const std::uint64_t> before = {}, std::uint16_t = 1,
              std::span<const ProcessId> = {}, Footprint performed = {}) {
    calls += "commit " + std::to_string(before.size()) + std::to_string(performed.size()) + ";";
  }
  std::string calls;
  RawEvent event;
};

TEST(PrimitiveStep, IsAnnouncedRecordedAndCommitted) {
  FakeScheduler scheduler;
  PrimitiveStep step(scheduler, Action::unlock, 64);
  step.await(Mutex::access(object, mutex_mode::unlock), false);
  EXPECT_EQ(step.record(), &scheduler.event);
  step.commit(1);
  EXPECT_EQ(scheduler.calls, "note 64;park 1 off;record;commit 10;");
  EXPECT_EQ(scheduler.event.flags & flag_plain, 0);
}

TEST(PrimitiveStep, IsOnlyRecordedWhereNobodyCanNotice) {
  FakeScheduler scheduler;
  PrimitiveStep step(scheduler, Action::unlock, 64, false);
  step.await(Mutex::access(object, mutex_mode::unlock));
  step.record();
  step.commit();
  step.commit(1);
  EXPECT_EQ(scheduler.calls, "record;");
  EXPECT_NE(scheduler.event.flags & flag_plain, 0);
}

}  // namespace
}  // namespace mazurka::threads
