// Atomic operations of the program: when they are steps, and what they mean for data races.
#include "programs/threads/runtime/memory_model/atomics.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "programs/threads/runtime/loops/sections.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"
#include "programs/threads/runtime/memory_model/accesses.hpp"
#include "programs/threads/runtime/memory_model/heap_checks.hpp"
#include "programs/threads/runtime/memory_model/races.hpp"

namespace mazurka::threads {

namespace {

Action action_of(std::uint8_t mode) {
  if (mode == memory_mode::read) return Action::read;
  return mode == memory_mode::write ? Action::write : Action::update;
}

}  // namespace

Found Atomics::before(const AtomicOperation& operation, const void* code) {
  const auto [address, size, mode, order, failure_order, expected, weak] = operation;
  Found found;
  read_older_ = false;
  self().atomic_code = code;
  self().atomic_mode = memory_mode::adds_up(mode) ? memory_mode::update : mode;
  if (order != MemoryOrder::sequentially_consistent && !alone()) weak_memory_.meet_weak_order();
  const std::uint64_t operands = std::exchange(state_.operands, 0);
  scheduler_.stall_if_requested();
  if (in_section()) {
    weak_memory_.give_up_if_on("an indivisible section that uses atomic variables");
    sections_.access(address, size, memory_mode::writes(mode));
    return found;
  }
  const bool announced = !in_block();
  heap_.check(address, size, memory_mode::writes(mode), code, announced);
  if (in_block()) {
    weak_memory_.give_up_if_on("an atomic block");
    if (memory_mode::writes(mode)) sections_.keep_for_undo(address, size);
  }
  if (!in_block()) spins_.arrive(address ^ std::uintptr_t{mode} << 60U, operands);
  const bool silent = scheduler_.silent(memory_mode::reads(mode)) && !may_fail(operation);
  if (silent || in_block()) {
    if (in_zone(address)) spins_.visit_stack(address, size, memory_mode::writes(mode));
    accesses_.track(address, size, memory_mode::reads(mode), memory_mode::writes(mode));
    return found;
  }
  if (racy() && accesses_.is_private_stack(address)) return found;
  // Where other accesses to local variables are visible, it matters who touches them.
  if (request_.checks.volatile_atomic || !request_.checks.suppressions.empty()) {
    (void)accesses_.is_private_stack(address);
  }
  const bool adds_up = memory_mode::adds_up(mode) && may_add_up(address, size, code);
  if (adds_up) {
    use_as_guard(address);  // such updates have no order, and so no place in a graph
    self().atomic_mode = mode;
  }
  if (weak_memory_.graphs() && is_weak(address, size)) {
    accesses_.visit_variable(address, size, action_of(mode));
  } else {
    accesses_.visit(address, size, self().atomic_mode, action_of(mode));
  }
  heap_.check(address, size, memory_mode::writes(mode), code);
  take_step(operation, found);
  accesses_.track(address, size, memory_mode::reads(mode) && !adds_up, memory_mode::writes(mode));
  return found;
}

Found Atomics::before_look(const AtomicOperation& operation) {
  Found found;
  self().atomic_code = nullptr;
  self().atomic_mode = operation.mode;
  accesses_.visit_variable(operation.address, operation.size, action_of(operation.mode));
  heap_.check(operation.address, operation.size, false, nullptr);
  take_step(operation, found);
  accesses_.track(operation.address, operation.size, true, false);
  return found;
}

// Whether the operation may find something else than what is in memory. Where graphs are explored,
// variables that are not only touched by atomic operations are in no graph.
bool Atomics::is_weak(std::uintptr_t address, std::size_t size) const {
  if (!weak_memory_.on() || alone()) return false;
  if (!weak_memory_.graphs()) return true;
  const bool exposed = races_.is_exposed(address, size);
  if (exposed && learned_.memory != MemoryModel::sc) {
    scheduler_.unsupported(
        "an atomic variable in an accepted race, with technique graphs and weak memory,");
  }
  return !exposed && !learned_.guards.contains(address | 7U);
}

void Atomics::use_as_guard(std::uintptr_t address) {
  if (!weak_memory_.graphs() || alone() || !learned_.guards.insert(address | 7U)) return;
  scheduler_.restart();
  leave();
}

// It is this process's turn.
void Atomics::take_step(const AtomicOperation& operation, Found& found) {
  const auto [address, size, mode, order, failure_order, expected, weak_exchange] = operation;
  const bool weak = is_weak(address, size);
  state_.quiet = true;
  std::uint16_t choices = 1;
  if (weak) {
    AtomicOperation now = operation;
    now.weak = may_fail(operation);
    choices = weak_memory_.choose(now);
    found = weak_memory_.found();
  }
  read_older_ = found.older;
  // What is there now is what the operation will find.
  const void* there =
      found.older ? static_cast<const void*>(&found.value) : reinterpret_cast<const void*>(address);
  const bool fails = expected != nullptr && std::memcmp(there, expected, size) != 0;
  if (!weak && !fails && may_fail(operation)) {
    choices = 2;
    found.fails = run().outcome(choices) == 1;
  }
  commit({}, choices, {},
         fails && !(weak && weak_memory_.graphs())
             ? scheduler_.turned_out(memory_mode::compare_exchange, memory_mode::read)
             : Footprint{});
  if (found.fails) ++self().weak_failures;
  const bool writes = memory_mode::writes(mode) && !fails && !found.fails;
  if (weak) weak_memory_.commit(operation, writes);
  if (in_zone(address)) spins_.visit_stack(address, size, writes);
}

void Atomics::refuse_weak_failures() {
  if (request_.checks.weak_cas == 0) return;
  const EngineScope scope;
  scheduler_.unsupported(
      "a weak compare-exchange that fails without a reason (--weak-cas), in a program that clang "
      "has "
      "compiled,");
}

// Each thread so many times: a loop that tries again comes to an end.
bool Atomics::may_fail(const AtomicOperation& operation) const {
  return operation.weak && self().weak_failures < request_.checks.weak_cas;
}

// Updates of parts of a variable, or of more than one, do not leave the same in any order.
bool Atomics::may_add_up(std::uintptr_t address, std::size_t size, const void* code) {
  if (learned_.updates_in_order || result_uses_.may_use(code)) return false;
  bool whole = true;
  names_.cells().for_each(address, size, [&](ObjectId object) {
    const Objects::Origin& cell = names_[object];
    whole = whole && cell.address == address && cell.size == size;
  });
  return whole;
}

AtomicCell& Atomics::cell(std::uintptr_t address) {
  ObjectId object{};
  names_.cells().for_each(address, 1, [&](ObjectId first) { object = first; });
  return state_.atomics[object];
}

void Atomics::after(std::uintptr_t address, std::size_t size, const AtomicResult& result,
                    MemoryOrder order) {
  if (in_section()) return;
  const bool adds_up = memory_mode::adds_up(self().atomic_mode);
  if (adds_up) {
    note_adding_up(result, address, size);
  } else {
    note_change(result, address, size);
  }
  if (RawEvent* event = record(result.action, address, size)) {
    event->value = result.value;
    event->new_value = result.new_value;
    event->high = result.high;
    event->new_high = result.new_high;
    tell_order(order, *event);
    if (is_weak(address, size) && !recorder()->leaves_out()) {
      const std::size_t number = recorder()->story.events.size() - 1;
      weak_memory_.tell(*event, static_cast<std::uint32_t>(number));
    }
    if (event->position > 0 && !scheduler_.silent(result.reads) && !in_block()) --event->position;
  }
  if (racy() || alone()) return;
  // Only now: it is written down for the report, and a compare-exchange that failed only read.
  races_.check(address, size, result.writes ? AccessKind::atomic_write : AccessKind::atomic_read,
               self().atomic_code);
  if (is_weak(address, size)) {
    if (!weak_memory_.perform(result, order)) self().watch.progress();
  } else if (!adds_up) {
    if (!cell(address).perform(result, order, self().id, self().knowledge)) self().watch.progress();
  } else if (!cell(address).add_up(self().atomic_mode, order, self().id, self().knowledge)) {
    state_.credited_less = true;
  }
  if (learned_.fences_everybody) self().knowledge.let_fence(self().id);
}

// Whether a waiting loop that does this goes round in circles. A store that changes nothing can
// only be told from one that does if the order of writes is part of the trace, and of the state.
// (Nor does one change nothing that releases less than the one before, and so ends what that one
// has begun to release: after().)
void Atomics::note_change(const AtomicResult& result, std::uintptr_t address, std::size_t size) {
  SpinWatch& watch = self().watch;
  if (watch.places.empty()) return;
  const bool blind = result.writes && !result.reads;
  if (blind) tell(result.changes ? 1 : 0);
  if (result.changes || (blind && run().watches_reads())) {
    watch.progress();
  } else if (!blind) {
    spins_.watch_seen(address, size, result, read_older_);
  }
}

// The same of an update that is one in any order: this one must not matter.
void Atomics::note_adding_up(const AtomicResult& result, std::uintptr_t address, std::size_t size) {
  const bool sets = self().atomic_mode == memory_mode::set_bits;
  if (!sets && self().atomic_mode != memory_mode::clear_bits) {
    if (result.changes) self().watch.progress();
    return;
  }
  const std::uint64_t all_bits = ~std::uint64_t{0} >> (64 - 8 * size);
  const std::uint64_t bits = (sets ? result.operand : ~result.operand) & all_bits;
  const std::uint64_t before = (sets ? result.value : ~result.value) & all_bits;
  BitsInAnyOrder& known = sets ? cell(address).set_bits() : cell(address).cleared_bits();
  if (known.repeats(self().id, bits, before)) {
    spins_.watch_bits(address, size, bits, sets);
  } else {
    self().watch.progress();
  }
}

void Atomics::tell_seen(std::uintptr_t address, std::size_t size) {
  if (in_section()) return;
  if (in_zone(address)) spins_.visit_stack(address, size, true);
  spins_.watch_write(address, size);
}

void Atomics::tell_order(MemoryOrder order, RawEvent& event) const {
  const MemoryOrder meant = weak_memory_.in_model(order);
  if (acquires(meant)) event.flags |= flag_acquires;
  if (releases(meant)) event.flags |= flag_releases;
  event.order = static_cast<std::uint8_t>(static_cast<int>(order) + 1);
}

// Orders nothing for other threads. But somebody may have thought so.
void Atomics::signal_fence(MemoryOrder order) {
  EngineScope scope;
  if (racy() || alone()) return;
  signal_fences_.met = true;
  if (!signal_fences_.looks) return;
  const std::vector<std::uint64_t> stack = capture_stack();
  const auto is_in = [&](const std::vector<std::vector<std::uint64_t>>& all) {
    return std::find(all.begin(), all.end(), stack) != all.end();
  };
  std::vector<std::vector<std::uint64_t>>& passed = signal_fences_.passed;
  if (!is_in(passed) && passed.size() < SignalFences::most) passed.push_back(stack);
  if (is_in(signal_fences_.for_threads)) weak_memory_.fence(order);
}

void Atomics::fence(MemoryOrder order) {
  if (racy()) return;
  if (!alone()) weak_memory_.meet_weak_order();
  if (weak_memory_.on() && !alone()) {
    if (RawEvent* event = record(Action::fence, 0)) {
      event->flags |= flag_plain;
      tell_order(order, *event);
    }
  }
  weak_memory_.fence(order);
}

}  // namespace mazurka::threads
