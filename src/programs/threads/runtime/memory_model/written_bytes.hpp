// What of stacks and heap blocks has never been written (--uninitialised).
//
// Fresh blocks are filled with a pattern; so are, by the compiler, local variables when they come
// into being (-ftrivial-auto-var-init=pattern). Who reads the pattern reads what nobody has
// written. A program may write the same itself: of blocks there is a bit for each byte that tells;
// of a local variable, which the compiler's own write to it looks like, the pattern alone does, if
// it is long enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

/// For hooks: one look decides whether there is anything to do.
extern bool watches_written_bytes;

class WrittenBytes : public Part {
 public:
  explicit WrittenBytes(Scheduler& scheduler) : Part(scheduler) {
    watches_written_bytes = request_.checks.uninitialised;
  }

  /// The block comes into being.
  void begin(std::uintptr_t address, std::size_t size);
  void write(std::uintptr_t address, std::size_t size);
  /// One variable is read, at `code`.
  void read(std::uintptr_t address, std::size_t size, const void* code);

 private:
  [[nodiscard]] std::uint8_t* bits_at(std::uintptr_t address);

  std::vector<std::uint8_t*> bits_;  // of each slot
};

}  // namespace mazurka::threads
