// Memory that is gone when its thread has ended: its stack and its thread-local variables.
#include "programs/threads/runtime/memory_model/thread_memory.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "programs/threads/runtime/memory_model/accesses.hpp"
#include "programs/threads/runtime/memory_model/races.hpp"

namespace mazurka::threads {

namespace {

constexpr std::size_t size_of_place = 4;  // one granule of the race detector

std::string name_of(ProcessId process) {
  return process == Run::root() ? "main" : "T" + std::to_string(index(process));
}

}  // namespace

std::uintptr_t ThreadMemory::place_of(ThreadMemoryKind what, ProcessId owner) {
  return slot_begin(index(owner)) + (what == ThreadMemoryKind::stack ? 0 : size_of_place);
}

bool ThreadMemory::belongs_to(ThreadMemoryKind what, ProcessId owner,
                              std::uintptr_t address) const {
  if (what == ThreadMemoryKind::locals) return thread_locals_.owner_of(address) == owner;
  return in_zone(address) && slot_of(address) == index(owner) && in_stack_of(index(owner), address);
}

void ThreadMemory::use(ThreadMemoryKind what, ProcessId owner_id, std::uintptr_t address,
                       std::size_t size, bool write, const void* code, bool announced) {
  const Process* owner = state_.processes.find(owner_id);
  if (owner == nullptr || owner->failed) return;
  EngineScope scope;
  if (owner->finished) {
    if (RawEvent* event = record(write ? Action::write : Action::read, address,
                                 std::min<std::size_t>(size, 255))) {
      event->flags |= flag_plain | flag_racing | flag_not_done;
    }
    const std::string where = what == ThreadMemoryKind::stack
                                  ? " on the stack of "
                                  : " of the thread-local variables of ";
    fail(FindingKind::memory_error,
         std::string(write ? "writes " : "reads ") + std::to_string(size) +
             (size == 1 ? " byte" : " bytes") + where + name_of(owner_id) + ", which has ended",
         (what == ThreadMemoryKind::stack ? "stack " : "thread-local ") +
             std::to_string(address_of(code)));
  }
  if (announced || in_section()) return;
  if (racy()) {
    // Accesses to the stacks of others are noticed where they become steps.
    if (what == ThreadMemoryKind::locals && learned_.escaped.insert(address | 7U)) {
      scheduler_.restart();
      leave();
    }
    return;
  }
  if (alone()) return;
  // It reads what says that the memory is there. That can not race: nobody has written there yet.
  (void)races_.in_order(place_of(what, owner_id), size_of_place, AccessKind::read, address);
}

void ThreadMemory::end() {
  if (alone() || in_section()) return;
  if (racy()) {
    end_as_step();
    return;
  }
  end_of(ThreadMemoryKind::stack);
  end_of(ThreadMemoryKind::locals);
}

void ThreadMemory::end_of(ThreadMemoryKind what) {
  const std::uintptr_t place = place_of(what, self().id);
  if (!races_.in_order(place, size_of_place, AccessKind::write, place)) fail_to_end(what);
}

void ThreadMemory::fail_to_end(ThreadMemoryKind what) {
  const ProcessId other = state_.races.other();
  if (recorder() != nullptr) {
    auto& events = recorder()->story.events;
    const auto used = std::find_if(events.rbegin(), events.rend(), [&](const RawEvent& event) {
      return event.process == other && belongs_to(what, self().id, event.address);
    });
    if (used != events.rend()) used->flags |= flag_racing;
  }
  const std::string memory = what == ThreadMemoryKind::stack ? "stack" : "thread-local variables";
  fail(FindingKind::memory_error,
       "ends, and " + name_of(other) + " uses its " + memory + ": use of the " + memory +
           " of a thread that may have ended (nothing orders the two)",
       memory + " of " + name_of(self().id) + " and " + name_of(other));
}

// Where races are no findings, all orders of steps are explored instead, and one of the others is
// seen to use what is gone.
void ThreadMemory::end_as_step() {
  if (learned_.escaped.empty()) return;
  if (shared_.size() != learned_.escaped.size()) {
    shared_ = learned_.escaped.all();
    std::sort(shared_.begin(), shared_.end());
  }
  std::vector<std::uintptr_t> own;
  std::copy_if(shared_.begin(), shared_.end(), std::back_inserter(own),
               [&](std::uintptr_t address) {
                 return belongs_to(ThreadMemoryKind::stack, self().id, address) ||
                        belongs_to(ThreadMemoryKind::locals, self().id, address);
               });
  if (!own.empty()) accesses_.end_words(own);
}

}  // namespace mazurka::threads
