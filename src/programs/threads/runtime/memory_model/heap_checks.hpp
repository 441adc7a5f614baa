// Errors with heap blocks: used after they were freed, freed twice, left and right of their bounds,
// and, if asked for, never freed and lost.
#pragma once

#include <cstdint>

#include "programs/threads/runtime/machine/heaps.hpp"
#include "programs/threads/runtime/machine/snapshot.hpp"
#include "programs/threads/runtime/memory_model/thread_memory.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

class Accesses;
class Races;

class HeapChecks : public Part {
 public:
  HeapChecks(Scheduler& scheduler, Accesses& accesses, Races& races, ThreadMemory& of_threads,
             const Snapshot& snapshot)
      : Part(scheduler),
        accesses_(accesses),
        races_(races),
        of_threads_(of_threads),
        snapshot_(snapshot) {}

  /// An access to memory: is it one to a heap, a stack or a thread-local variable that it must not
  /// touch? `announced`: it comes later, after another call of this.
  void check(std::uintptr_t address, std::size_t size, bool write, const void* code,
             bool announced = false) {
    if (!request_.checks.heap) return;
    if (!in_zone(address)) {
      if (const auto owner = of_threads_.other_owner_of_local(address)) [[unlikely]] {
        of_threads_.use(ThreadMemoryKind::locals, *owner, address, size, write, code, announced);
      }
      return;
    }
    const std::size_t slot = slot_of(address);
    if (in_stack_of(slot, address)) {
      if (slot != index(self().id)) {
        of_threads_.use(ThreadMemoryKind::stack, static_cast<ProcessId>(slot), address, size, write,
                        code, announced);
      }
      return;
    }
    const HeapFault found = heaps.look(address, size);
    if (found != HeapFault::none) [[unlikely]]
      fault(address, size, write, found, code);
  }

  /// While a report is made, and when races are asked about: who allocated the block.
  [[nodiscard]] bool notes_allocations() const {
    return recorder() != nullptr || scheduler_.judges_races();
  }
  void note_allocation(void* block);
  /// The program has asked for the block at `caller`: whoever uses it must know of that.
  void after_allocation(void* block, const void* caller);
  /// The block has the memory of one that was freed: what was in that is gone.
  void forget_objects(const void* block, std::size_t size);
  /// A process needs more heap than there is: the execution is cut.
  [[noreturn]] void run_out_of_memory();
  /// The block is about to be freed, by the program at `caller` or, if null, by a library.
  void before_free(void* block, const void* caller);
  void look_for_leaks();

 private:
  void fault(std::uintptr_t address, std::size_t size, bool write, HeapFault fault,
             const void* code);
  void point_at_block(const void* block);
  void require_not_used_by_mpi(const void* block, std::size_t size);

  Accesses& accesses_;
  Races& races_;
  ThreadMemory& of_threads_;
  const Snapshot& snapshot_;
};

}  // namespace mazurka::threads
