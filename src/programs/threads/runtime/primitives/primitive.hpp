// What all primitives have in common: they lie in memory that the program may use, and they must
// not be used in certain ways.
#pragma once

#include <cstdint>
#include <string>

#include "programs/threads/runtime/loops/spin_recognition.hpp"
#include "programs/threads/runtime/memory_model/heap_checks.hpp"
#include "programs/threads/runtime/memory_model/races.hpp"
#include "programs/threads/runtime/part.hpp"
#include "programs/threads/runtime/primitives/step.hpp"

namespace mazurka::threads {

/// What watches over memory and over those who wait.
struct Watchers {
  SpinRecognition& spins;
  Races& races;
  HeapChecks& heap;
};

class Primitive : public Part {
 protected:
  using Step = PrimitiveStep<Scheduler>;

  Primitive(Scheduler& scheduler, Watchers watchers)
      : Part(scheduler), spins_(watchers.spins), watchers_(watchers) {}
  ~Primitive() = default;

  /// A primitive that the program uses: it must lie in memory that can be used.
  [[nodiscard]] ObjectId object_at(const void* address, std::uint8_t kind);

  [[noreturn]] void misuse(const std::string& message, const void* address) {
    fail(FindingKind::misuse, message, message + " " + std::to_string(address_of(address)));
  }

  /// Whether an object may have been left as it is by something that is gone: memory of a stack is
  /// used again without a word. Of other memory we are told.
  [[nodiscard]] static bool may_be_left_over(const void* address) {
    const std::uintptr_t where = address_of(address);
    return in_zone(where) && in_stack_of(slot_of(where), where);
  }

  SpinRecognition& spins_;

 private:
  Watchers watchers_;
};

}  // namespace mazurka::threads
