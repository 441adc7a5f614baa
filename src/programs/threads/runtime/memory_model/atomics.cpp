// Atomic operations of the program: when they are steps, and what they mean for data races.
#include "programs/threads/runtime/memory_model/atomics.hpp"

#include <cstring>
#include <utility>

#include "programs/threads/runtime/loops/sections.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"
#include "programs/threads/runtime/memory_model/accesses.hpp"
#include "programs/threads/runtime/memory_model/heap_checks.hpp"
#include "programs/threads/runtime/memory_model/races.hpp"

namespace mazurka::threads {

void Atomics::before(std::uintptr_t address, std::size_t size, std::uint8_t mode, MemoryOrder order,
                     const void* code, const void* expected) {
  self().atomic_code = code;
  if (order != MemoryOrder::sequentially_consistent && !alone())
    learned_.grounds.weak_orders = true;
  const std::uint64_t operands = std::exchange(state_.operands, 0);
  scheduler_.stall_if_requested();
  if (in_section()) {
    sections_.access(address, size, mode != memory_mode::read);
    return;
  }
  heap_.check(address, size, mode != memory_mode::read, code);
  if (in_block() && mode != memory_mode::read) sections_.keep_for_undo(address, size);
  if (!in_block()) spins_.arrive(address ^ std::uintptr_t{mode} << 60U, operands);
  if (scheduler_.silent(mode != memory_mode::write) || in_block()) {
    if (in_zone(address)) spins_.visit_stack(address, size, mode != memory_mode::read);
    accesses_.track(address, size, mode != memory_mode::write, mode != memory_mode::read);
    return;
  }
  static constexpr Action actions[] = {Action::read, Action::write, Action::update};
  if (racy() && accesses_.is_private_stack(address)) return;
  // Where other accesses to local variables are visible, it matters who touches them.
  if (request_.checks.volatile_atomic || !request_.checks.suppressions.empty()) {
    (void)accesses_.is_private_stack(address);
  }
  accesses_.visit(address, size, expected == nullptr ? mode : memory_mode::compare_exchange,
                  actions[mode]);
  heap_.check(address, size, mode != memory_mode::read, code);
  state_.quiet = true;
  // It is this process's turn: what is there now is what the operation will find.
  const bool fails = expected != nullptr &&
                     std::memcmp(reinterpret_cast<const void*>(address), expected, size) != 0;
  commit(
      {}, 1, {},
      fails ? scheduler_.in_vain(memory_mode::compare_exchange, memory_mode::read) : Footprint{});
  if (in_zone(address)) spins_.visit_stack(address, size, mode != memory_mode::read && !fails);
  accesses_.track(address, size, mode != memory_mode::write, mode != memory_mode::read);
}

AtomicCell& Atomics::cell(std::uintptr_t address) {
  ObjectId object{};
  names_.cells().for_each(address, 1, [&](ObjectId first) { object = first; });
  return state_.atomics[object];
}

void Atomics::after(std::uintptr_t address, std::size_t size, const AtomicResult& result,
                    MemoryOrder order) {
  if (in_section()) return;
  note_change(result, address, size);
  if (RawEvent* event = record(result.action, address, size)) {
    event->value = result.value;
    event->new_value = result.new_value;
    event->high = result.high;
    event->new_high = result.new_high;
    if (event->position > 0 && !scheduler_.silent(result.reads) && !in_block()) --event->position;
  }
  if (racy() || alone()) return;
  // Only now: it is written down for the report, and a compare-exchange that failed only read.
  races_.check(address, size, result.writes ? AccessKind::atomic_write : AccessKind::atomic_read,
               self().atomic_code);
  cell(address).perform(result, order, self().id, self().knowledge);
}

// Whether a waiting loop that does this goes round in circles. A store that changes nothing can
// only be told from one that does if the order of writes is part of the trace, and of the state.
void Atomics::note_change(const AtomicResult& result, std::uintptr_t address, std::size_t size) {
  SpinWatch& watch = self().watch;
  if (watch.places.empty()) return;
  const bool blind = result.writes && !result.reads;
  if (blind) tell(result.changes ? 1 : 0);
  if (result.changes || (blind && run().watches_reads())) {
    watch.progress();
  } else if (!blind) {
    spins_.watch_read(address, size);
  }
}

void Atomics::tell_seen(std::uintptr_t address, std::size_t size) {
  if (in_section()) return;
  if (in_zone(address)) spins_.visit_stack(address, size, true);
  spins_.watch_write(address, size);
}

void Atomics::fence(MemoryOrder order) {
  if (!racy()) perform_fence(order, self().id, self().knowledge);
}

}  // namespace mazurka::threads
