// Mutexes, and what all primitives have in common.
#include <algorithm>
#include <cerrno>

#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

namespace {

std::uintptr_t address_of(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

// The kind of a mutex, as its static initialiser or pthread_mutex_init wrote it.
int type_of(const pthread_mutex_t* mutex) { return mutex->__data.__kind & 3; }

// What pthread_mutex_destroy leaves there, as the C library's does.
constexpr int destroyed = -1;

}  // namespace

ObjectId Runtime::object_for(std::uintptr_t address, std::uint8_t kind) {
  std::uint32_t& known = named_[kind][address];
  if (known == 0) known = static_cast<std::uint32_t>(index(objects_.add(address, kind))) + 1;
  return ObjectId{known - 1};
}

ObjectId Runtime::primitive(const void* address, std::uint8_t kind) {
  check_heap(address_of(address), sizeof(int), true, __builtin_return_address(0));
  (void)*static_cast<const volatile char*>(address);  // crashes here if there is no such memory
  if (judges_races_ && !alone() && request_.checks.races && current_->ignored == 0) {
    judge_races(address_of(address), sizeof(int), AccessKind::atomic_read,
                __builtin_return_address(0), true);
  } else if (!racy() && !alone() && request_.checks.races && current_->ignored == 0 &&
             !state_.races.access(current_->id, current_->knowledge.now, address_of(address),
                                  sizeof(int), AccessKind::atomic_read)) {
    if (RawEvent* event = record(Action::read, address_of(address), sizeof(int))) {
      event->flags |= flag_plain;
    }
    report_race(address_of(address), sizeof(int), AccessKind::atomic_read,
                __builtin_return_address(0));
  }
  return object_for(address_of(address), kind);
}

void Runtime::own_primitive(const void* address, const void* code) {
  EngineScope scope;
  if (racy() || alone() || state_.section != Section::none) return;
  if (RawEvent* event = record(Action::write, address_of(address), sizeof(int))) {
    event->flags |= flag_plain;
  }
  if (judges_races_ && request_.checks.races && current_->ignored == 0) {
    judge_races(address_of(address), sizeof(int), AccessKind::write, code, true);
  } else {
    check_race(address_of(address), sizeof(int), AccessKind::write, code);
  }
}

void Runtime::refuse_destroyed(const pthread_mutex_t* mutex) {
  if (mutex->__data.__kind != destroyed) return;
  fail(FindingKind::misuse, "uses a mutex that was destroyed",
       "destroyed " + std::to_string(address_of(mutex)));
}

Mutex& Runtime::mutex(ObjectId object) { return state_.mutexes[object]; }

// It could have been another way, had the holder not held it then: a round of a waiting loop in
// which it did can not be left out. But if both hold something and give way to each other, that may
// go on for ever.
void Runtime::notice_holder(ProcessId holder) {
  SpinWatch& watch = process(holder).watch;
  ++(current_->watch.locks == 0 ? watch.noticed : watch.jostled);
}

// The current process owns the mutex from now on; whoever is parked at a lock cannot move.
void Runtime::take(ObjectId object) {
  Mutex& state = mutex(object);
  std::erase(state.lockers, current_->id);
  if (state_.tracking) state_.tracker.change(index(object), 0, index(current_->id) + 1);
  state.owner = current_->id;
  state.depth = 1;
  current_->watch.take_lock(fingerprint_of(index(object), 1).low);
  current_->knowledge.now.join(state.released);
  for (const ProcessId other : state.lockers) run_->enable(other, false);
}

void Runtime::give_back(ObjectId object) {
  Mutex& state = mutex(object);
  if (state_.tracking) state_.tracker.change(index(object), index(current_->id) + 1, 0);
  state.owner = no_process;
  state.depth = 0;
  current_->watch.give_back_lock(fingerprint_of(index(object), 1).low);
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
  const ObjectId object = primitive(pthread_mutex, kind::mutex);
  Mutex& known = mutex(object);
  arrive(address_of(pthread_mutex));
  if (known.owner == current_->id) {
    if (type_of(pthread_mutex) == PTHREAD_MUTEX_RECURSIVE) {
      ++known.depth;
      current_->watch.progress();
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
  if (visible) {
    state_.quiet = true;
    commit();
  }
  refuse_destroyed(pthread_mutex);
  watch_passing(object, gate_wish::alone);
  take(object);
  return 0;
}

int Runtime::try_lock(pthread_mutex_t* pthread_mutex, bool for_a_time) {
  EngineScope scope;
  const ObjectId object = primitive(pthread_mutex, kind::mutex);
  arrive(address_of(pthread_mutex));
  if (mutex(object).owner == current_->id) {
    if (for_a_time && type_of(pthread_mutex) == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
    if (type_of(pthread_mutex) != PTHREAD_MUTEX_RECURSIVE) return EBUSY;
    ++mutex(object).depth;
    current_->watch.progress();
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
    state_.quiet = busy;
    commit(before, 1, {},
           busy ? in_vain(mutex_mode::try_lock, mutex_mode::found_held) : Footprint{});
  }
  refuse_destroyed(pthread_mutex);
  tell(busy ? 0 : 1);
  if (busy) {
    notice_holder(state.owner);
    watch_object(object);
    return EBUSY;
  }
  current_->watch.progress();
  take(object);
  return 0;
}

int Runtime::unlock(pthread_mutex_t* pthread_mutex) {
  EngineScope scope;
  const ObjectId object = primitive(pthread_mutex, kind::mutex);
  Mutex& known = mutex(object);
  if (known.owner != current_->id) {
    refuse_destroyed(pthread_mutex);
    if (type_of(pthread_mutex) == PTHREAD_MUTEX_RECURSIVE ||
        type_of(pthread_mutex) == PTHREAD_MUTEX_ERRORCHECK) {
      return EPERM;
    }
    fail(FindingKind::misuse, "unlocks a mutex that it does not hold",
         "unlock " + std::to_string(address_of(pthread_mutex)));
  }
  if (known.depth > 1) {
    --known.depth;
    current_->watch.progress();
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
    state_.quiet = true;
    commit(before);
  }
  give_back(object);
  return 0;
}

int Runtime::destroy_mutex(pthread_mutex_t* pthread_mutex) {
  EngineScope scope;
  const ObjectId object = primitive(pthread_mutex, kind::mutex);
  if (!alone()) {
    note(Action::destroy, address_of(pthread_mutex));
    const std::array<Access, 1> accesses{Access{object, kind::mutex, mutex_mode::unlock, 0}};
    park({accesses, no_process, false}, true);
    record(Action::destroy, address_of(pthread_mutex));
    const std::array<std::uint64_t, 1> before{value_of_mutex(mutex(object))};
    commit(before);
  }
  if (mutex(object).owner != no_process) {
    fail(FindingKind::misuse, "destroys a mutex that is locked",
         "destroy " + std::to_string(address_of(pthread_mutex)));
  }
  refuse_destroyed(pthread_mutex);
  pthread_mutex->__data.__kind = destroyed;
  return 0;
}

void Runtime::forget_mutex(pthread_mutex_t* pthread_mutex) {
  EngineScope scope;
  const ObjectId object = object_for(address_of(pthread_mutex), kind::mutex);
  const Mutex& state = mutex(object);
  if (!state.lockers.empty()) misuse("initialises a mutex that threads wait for", pthread_mutex);
  if (state.owner != no_process && !may_be_left_over(pthread_mutex)) {
    misuse("initialises a mutex that is locked", pthread_mutex);
  }
  state_.mutexes.erase(object);
}

}  // namespace mazurka::threads
