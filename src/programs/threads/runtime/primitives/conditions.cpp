// Condition variables, and futexes, which are waited on alike.
#include <algorithm>
#include <cerrno>

#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

namespace {

std::uintptr_t address_of(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

// Name of a part of the state, for its fingerprint.
constexpr std::uint64_t waiter_part = std::uint64_t{1} << 41;
std::uint64_t waiter_name(ObjectId condition, ProcessId process) {
  return waiter_part | static_cast<std::uint64_t>(index(condition)) << 16 | index(process);
}

}  // namespace

Condition& Runtime::condition(ObjectId object) { return state_.conditions[object]; }

void Runtime::set_up_condition(const void* pthread_condition) {
  EngineScope scope;
  const ObjectId object = object_for(address_of(pthread_condition), kind::condition);
  if (!condition(object).waiters.empty()) {
    misuse("initialises a condition variable that threads wait for", pthread_condition);
  }
}

// A step that is dependent with whoever begins or ends to wait.
void Runtime::destroy_condition(const void* pthread_condition) {
  EngineScope scope;
  const ObjectId object = primitive(pthread_condition, kind::condition);
  if (alone()) return;
  note(Action::destroy, address_of(pthread_condition));
  const std::array<Access, 1> accesses{Access{object, kind::condition, condition_mode::signal, 0}};
  park({accesses, no_process, false}, true);
  record(Action::destroy, address_of(pthread_condition));
  commit();
  if (!condition(object).waiters.empty()) {
    misuse("destroys a condition variable that threads wait for", pthread_condition);
  }
}

void Runtime::start_waiting(ObjectId object, const Condition::Waiter& waiter) {
  std::vector<Condition::Waiter>& waiters = condition(object).waiters;
  const auto place = std::find_if(
      waiters.begin(), waiters.end(),
      [&](const Condition::Waiter& other) { return index(other.process) > index(waiter.process); });
  waiters.insert(place, waiter);
  if (state_.tracking) state_.tracker.change(waiter_name(object, waiter.process), 0, 1);
}

// Whether nobody has signalled the current process.
bool Runtime::still_waits(ObjectId object) {
  const std::vector<Condition::Waiter>& waiters = condition(object).waiters;
  return std::any_of(waiters.begin(), waiters.end(),
                     [&](const Condition::Waiter& one) { return one.process == current_->id; });
}

// Part of the step that leaves, so once that is committed: what a process is told before belongs to
// its step before.
void Runtime::stop_waiting(ObjectId object) {
  const auto erased = std::erase_if(condition(object).waiters, [&](const Condition::Waiter& one) {
    return one.process == current_->id;
  });
  if (state_.tracking && erased != 0)
    state_.tracker.change(waiter_name(object, current_->id), 1, 0);
  tell(erased);
}

// Two steps: one that starts to wait and releases the mutex, one that holds it again. Between them
// the process cannot move until someone signals it. If it waits for a limited time or may wake up
// for no reason, there is a step in between that stops to wait: the time may be over while somebody
// holds the mutex, and a signal that comes then is not for this process any more.
int Runtime::wait(const void* pthread_condition, pthread_mutex_t* pthread_mutex, int timeout) {
  EngineScope scope;
  const ObjectId lock_object = primitive(pthread_mutex, kind::mutex);
  const ObjectId object = primitive(pthread_condition, kind::condition);
  if (mutex(lock_object).owner != current_->id) {
    fail(FindingKind::misuse, "waits on a condition variable without holding its mutex",
         "wait " + std::to_string(address_of(pthread_condition)));
  }
  const std::uint32_t depth = mutex(lock_object).depth;
  const bool spurious = timeout == 0 && current_->spurious < request_.checks.spurious;
  const std::uint64_t object_pair = fingerprint_of(index(object), index(lock_object)).low;
  const bool in_vain =
      timeout != 0 && goes_round(0, object_pair, 1);  // waits as it has waited before
  const bool timed = (timeout != 0 && !in_vain) || spurious;

  note(Action::wait, address_of(pthread_condition));
  const std::array<Access, 2> start{Access{object, kind::condition, condition_mode::wait, 0},
                                    Access{lock_object, kind::mutex, mutex_mode::unlock, 0}};
  park({start, no_process, false}, true);
  if (RawEvent* event = record(Action::wait, address_of(pthread_condition))) {
    event->second_address = address_of(pthread_mutex);
  }
  const std::array<std::uint64_t, 2> before{value_of_condition(condition(object)),
                                            value_of_mutex(mutex(lock_object))};
  if (timeout != 0) state_.quiet = true;
  commit(before);
  give_back(lock_object);
  start_waiting(object, {current_->id, lock_object, timed});

  const bool alone = timed && wait_for_a_time(object, timeout != 0);
  const std::array<Access, 1> resume{Access{lock_object, kind::mutex, mutex_mode::lock, 0}};
  note(timed ? Action::wake : Action::wait,
       address_of(timed ? static_cast<const void*>(pthread_mutex) : pthread_condition));
  if (timed) {
    wait_for_turn_to_lock(lock_object, resume);
  } else {
    current_->watch.stuck = in_vain;
    if (in_vain) ++state_.spinning;
    park({resume, no_process, false}, false, false);
    if (in_vain) --state_.spinning;
    current_->watch.stuck = false;
  }
  if (RawEvent* event = record(timed ? Action::lock : Action::wake,
                               timed ? address_of(pthread_mutex) : address_of(pthread_condition))) {
    event->second_address = address_of(pthread_mutex);
  }
  if (timed) state_.quiet = true;
  commit();
  take(lock_object);
  mutex(lock_object).depth = depth;
  if (!alone) return 0;
  if (spurious) ++current_->spurious;
  return timeout;
}

// The step that stops to wait. True: nobody has signalled.
bool Runtime::wait_for_a_time(ObjectId object, bool may_time_out) {
  const std::uintptr_t address = objects_[object].address;
  note(Action::timed_wait, address);
  const std::array<Access, 1> leaving{Access{object, kind::condition, condition_mode::leave, 0}};
  park({leaving, no_process, false}, true);
  const bool alone = still_waits(object);
  if (RawEvent* event = record(Action::wake, address)) event->value = alone ? 1 : 0;
  state_.quiet = alone && may_time_out;
  commit();
  stop_waiting(object);
  return alone;
}

void Runtime::move_to_locker(const Condition::Waiter& waiter) {
  if (waiter.timed) return;  // it can move anyway
  run_->release(waiter.process);
  if (waiter.mutex == Condition::no_mutex) {
    run_->enable(waiter.process, true);
    return;
  }
  Mutex& state = mutex(waiter.mutex);
  state.lockers.push_back(waiter.process);
  run_->enable(waiter.process, state.owner == no_process);
  if (recorder_ != nullptr) {
    Process& woken = process(waiter.process);
    woken.action = Action::wake;
    woken.address = objects_[waiter.mutex].address;
  }
}

// In how many ways so many can be chosen out of a number; 0: more than can be told apart.
static std::uint16_t ways_to_choose(std::size_t chosen, std::size_t number) {
  std::uint64_t ways = 1;
  for (std::size_t at = 1; at <= chosen; ++at) {
    ways = ways * (number - chosen + at) / at;
    if (ways > 0xffff) return 0;
  }
  return static_cast<std::uint16_t>(ways);
}

// Whoever is woken by one that wakes some of those who wait is a matter of choice: of each there
// is, in the order of those chosen.
int Runtime::signal(const void* pthread_condition, std::size_t count) {
  EngineScope scope;
  const ObjectId object = primitive(pthread_condition, kind::condition);
  if (alone() || count == 0) return 0;
  const Action action = count > 1 ? Action::broadcast : Action::signal;
  note(action, address_of(pthread_condition));
  const std::array<Access, 1> accesses{Access{object, kind::condition, condition_mode::signal, 0}};
  park({accesses, no_process, false}, true);

  const std::vector<Condition::Waiter> waiters = condition(object).waiters;
  std::vector<Condition::Waiter> woken;
  std::vector<Condition::Waiter> left;
  std::size_t wanted = std::min(count, waiters.size());
  const std::uint16_t choices = ways_to_choose(wanted, waiters.size());
  if (choices == 0) unsupported("a futex that wakes some of so many threads");
  std::size_t choice = std::min<std::size_t>(state_.decision.choice, choices - 1);
  for (std::size_t at = 0; at < waiters.size(); ++at) {
    // Those choices in which this one is woken come first.
    const std::size_t others = waiters.size() - at - 1;
    const std::size_t with = wanted == 0 ? 0 : ways_to_choose(wanted - 1, others);
    if (choice < with) {
      woken.push_back(waiters[at]);
      --wanted;
    } else {
      left.push_back(waiters[at]);
      choice -= with;
    }
  }
  std::vector<ProcessId> released;
  for (const Condition::Waiter& one : woken) {
    if (!one.timed) released.push_back(one.process);
  }
  if (RawEvent* event = record(action, address_of(pthread_condition))) {
    event->value = count > 1 ? woken.size() : (woken.empty() ? 0 : index(woken[0].process) + 1);
  }
  commit({}, choices, released);
  condition(object).waiters = std::move(left);
  for (const Condition::Waiter& one : woken) {
    if (state_.tracking) state_.tracker.change(waiter_name(object, one.process), 1, 0);
    move_to_locker(one);
  }
  tell(woken.size());
  return static_cast<int>(woken.size());
}

int Runtime::wait_on_futex(std::uint32_t* word, std::uint32_t value, bool timed) {
  EngineScope scope;
  const ObjectId object = object_for(address_of(word), kind::condition);
  arrive(address_of(word), value);
  note(Action::futex_wait, address_of(word));
  scratch_.clear();
  scratch_.push_back({object, kind::condition, condition_mode::wait, 0});
  cells_.for_each(address_of(word), sizeof *word, [&](ObjectId cell) {
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
  tell(*word);
  watch_read(address_of(word), sizeof *word);
  if (!waits) return EAGAIN;
  start_waiting(object, {current_->id, Condition::no_mutex, timed});
  note(timed ? Action::timed_wait : Action::wait, address_of(word));
  const std::array<Access, 1> leaving{Access{object, kind::condition, condition_mode::leave, 0}};
  park({timed ? std::span<const Access>(leaving) : std::span<const Access>{}, no_process, false},
       timed, timed);
  const bool alone = timed && still_waits(object);
  if (RawEvent* event = record(Action::futex_wake, address_of(word))) event->value = alone ? 1 : 0;
  state_.quiet = alone;
  commit();
  if (timed) stop_waiting(object);
  return alone ? ETIMEDOUT : 0;
}

}  // namespace mazurka::threads
