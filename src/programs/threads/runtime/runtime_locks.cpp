// Mutexes, condition variables, and the initialisation of static variables.
#include <algorithm>
#include <cerrno>

#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

namespace {

std::uintptr_t address_of(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

// The kind of a mutex, as its static initialiser or pthread_mutex_init wrote it.
int type_of(const pthread_mutex_t* mutex) { return mutex->__data.__kind & 3; }

std::uint64_t value_of_mutex(const Mutex& state) {
  return state.owner == no_process ? mutex_free : index(state.owner) + 1;
}

// Names of parts of the state, for its fingerprint.
constexpr std::uint64_t done_part = std::uint64_t{1} << 40;
constexpr std::uint64_t waiter_part = std::uint64_t{1} << 41;
std::uint64_t waiter_name(ObjectId condition, ProcessId process) {
  return waiter_part | static_cast<std::uint64_t>(index(condition)) << 16 | index(process);
}

}  // namespace

std::uint64_t Runtime::name_of(const Mutex& state) const {
  return static_cast<std::uint64_t>(&state - mutexes_.data());
}

ObjectId Runtime::object_for(std::uintptr_t address, std::uint8_t kind) {
  std::uint32_t& known = named_[kind][address];
  if (known == 0) known = static_cast<std::uint32_t>(index(objects_.add(address, kind))) + 1;
  return ObjectId{known - 1};
}

Mutex& Runtime::mutex(ObjectId object) {
  if (mutexes_.size() <= index(object)) mutexes_.resize(index(object) + 1);
  Mutex& state = mutexes_[index(object)];
  if (state.execution != execution_) {
    state.execution = execution_;
    state.owner = no_process;
    state.depth = 0;
    state.done = false;
    state.lockers.clear();
    state.released.clear();
  }
  return state;
}

Condition& Runtime::condition(ObjectId object) {
  if (conditions_.size() <= index(object)) conditions_.resize(index(object) + 1);
  Condition& state = conditions_[index(object)];
  if (state.execution != execution_) {
    state.execution = execution_;
    state.waiters.clear();
  }
  return state;
}

// The current process owns the mutex from now on; whoever is parked at a lock cannot move.
void Runtime::take(Mutex& state) {
  std::erase(state.lockers, current_->id);
  if (tracking_) states_.change(name_of(state), 0, index(current_->id) + 1);
  state.owner = current_->id;
  state.depth = 1;
  current_->knowledge.now.join(state.released);
  for (const ProcessId other : state.lockers) run_->enable(other, false);
}

void Runtime::give_back(Mutex& state) {
  if (tracking_) states_.change(name_of(state), index(current_->id) + 1, 0);
  state.owner = no_process;
  state.depth = 0;
  state.released.assign(current_->knowledge.now);
  current_->knowledge.now.tick(current_->id);
  for (const ProcessId other : state.lockers) run_->enable(other, true);
}

void Runtime::wait_for_turn_to_lock(ObjectId object, std::span<const Access> accesses) {
  Mutex& state = mutex(object);
  state.lockers.push_back(current_->id);
  park({accesses, no_process, false}, state.owner == no_process);
}

int Runtime::lock(pthread_mutex_t* pthread_mutex) {
  EngineScope scope;
  const ObjectId object = object_for(address_of(pthread_mutex), kind::mutex);
  Mutex& known = mutex(object);
  if (known.owner == current_->id) {
    if (type_of(pthread_mutex) == PTHREAD_MUTEX_RECURSIVE) {
      ++known.depth;
      return 0;
    }
    if (type_of(pthread_mutex) == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  }
  const bool visible = !alone() || known.owner != no_process;
  if (visible) {
    note(Action::lock, address_of(pthread_mutex));
    const std::array<Access, 1> accesses{Access{object, kind::mutex, mutex_mode::lock, 0}};
    wait_for_turn_to_lock(object, accesses);
  }
  if (RawEvent* event = record(Action::lock, address_of(pthread_mutex)); event && !visible) {
    event->flags |= flag_plain;
  }
  if (visible) commit();
  take(mutex(object));
  return 0;
}

int Runtime::try_lock(pthread_mutex_t* pthread_mutex) {
  EngineScope scope;
  const ObjectId object = object_for(address_of(pthread_mutex), kind::mutex);
  if (mutex(object).owner == current_->id) {
    if (type_of(pthread_mutex) != PTHREAD_MUTEX_RECURSIVE) return EBUSY;
    ++mutex(object).depth;
    return 0;
  }
  const bool visible = !alone();
  if (visible) {
    note(Action::try_lock, address_of(pthread_mutex));
    const std::array<Access, 1> accesses{Access{object, kind::mutex, mutex_mode::try_lock, 0}};
    park({accesses, no_process, false}, true);
  }
  Mutex& state = mutex(object);
  const bool busy = state.owner != no_process;
  if (RawEvent* event = record(Action::try_lock, address_of(pthread_mutex))) {
    event->value = busy ? 0 : 1;
    if (!visible) event->flags |= flag_plain;
  }
  if (visible) {
    const std::array<std::uint64_t, 1> before{value_of_mutex(state)};
    commit(before);
  }
  if (tracking_) states_.tell(current_->id, busy ? 0 : 1);
  if (busy) return EBUSY;
  take(state);
  return 0;
}

int Runtime::unlock(pthread_mutex_t* pthread_mutex) {
  EngineScope scope;
  const ObjectId object = object_for(address_of(pthread_mutex), kind::mutex);
  Mutex& known = mutex(object);
  if (known.owner != current_->id) {
    if (type_of(pthread_mutex) == PTHREAD_MUTEX_RECURSIVE ||
        type_of(pthread_mutex) == PTHREAD_MUTEX_ERRORCHECK) {
      return EPERM;
    }
    fail(FindingKind::misuse, "unlocks a mutex that it does not hold",
         "unlock " + std::to_string(address_of(pthread_mutex)));
  }
  if (known.depth > 1) {
    --known.depth;
    return 0;
  }
  const bool visible = !alone();
  if (visible) {
    note(Action::unlock, address_of(pthread_mutex));
    const std::array<Access, 1> accesses{Access{object, kind::mutex, mutex_mode::unlock, 0}};
    park({accesses, no_process, false}, true);
  }
  if (RawEvent* event = record(Action::unlock, address_of(pthread_mutex)); event && !visible) {
    event->flags |= flag_plain;
  }
  Mutex& state = mutex(object);
  if (visible) {
    const std::array<std::uint64_t, 1> before{value_of_mutex(state)};
    commit(before);
  }
  give_back(state);
  return 0;
}

void Runtime::forget_mutex(pthread_mutex_t* pthread_mutex) {
  EngineScope scope;
  Mutex& state = mutex(object_for(address_of(pthread_mutex), kind::mutex));
  if (state.lockers.empty()) state.execution = 0;
}

// Two steps: one that starts to wait and releases the mutex, one that holds it again. Between them
// the process cannot move until someone signals it.
int Runtime::wait(pthread_cond_t* pthread_condition, pthread_mutex_t* pthread_mutex) {
  EngineScope scope;
  const ObjectId lock_object = object_for(address_of(pthread_mutex), kind::mutex);
  const ObjectId object = object_for(address_of(pthread_condition), kind::condition);
  if (mutex(lock_object).owner != current_->id) {
    fail(FindingKind::misuse, "waits on a condition variable without holding its mutex",
         "wait " + std::to_string(address_of(pthread_condition)));
  }
  const std::uint32_t depth = mutex(lock_object).depth;

  note(Action::wait, address_of(pthread_condition));
  const std::array<Access, 2> start{Access{object, kind::condition, condition_mode::wait, 0},
                                    Access{lock_object, kind::mutex, mutex_mode::unlock, 0}};
  park({start, no_process, false}, true);
  if (RawEvent* event = record(Action::wait, address_of(pthread_condition))) {
    event->second_address = address_of(pthread_mutex);
  }
  const std::array<std::uint64_t, 2> before{0, value_of_mutex(mutex(lock_object))};
  commit(before);
  give_back(mutex(lock_object));
  std::vector<Condition::Waiter>& waiters = condition(object).waiters;
  const auto place = std::find_if(
      waiters.begin(), waiters.end(),
      [&](const Condition::Waiter& other) { return index(other.process) > index(current_->id); });
  waiters.insert(place, {current_->id, lock_object});
  if (tracking_) states_.change(waiter_name(object, current_->id), 0, 1);

  note(Action::wait, address_of(pthread_condition));
  const std::array<Access, 1> resume{Access{lock_object, kind::mutex, mutex_mode::lock, 0}};
  park({resume, no_process, false}, false, false);
  if (RawEvent* event = record(Action::wake, address_of(pthread_condition))) {
    event->second_address = address_of(pthread_mutex);
  }
  commit();
  take(mutex(lock_object));
  mutex(lock_object).depth = depth;
  return 0;
}

void Runtime::move_to_locker(const Condition::Waiter& waiter) {
  Mutex& state = mutex(waiter.mutex);
  state.lockers.push_back(waiter.process);
  run_->release(waiter.process);
  run_->enable(waiter.process, state.owner == no_process);
  if (recorder_ != nullptr) {
    Process& woken = process(waiter.process);
    woken.action = Action::wake;
    woken.address = objects_[waiter.mutex].address;
  }
}

int Runtime::signal(pthread_cond_t* pthread_condition, bool all) {
  EngineScope scope;
  if (alone()) return 0;
  const ObjectId object = object_for(address_of(pthread_condition), kind::condition);
  const Action action = all ? Action::broadcast : Action::signal;
  note(action, address_of(pthread_condition));
  const std::array<Access, 1> accesses{Access{object, kind::condition, condition_mode::signal, 0}};
  park({accesses, no_process, false}, true);

  std::vector<Condition::Waiter>& waiters = condition(object).waiters;
  std::vector<Condition::Waiter> woken;
  std::uint16_t choices = 1;
  if (all) {
    woken.swap(waiters);
  } else if (!waiters.empty()) {
    choices = static_cast<std::uint16_t>(waiters.size());
    const std::size_t chosen = std::min<std::size_t>(decision_.choice, waiters.size() - 1);
    woken.push_back(waiters[chosen]);
    waiters.erase(waiters.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  std::vector<ProcessId> released;
  for (const Condition::Waiter& one : woken) released.push_back(one.process);
  if (RawEvent* event = record(action, address_of(pthread_condition))) {
    event->value = all ? released.size() : (released.empty() ? 0 : index(released[0]) + 1);
  }
  commit({}, choices, released);
  for (const Condition::Waiter& one : woken) {
    if (tracking_) states_.change(waiter_name(object, one.process), 1, 0);
    move_to_locker(one);
  }
  return 0;
}

bool Runtime::begin_static(std::uintptr_t address, std::size_t size, Action action) {
  EngineScope scope;
  const ObjectId object = object_for(address, kind::mutex);
  const bool visible = !alone() || mutex(object).owner != no_process;
  if (visible) {
    note(action, address);
    scratch_.clear();
    scratch_.push_back({object, kind::mutex, mutex_mode::lock, 0});
    cells_.for_each(address, size, [&](ObjectId cell) {
      scratch_.push_back({cell, kind::memory, memory_mode::read, 0});
    });
    wait_for_turn_to_lock(object, scratch_);
    record(action, address);
    commit();
  }
  Mutex& state = mutex(object);
  if (tracking_) states_.tell(current_->id, state.done ? 1 : 0);
  if (state.done) {  // someone else has initialised it meanwhile
    std::erase(state.lockers, current_->id);
    current_->knowledge.now.join(state.released);
    return false;
  }
  take(state);
  return true;
}

void Runtime::end_static(std::uintptr_t address, std::size_t size, bool initialised) {
  EngineScope scope;
  const ObjectId object = object_for(address, kind::mutex);
  if (!alone()) {
    note(Action::static_end, address);
    scratch_.clear();
    scratch_.push_back({object, kind::mutex, mutex_mode::unlock, 0});
    cells_.for_each(address, size, [&](ObjectId cell) {
      scratch_.push_back({cell, kind::memory, memory_mode::write, 0});
    });
    park({scratch_, no_process, false}, true);
    record(Action::static_end, address);
    const std::array<std::uint64_t, 1> before{value_of_mutex(mutex(object))};
    commit(before);
  }
  Mutex& state = mutex(object);
  if (tracking_)
    states_.change(name_of(state) + done_part, state.done ? 1 : 0, initialised ? 1 : 0);
  state.done = initialised;
  // Compiled code checks the flag by an atomic read before it ever comes here.
  atomic_cell(address).released.assign(current_->knowledge.now);
  give_back(state);
}

}  // namespace mazurka::threads
