#include "programs/threads/runtime/fibers.hpp"

#include "core/check.hpp"
#include "programs/threads/runtime/machine/rank_images.hpp"

namespace mazurka::threads {

void Fibers::make_room_for(ProcessId id) {
  const std::size_t slot = index(id);
  if (thread_pointers_.size() <= slot) thread_pointers_.resize(slot + 1, 0);
  if (thread_pointers_[slot] == 0) thread_pointers_[slot] = parked_thread_pointer(slot - 1);
  heaps.ensure_slot(slot);
}

Process& Fibers::prepare(ProcessId id, ProcessId creator) {
  const bool kept = state_.processes.find(id) != nullptr;  // with a past (quiet_beginning.hpp)
  Process& one = state_.processes[id];
  one.id = id;
  MAZURKA_CHECK(index(id) < thread_pointers_.size() && thread_pointers_[index(id)] != 0,
                "room is made for a process before it is prepared");
  one.context.thread_pointer = thread_pointers_[index(id)];
  one.creator = creator;
  if (kept) {
    // It goes on as it was.
  } else if (creator == no_process) {
    one.time.now = beginning;
    one.name = first_name();
  } else {
    const Process& parent = process(creator);
    one.time.now = parent.time.now;
    one.blocked = parent.blocked;
    one.name = parent.name;
    one.chance = parent.chance;
    one.rank = parent.rank;
  }
  one.watch.start();
  stacks_.begin(index(id));
  thread_locals_.reset(one.context.thread_pointer, id == Run::root());
  if (one.rank >= 0) enter_rank(one, one.rank);
  if (one.context.stack_pointer == nullptr) {
    prepare_context(one.context, reinterpret_cast<void*>(stack_top(index(id))), entry_, &one);
  }
  ++state_.live;
  state_.had_company = state_.had_company || state_.live > 1;
  return one;
}

void Fibers::enter_rank(Process& one, std::int32_t rank) {
  MAZURKA_CHECK(rank >= 0 && static_cast<std::size_t>(rank) < rank_images().size(),
                "a process belongs to a rank that was loaded");
  one.rank = rank;
  thread_locals_.reset_program(one.context.thread_pointer,
                               rank_images()[static_cast<std::size_t>(rank)].thread_locals);
}

}  // namespace mazurka::threads
