// What all primitives have in common: they lie in memory that the program may use, and they must
// not be used in certain ways.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

  /// Initialising and destroying are steps, with accesses that those of every use depend on:
  /// somebody may come to use the primitive just before, or after.
  void own(Action action, const void* address, const Access& access);

  // What was destroyed is marked in its first word, until it is initialised, by a call or by an
  // initialiser of the language at the same place.
  void mark_destroyed(const void* address) { write_word(address, destroyed_mark); }
  void unmark_destroyed(const void* address) {
    if (is_destroyed(address)) write_word(address, 0);
  }
  void refuse_destroyed(const void* address, std::string_view what) {
    if (!is_destroyed(address)) [[likely]]
      return;
    misuse("uses a " + std::string(what) + " that was destroyed", address);
  }
  [[nodiscard]] static bool is_destroyed(const void* address) {
    return *static_cast<const volatile std::uint32_t*>(address) == destroyed_mark;
  }
  /// A word of a primitive that says in which state it is.
  void write_word(const void* address, std::uint32_t word);

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
  static constexpr std::uint32_t destroyed_mark = 0xdec0'dead;  // no number of the C library's

  Watchers watchers_;
};

}  // namespace mazurka::threads
