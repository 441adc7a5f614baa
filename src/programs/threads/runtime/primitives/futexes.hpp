// Futexes of the program: whoever finds a value in a word waits until somebody wakes it.
//
// The system looks at the word and begins to wait as one step (Conditions). Where graphs are
// explored under weak memory, the word is a variable of the graph, and what is found there an
// outcome like any other. So there the system's own lock is seen: a wait takes it, passes a
// barrier, looks, and gives it back as it begins to wait; a wake takes it and passes a barrier,
// too. The barriers come in the order of the lock: who looks after a wake does not find what was
// there before what the waker wrote. But the lock is the system's, not the program's: it orders no
// plain accesses.
#pragma once

#include <cstddef>
#include <cstdint>

#include "programs/threads/runtime/memory_model/atomics.hpp"
#include "programs/threads/runtime/memory_model/weak_memory.hpp"
#include "programs/threads/runtime/primitives/conditions.hpp"
#include "programs/threads/runtime/primitives/mutexes.hpp"
#include "programs/threads/runtime/primitives/primitive.hpp"

namespace mazurka::threads {

class Futexes : public Primitive {
 public:
  struct Others {
    Mutexes& mutexes;
    Conditions& conditions;
    Atomics& atomics;
    WeakMemory& weak_memory;
  };
  Futexes(Scheduler& scheduler, Watchers watchers, const Others& others)
      : Primitive(scheduler, watchers), others_(others) {}

  /// Waits if the word has the value: 0, EAGAIN, or ETIMEDOUT if it is `timed`.
  int wait(std::uint32_t* word, std::uint32_t value, bool timed);
  /// How many it has woken.
  int wake(std::uint32_t* word, std::size_t count);

 private:
  [[nodiscard]] bool is_locked() const;
  [[nodiscard]] ObjectId lock_of(const std::uint32_t* word);
  void lock(std::uint32_t* word);
  void unlock(std::uint32_t* word);
  void give_back(ObjectId lock);
  [[nodiscard]] VectorClock& learns();
  [[nodiscard]] std::uint32_t look(std::uint32_t* word);

  Others others_;
  VectorClock nothing_;
};

}  // namespace mazurka::threads
