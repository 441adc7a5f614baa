// Mutexes of the program.
#pragma once

#include <pthread.h>

#include <span>

#include "programs/threads/runtime/primitives/mutex.hpp"
#include "programs/threads/runtime/primitives/primitive.hpp"

namespace mazurka::threads {

class Mutexes : public Primitive {
 public:
  Mutexes(Scheduler& scheduler, Watchers watchers) : Primitive(scheduler, watchers) {}

  int lock(pthread_mutex_t* mutex);
  /// `for_a_time`: as pthread_mutex_timedlock does.
  int try_lock(pthread_mutex_t* mutex, bool for_a_time = false);
  int unlock(pthread_mutex_t* mutex);
  int destroy(pthread_mutex_t* mutex);
  /// It is initialised, and is of this type: whatever was there is gone.
  void set_up(pthread_mutex_t* mutex, int type);

  // For what locks a mutex, too.
  [[nodiscard]] Mutex& of(ObjectId object) { return state_.mutexes[object]; }
  /// Parks before a step that locks it, until that is this process's turn.
  void wait_for_turn(ObjectId object, std::span<const Access> accesses);
  /// The current process owns the mutex from now on; whoever is parked at a lock cannot move.
  void take(ObjectId object, std::uint32_t depth = 1);
  void give_back(ObjectId object);
  /// Whoever is parked at a lock can move, or not.
  void enable_waiting(const Mutex& state);

 private:
  void refuse_destroyed(const pthread_mutex_t* mutex);
};

}  // namespace mazurka::threads
