#include "programs/threads/runtime/primitives/conditions.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/check.hpp"

namespace mazurka::threads {

namespace {

constexpr std::string_view what = "condition variable";

// Name of a part of the state, for its fingerprint.
constexpr std::uint64_t waiter_part = std::uint64_t{1} << 41;
std::uint64_t waiter_name(ObjectId condition, ProcessId process) {
  return waiter_part | static_cast<std::uint64_t>(index(condition)) << 16 | index(process);
}

}  // namespace

void Conditions::set_up(const void* condition) {
  EngineScope scope;
  const ObjectId object = object_at(condition, kind::condition);
  own(Action::set_up, condition, Condition::access(object, condition_mode::own));
  if (!of(object).waiters().empty()) {
    misuse("initialises a condition variable that threads wait for", condition);
  }
  unmark_destroyed(condition);
}

void Conditions::destroy(const void* condition) {
  EngineScope scope;
  const ObjectId object = object_at(condition, kind::condition);
  own(Action::destroy, condition, Condition::access(object, condition_mode::own));
  refuse_destroyed(condition, what);
  if (!of(object).waiters().empty()) {
    misuse("destroys a condition variable that threads wait for", condition);
  }
  mark_destroyed(condition);
}

void Conditions::start_waiting(ObjectId object, const Condition::Waiter& waiter) {
  of(object).start_waiting(waiter);
  if (state_.tracking) state_.tracker.change(waiter_name(object, waiter.process), 0, 1);
}

// Part of the step that leaves, so once that is committed: what a process is told before belongs to
// its step before.
void Conditions::stop_waiting(ObjectId object) {
  const bool waited = of(object).stop_waiting(self().id);
  if (state_.tracking && waited) state_.tracker.change(waiter_name(object, self().id), 1, 0);
  tell(waited ? 1 : 0);
}

// Two steps: one that starts to wait and releases the mutex, one that holds it again. Between them
// the process cannot move until someone signals it. If it waits for a limited time or may wake up
// for no reason, there is a step in between that stops to wait: the time may be over while somebody
// holds the mutex, and a signal that comes then is not for this process any more.
int Conditions::wait(const void* condition, pthread_mutex_t* mutex, int timeout) {
  EngineScope scope;
  const ObjectId lock = object_at(mutex, kind::mutex);
  const ObjectId object = object_at(condition, kind::condition);
  if (mutexes_.of(lock).owner() != self().id) {
    fail(FindingKind::misuse, "waits on a condition variable without holding its mutex",
         "wait " + std::to_string(address_of(condition)));
  }
  const std::uint32_t depth = mutexes_.of(lock).depth();
  const bool spurious = timeout == 0 && self().spurious < request_.checks.spurious;
  const std::uint64_t both = fingerprint_of(index(object), index(lock)).low;
  // It waits as it has waited before.
  const bool in_vain = timeout != 0 && spins_.goes_round(0, both, 1);
  const bool timed = (timeout != 0 && !in_vain) || spurious;

  note(Action::wait, address_of(condition));
  const std::array<Access, 2> start{Condition::access(object, condition_mode::wait),
                                    Mutex::access(lock, mutex_mode::unlock)};
  park({start, no_process, false}, true);
  if (RawEvent* event = record(Action::wait, address_of(condition))) {
    event->second_address = address_of(mutex);
  }
  const std::array<std::uint64_t, 2> before{of(object).value(), mutexes_.of(lock).value()};
  if (timeout != 0) state_.quiet = true;
  commit(before);
  refuse_destroyed(condition, what);
  mutexes_.give_back(lock);
  start_waiting(object, {self().id, lock, timed});

  const bool alone = timed && wait_for_a_time(object, timeout != 0);
  note(timed ? Action::wake : Action::wait, timed ? address_of(mutex) : address_of(condition));
  hold_again(lock, timed, in_vain);
  if (RawEvent* event = record(timed ? Action::lock : Action::wake,
                               timed ? address_of(mutex) : address_of(condition))) {
    event->second_address = address_of(mutex);
  }
  if (timed) state_.quiet = true;
  commit();
  MAZURKA_CHECK(mutexes_.of(lock).is_free(), "the mutex is held again once it is free");
  mutexes_.take(lock, depth);
  if (!alone) return 0;
  if (spurious) ++self().spurious;
  return timeout;
}

// Parks before the step that holds the mutex again.
void Conditions::hold_again(ObjectId lock, bool timed, bool in_vain) {
  const std::array<Access, 1> resume{Mutex::access(lock, mutex_mode::lock)};
  if (timed) {
    mutexes_.wait_for_turn(lock, resume);
    return;
  }
  self().watch.stuck = in_vain;
  if (in_vain) ++state_.spinning;
  park({resume, no_process, false}, false, false);
  if (in_vain) --state_.spinning;
  self().watch.stuck = false;
}

// The step that stops to wait. True: nobody has signalled.
bool Conditions::wait_for_a_time(ObjectId object, bool may_time_out) {
  const std::uintptr_t address = names_[object].address;
  note(Action::timed_wait, address);
  const std::array<Access, 1> leaving{Condition::access(object, condition_mode::leave)};
  park({leaving, no_process, false}, true);
  const bool alone = of(object).still_waits(self().id);
  if (RawEvent* event = record(Action::wake, address)) event->value = alone ? 1 : 0;
  state_.quiet = alone && may_time_out;
  commit();
  stop_waiting(object);
  return alone;
}

void Conditions::wake(const Condition::Waiter& waiter) {
  if (waiter.timed) return;  // it can move anyway
  run().release(waiter.process);
  if (waiter.mutex == Condition::no_mutex) {
    run().enable(waiter.process, true);
    return;
  }
  Mutex& mutex = mutexes_.of(waiter.mutex);
  mutex.wait(waiter.process);
  run().enable(waiter.process, mutex.is_free());
  if (recorder() != nullptr) {
    Process& woken = process(waiter.process);
    woken.action = Action::wake;
    woken.address = names_[waiter.mutex].address;
  }
}

// Whoever is woken by one that wakes some of those who wait is a matter of choice: of each there
// is, in the order of those chosen.
int Conditions::signal(const void* condition, std::size_t count) {
  EngineScope scope;
  const int woken = signal_object(object_at(condition, kind::condition), condition, count);
  refuse_destroyed(condition, what);
  return woken;
}

// All that counts of a futex is its address: that of a semaphore, for one, whose memory may be gone
// as soon as the last one has passed, while the thread that has let it pass still wakes others.
int Conditions::wake_at_word(const std::uint32_t* word, std::size_t count) {
  return signal_object(names_.object_for(address_of(word), kind::condition), word, count);
}

int Conditions::signal_object(ObjectId object, const void* condition, std::size_t count) {
  if (alone() || count == 0) return 0;
  const Action action = count > 1 ? Action::broadcast : Action::signal;
  Step step(scheduler_, action, address_of(condition));
  step.await(Condition::access(object, condition_mode::signal,
                               static_cast<std::uint16_t>(std::min<std::size_t>(count, 0xffff))));

  const std::uint16_t choices = of(object).ways_to_wake(count);
  if (choices == 0) scheduler_.unsupported("a futex that wakes some of so many threads");
  MAZURKA_CHECK(choices == 1 || of(object).waiters().size() > count,
                "there is a choice among waiters");
  const std::size_t choice = std::min<std::size_t>(state_.decision.choice, choices - 1);
  const std::vector<Condition::Waiter> woken = of(object).woken(count, choice);
  std::vector<ProcessId> released;
  for (const Condition::Waiter& one : woken) {
    if (!one.timed) released.push_back(one.process);
  }
  if (RawEvent* event = step.record()) {
    event->value = count > 1 ? woken.size() : (woken.empty() ? 0 : index(woken[0].process) + 1);
  }
  commit({}, choices, released);
  for (const Condition::Waiter& one : woken) {
    of(object).stop_waiting(one.process);
    if (state_.tracking) state_.tracker.change(waiter_name(object, one.process), 1, 0);
    wake(one);
  }
  tell(woken.size());
  return static_cast<int>(woken.size());
}

int Conditions::wait_on_word(std::uint32_t* word, std::uint32_t value, bool timed) {
  EngineScope scope;
  const ObjectId object = names_.object_for(address_of(word), kind::condition);
  spins_.arrive(address_of(word), value);
  note(Action::futex_wait, address_of(word));
  scratch_.clear();
  scratch_.push_back(Condition::access(object, condition_mode::wait));
  names_.cells().for_each(address_of(word), sizeof *word, [&](ObjectId cell) {
    scratch_.push_back({cell, kind::memory, memory_mode::read, 0});
  });
  park({scratch_, no_process, false}, true);
  const bool waits = *word == value;
  if (RawEvent* event = record(Action::futex_wait, address_of(word), sizeof *word)) {
    event->value = waits ? 1 : 0;
    event->new_value = *word;
    event->high = *word;
    event->new_high = value;
  }
  state_.quiet = true;
  commit();
  weak_memory_.pass_barrier();
  weak_memory_.look(address_of(word), sizeof *word);
  tell(*word);
  spins_.watch_read(address_of(word), sizeof *word);
  return waits ? sleep(word, timed) : EAGAIN;
}

int Conditions::sleep(const std::uint32_t* word, bool timed) {
  const ObjectId object = names_.object_for(address_of(word), kind::condition);
  start_waiting(object, {self().id, Condition::no_mutex, timed});
  note(timed ? Action::timed_wait : Action::wait, address_of(word));
  const std::array<Access, 1> leaving{Condition::access(object, condition_mode::leave)};
  park({timed ? std::span<const Access>(leaving) : std::span<const Access>{}, no_process, false},
       timed, timed);
  const bool alone = timed && of(object).still_waits(self().id);
  if (RawEvent* event = record(Action::futex_wake, address_of(word))) event->value = alone ? 1 : 0;
  state_.quiet = alone;
  commit();
  if (timed) stop_waiting(object);
  return alone ? ETIMEDOUT : 0;
}

}  // namespace mazurka::threads
