// Atomic operations of the program: when they are steps, and what they mean for data races.
#pragma once

#include <cstdint>
#include <vector>

#include "programs/threads/runtime/loops/result_use.hpp"
#include "programs/threads/runtime/memory_model/atomic_cell.hpp"
#include "programs/threads/runtime/memory_model/weak_memory.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

class Accesses;
class HeapChecks;
class Races;
class Sections;
class SpinRecognition;

/// Fences between a thread and its signal handlers (atomic_signal_fence), while a finding is looked
/// into.
struct SignalFences {
  static constexpr std::size_t most = 8;
  bool met = false;  // by a thread that was not alone, in any execution
  bool looks = false;
  std::vector<std::vector<std::uint64_t>> passed;       // where, by threads that were not alone
  std::vector<std::vector<std::uint64_t>> for_threads;  // those there are taken for thread fences
};

/// Around every atomic operation: before, it parks until it is this process's turn; after, it takes
/// over and publishes what the memory order says.
class Atomics : public Part {
 public:
  struct Others {
    SpinRecognition& spins;
    Sections& sections;
    Races& races;
    HeapChecks& heap;
    Accesses& accesses;
    WeakMemory& weak_memory;
  };
  Atomics(Scheduler& scheduler, const Others& others)
      : Part(scheduler),
        spins_(others.spins),
        sections_(others.sections),
        races_(others.races),
        heap_(others.heap),
        accesses_(others.accesses),
        weak_memory_(others.weak_memory) {}

  /// Told first: what the operation works with besides the memory. It may be in no register that
  /// outlives the call, and belongs to the state of the process all the same.
  void note_operand(std::uint64_t value) {
    state_.operands = fingerprint_of(state_.operands, value).low;
  }
  /// Returns what the operation finds. An update that adds up (memory_mode) is one only if nobody
  /// uses its result.
  [[nodiscard]] Found before(const AtomicOperation& operation, const void* code);
  /// Of a read that the system makes for the process, in the middle of a call.
  [[nodiscard]] Found before_look(const AtomicOperation& operation);
  void after(std::uintptr_t address, std::size_t size, const AtomicResult& result,
             MemoryOrder order);
  void fence(MemoryOrder order);
  void signal_fence(MemoryOrder order);
  [[nodiscard]] SignalFences& signal_fences() { return signal_fences_; }
  /// clang's instrumentation has one call for weak and strong compare-exchanges, and takes it for a
  /// success if there was what was expected.
  void refuse_weak_failures();
  /// An operation is about to write what it has seen here: an ordinary variable.
  void tell_seen(std::uintptr_t address, std::size_t size);
  /// A call is about to set this variable, which is otherwise read by atomic operations.
  void use_as_guard(std::uintptr_t address);
  /// What is known of the variable at this address.
  [[nodiscard]] AtomicCell& cell(std::uintptr_t address);

 private:
  void take_step(const AtomicOperation& operation, Found& found);
  [[nodiscard]] bool is_weak(std::uintptr_t address, std::size_t size) const;
  void tell_order(MemoryOrder order, RawEvent& event) const;
  [[nodiscard]] bool may_fail(const AtomicOperation& operation) const;
  [[nodiscard]] bool may_add_up(std::uintptr_t address, std::size_t size, const void* code);
  void note_change(const AtomicResult& result, std::uintptr_t address, std::size_t size);
  void note_adding_up(const AtomicResult& result, std::uintptr_t address, std::size_t size);

  SpinRecognition& spins_;
  Sections& sections_;
  Races& races_;
  HeapChecks& heap_;
  Accesses& accesses_;
  WeakMemory& weak_memory_;
  ResultUses result_uses_;
  SignalFences signal_fences_;
  bool read_older_ = false;  // the operation under way
};

}  // namespace mazurka::threads
