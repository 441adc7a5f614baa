#include "programs/threads/runtime/primitives/mutexes.hpp"

#include <cerrno>

namespace mazurka::threads {

namespace {

// The kind of a mutex, as its static initialiser or pthread_mutex_init wrote it.
int type_of(const pthread_mutex_t* mutex) { return mutex->__data.__kind & 3; }

// What pthread_mutex_destroy leaves there, as the C library's does.
constexpr std::uint32_t destroyed = 0xffff'ffff;
bool was_destroyed(const pthread_mutex_t* mutex) {
  return static_cast<std::uint32_t>(mutex->__data.__kind) == destroyed;
}

}  // namespace

void Mutexes::refuse_destroyed(const pthread_mutex_t* mutex) {
  if (!was_destroyed(mutex)) return;
  fail(FindingKind::misuse, "uses a mutex that was destroyed",
       "destroyed " + std::to_string(address_of(mutex)));
}

void Mutexes::enable_waiting(const Mutex& state) {
  for (const ProcessId other : state.waiting()) run().enable(other, state.is_free());
}

void Mutexes::take(ObjectId object, std::uint32_t depth) {
  Mutex& state = of(object);
  if (state_.tracking) {
    state_.tracker.change(index(object), 0, index(self().id) + 1);
    state_.firm_order.take(self().id, object);
  }
  state.take(self().id, self().knowledge.now, depth);
  self().watch.take_mutex(fingerprint_of(index(object), 1).low);
  enable_waiting(state);
}

void Mutexes::give_back(ObjectId object) {
  Mutex& state = of(object);
  if (state_.tracking) {
    state_.tracker.change(index(object), index(self().id) + 1, 0);
    state_.firm_order.give_back(self().id, object);
  }
  state.give_back(self().id, self().knowledge.now);
  self().watch.give_back_mutex(fingerprint_of(index(object), 1).low);
  enable_waiting(state);
}

void Mutexes::wait_for_turn(ObjectId object, std::span<const Access> accesses) {
  Mutex& state = of(object);
  state.wait(self().id);
  park({accesses, no_process, false}, state.is_free());
}

int Mutexes::lock(pthread_mutex_t* mutex) {
  EngineScope scope;
  const ObjectId object = object_at(mutex, kind::mutex);
  Mutex& state = of(object);
  spins_.arrive(address_of(mutex));
  if (state.owner() == self().id) {
    if (type_of(mutex) == PTHREAD_MUTEX_RECURSIVE) {
      state.lock_again();
      self().watch.progress();
      return 0;
    }
    if (type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  }
  Step step(scheduler_, Action::lock, address_of(mutex), !alone() || !state.is_free());
  if (step.visible()) state.wait(self().id);
  step.await(Mutex::access(object, mutex_mode::lock), state.is_free());
  step.record();
  state_.quiet = step.visible();
  step.commit();
  if (was_destroyed(mutex)) of(object).stop_waiting(self().id);  // it never moves again
  refuse_destroyed(mutex);
  spins_.watch_passing(object, gate_wish::alone);
  take(object);
  return 0;
}

int Mutexes::try_lock(pthread_mutex_t* mutex, bool for_a_time) {
  EngineScope scope;
  const ObjectId object = object_at(mutex, kind::mutex);
  spins_.arrive(address_of(mutex));
  if (of(object).owner() == self().id) {
    if (for_a_time && type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
    if (type_of(mutex) != PTHREAD_MUTEX_RECURSIVE) return EBUSY;
    of(object).lock_again();
    self().watch.progress();
    return 0;
  }
  Step step(scheduler_, Action::try_lock, address_of(mutex), !alone());
  step.await(Mutex::access(object, mutex_mode::try_lock));
  const Mutex& state = of(object);
  const bool busy = !state.is_free();
  if (RawEvent* event = step.record()) event->value = busy ? 0 : 1;
  if (step.visible()) {
    state_.quiet = busy;
    step.commit(
        state.value(),
        busy ? scheduler_.turned_out(mutex_mode::try_lock, mutex_mode::found_held) : Footprint{});
  }
  refuse_destroyed(mutex);
  tell(busy ? 0 : 1);
  if (busy) {
    spins_.notice_holder(state.owner());
    spins_.watch_object(object);
    return EBUSY;
  }
  self().watch.progress();
  take(object);
  return 0;
}

int Mutexes::unlock(pthread_mutex_t* mutex) {
  EngineScope scope;
  const ObjectId object = object_at(mutex, kind::mutex);
  Mutex& state = of(object);
  if (state.owner() != self().id) {
    refuse_destroyed(mutex);
    if (type_of(mutex) == PTHREAD_MUTEX_RECURSIVE || type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK) {
      return EPERM;
    }
    fail(FindingKind::misuse, "unlocks a mutex that it does not hold",
         "unlock " + std::to_string(address_of(mutex)));
  }
  if (state.depth() > 1) {
    state.unlock_inner();
    self().watch.progress();
    return 0;
  }
  Step step(scheduler_, Action::unlock, address_of(mutex), !alone());
  step.await(Mutex::access(object, mutex_mode::unlock));
  step.record();
  state_.quiet = step.visible();
  step.commit(of(object).value());
  give_back(object);
  return 0;
}

int Mutexes::destroy(pthread_mutex_t* mutex) {
  EngineScope scope;
  const ObjectId object = object_at(mutex, kind::mutex);
  own(Action::destroy, mutex, Mutex::access(object, mutex_mode::unlock));
  if (!of(object).is_free()) {
    fail(FindingKind::misuse, "destroys a mutex that is locked",
         "destroy " + std::to_string(address_of(mutex)));
  }
  refuse_destroyed(mutex);
  write_word(&mutex->__data.__kind, destroyed);
  return 0;
}

// Who has come to a lock of it that is free waits for nothing yet: that one locks what is new.
void Mutexes::set_up(pthread_mutex_t* mutex, int type) {
  EngineScope scope;
  const ObjectId object = object_at(mutex, kind::mutex);
  own(Action::set_up, mutex, Mutex::access(object, mutex_mode::unlock));
  Mutex& state = of(object);
  if (!state.is_free()) {
    if (!state.waiting().empty()) misuse("initialises a mutex that threads wait for", mutex);
    if (!may_be_left_over(mutex)) misuse("initialises a mutex that is locked", mutex);
    if (state_.tracking) state_.tracker.change(index(object), state.value(), mutex_free);
  }
  state.set_up();
  // Nothing but its kind is kept in the object itself: the type that the program was compiled with
  // may be smaller than the C library's.
  write_word(&mutex->__data.__kind, static_cast<std::uint32_t>(type));
  enable_waiting(state);
}

}  // namespace mazurka::threads
