// Latches of the program.
#pragma once

#include <cstddef>
#include <optional>

#include "programs/threads/runtime/memory_model/weak_memory.hpp"
#include "programs/threads/runtime/primitives/latch.hpp"
#include "programs/threads/runtime/primitives/primitive.hpp"

namespace mazurka::threads {

class Latches : public Primitive {
 public:
  Latches(Scheduler& scheduler, Watchers watchers, const WeakMemory& weak_memory)
      : Primitive(scheduler, watchers), weak_memory_(weak_memory) {}

  // One is named by where it keeps the number that it was made with. One that is initialised before
  // the program begins is first seen when it is used.
  void set_up(const std::ptrdiff_t* address);
  // False, or nothing: the library's code is to do it.
  bool count_down(const std::ptrdiff_t* address, std::ptrdiff_t times);
  bool wait(const std::ptrdiff_t* address);
  /// Whether it is open.
  std::optional<bool> look(const std::ptrdiff_t* address);

 private:
  const WeakMemory& weak_memory_;

  Latch& of(ObjectId object, const std::ptrdiff_t* address);
  void enable_waiting(const Latch& state);
};

}  // namespace mazurka::threads
