// Condition variables of the program; words that are waited on alike are in futexes.hpp.
#pragma once

#include <pthread.h>

#include "programs/threads/runtime/memory_model/weak_memory.hpp"
#include "programs/threads/runtime/primitives/condition.hpp"
#include "programs/threads/runtime/primitives/mutexes.hpp"
#include "programs/threads/runtime/primitives/primitive.hpp"

namespace mazurka::threads {

class Conditions : public Primitive {
 public:
  Conditions(Scheduler& scheduler, Watchers watchers, Mutexes& mutexes, WeakMemory& weak_memory)
      : Primitive(scheduler, watchers), mutexes_(mutexes), weak_memory_(weak_memory) {}
  static constexpr std::size_t everybody = ~std::size_t{0};

  void set_up(const void* condition);
  void destroy(const void* condition);
  /// Returns 0, or `timeout` if that is not 0 and the wait ended without a signal.
  int wait(const void* condition, pthread_mutex_t* mutex, int timeout);
  int signal(const void* condition, std::size_t count);
  /// The same for those who wait at a word. Its memory is not touched.
  int wake_at_word(const std::uint32_t* word, std::size_t count);
  /// Looks at a word, and waits if it has the value, as one step: 0, EAGAIN, or ETIMEDOUT if it is
  /// `timed`.
  int wait_on_word(std::uint32_t* word, std::uint32_t value, bool timed);
  /// Part of the step that was committed last: waits at the word until somebody signals.
  int sleep(const std::uint32_t* word, bool timed);

 private:
  [[nodiscard]] Condition& of(ObjectId object) { return state_.conditions[object]; }
  int signal_object(ObjectId object, const void* condition, std::size_t count);
  void start_waiting(ObjectId object, const Condition::Waiter& waiter);
  void stop_waiting(ObjectId object);
  [[nodiscard]] bool wait_for_a_time(ObjectId object, bool may_time_out);
  void hold_again(ObjectId lock, bool timed, bool in_vain);
  void wake(const Condition::Waiter& waiter);

  Mutexes& mutexes_;
  WeakMemory& weak_memory_;
  std::vector<Access> scratch_;
};

}  // namespace mazurka::threads
