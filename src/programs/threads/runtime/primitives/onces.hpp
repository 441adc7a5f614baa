// What is initialised once: static variables of functions, pthread_once.
#pragma once

#include <cstdint>
#include <vector>

#include "programs/threads/runtime/memory_model/atomics.hpp"
#include "programs/threads/runtime/part.hpp"
#include "programs/threads/runtime/primitives/mutexes.hpp"

namespace mazurka::threads {

class Onces : public Part {
 public:
  Onces(Scheduler& scheduler, Mutexes& mutexes, Atomics& atomics)
      : Part(scheduler), mutexes_(mutexes), atomics_(atomics) {}

  /// True if the caller must run the initialiser. `always`: it asks each time, also when it has
  /// run; those who ask then do not disturb each other.
  bool begin(std::uintptr_t address, std::size_t size, Action action, bool always = false);
  void end(std::uintptr_t address, std::size_t size, bool initialised);

 private:
  /// A step on the guard and on the flag that compiled code looks at.
  [[nodiscard]] std::span<const Access> accesses(ObjectId object, std::uint8_t mode,
                                                 std::uintptr_t address, std::size_t size,
                                                 std::uint8_t memory_mode);

  Mutexes& mutexes_;
  Atomics& atomics_;
  std::vector<Access> scratch_;
};

}  // namespace mazurka::threads
