// Memory operations of the program: plain accesses and atomics.
#include <algorithm>
#include <utility>

#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

namespace {

enum Order : int { relaxed = 0, consume = 1, acquire = 2, release = 3, acq_rel = 4, seq_cst = 5 };

constexpr bool acquires(int order) {
  return order == acquire || order == consume || order == acq_rel || order == seq_cst;
}
constexpr bool releases(int order) {
  return order == release || order == acq_rel || order == seq_cst;
}

// Not by memcmp, which the program may have defined.
bool same_bytes(std::uintptr_t address, const void* other, std::size_t size) {
  const auto* one = reinterpret_cast<const volatile unsigned char*>(address);
  const auto* two = static_cast<const volatile unsigned char*>(other);
  for (std::size_t at = 0; at < size; ++at) {
    if (one[at] != two[at]) return false;
  }
  return true;
}

}  // namespace

void Runtime::visit_memory(std::uintptr_t address, std::size_t size, std::uint8_t mode,
                           Action action) {
  scratch_.clear();
  cells_.for_each(address, size, [&](ObjectId object) {
    scratch_.push_back({object, kind::memory, mode, 0});
  });
  heed_blocks();
  note(action, address);
  park({scratch_, no_process, false}, true);
}

// A variable on a process's own stack is its own business until another process is seen to touch
// it. What was explored before that moment treated its accesses as invisible, so it is void.
bool Runtime::is_private_stack(std::uintptr_t address) {
  if (!in_zone(address)) return false;
  const std::size_t slot = slot_of(address);
  if (!in_stack_of(slot, address)) return false;
  if (slot == index(current_->id)) return !learned_.escaped.contains(address | 7U);
  if (learned_.escaped.insert(address | 7U)) {
    must_restart_ = true;
    leave();
  }
  return false;
}

// A plain access that is a scheduling decision.
void Runtime::visible_access(std::uintptr_t address, std::size_t size, bool write,
                             const void* code) {
  const Action action = write ? Action::write : Action::read;
  if (!write && !in_block()) arrive(address);
  const bool unseen = silent(!write) || in_block();
  if (!unseen) {
    visit_memory(address, size, write ? memory_mode::write : memory_mode::read, action);
    check_heap(address, size, write, code);  // it may have been freed meanwhile
  }
  if (RawEvent* event = record(action, address, size)) {
    event->flags |= unseen ? flag_plain : flag_ordinary;
    load_values(*event);
    if (write) recorder_->expect_value(current_->id);
  }
  state_.quiet = true;
  if (!unseen) commit();
  state_.quiet = false;
  if (in_zone(address)) visit_stack(address, size, write);
  if (write) {
    if (run_->watches_reads()) current_->watch.progress();  // as of atomic stores: note_change()
    watch_write(address, size);
    if (in_block()) keep_for_undo(address, size);
  } else {
    watch_read(address, size);
  }
  track(address, size, !write, write);
}

void Runtime::volatile_access(std::uintptr_t address, std::size_t size, bool write,
                              const void* code) {
  EngineScope scope;
  if (racy() || !request_.checks.volatile_atomic || is_private_stack(address)) {
    plain_access(address, size, write, code);
    return;
  }
  stall_if_requested();
  if (state_.section != Section::none) {
    section_access(address, size, write);
    return;
  }
  check_heap(address, size, write, code);
  if (!alone()) learned_.grounds.weak_orders = true;  // as relaxed ones
  visible_access(address, size, write, code);
  if (alone()) return;
  check_race(address, size, write ? AccessKind::atomic_write : AccessKind::atomic_read, code);
}

void Runtime::plain_access(std::uintptr_t address, std::size_t size, bool write, const void* code) {
  EngineScope scope;
  stall_if_requested();
  if (state_.section != Section::none) {
    section_access(address, size, write);
    return;
  }
  check_heap(address, size, write, code);
  const Action action = write ? Action::write : Action::read;
  if (racy()) {
    if (!is_private_stack(address)) visible_access(address, size, write, code);
    return;
  }
  if (is_exposed(address, size) && !is_private_stack(address)) {
    visible_access(address, size, write, code);
    if (!alone()) check_race(address, size, write ? AccessKind::write : AccessKind::read, code);
    return;
  }
  if (in_zone(address)) visit_stack(address, size, write);
  if (write) {
    if (in_block()) keep_for_undo(address, size);
    if (!current_->watch.places.empty()) watch_write(address, size);
  } else {
    if (++current_->watch.plain >= current_->watch.next_look) look_at_plain_loop(address);
    watch_read(address, size);
  }
  if (recorder_ != nullptr && recorder_->repeats(current_->id, action, address, size)) {
    // A loop that reads the same again and again is told once.
  } else if (RawEvent* event = record(action, address, size)) {
    event->flags |= flag_plain;
    load_values(*event);
    if (write) recorder_->expect_value(current_->id);
  }
  track(address, size, !write, write);
  if (run_->watches_reads() && !write && state_.had_company && cells_.knows(address, size)) {
    unsupported(
        "a plain read of what is also accessed atomically, with a technique that looks at "
        "who observes which write and without --racy,");
  }
  if (alone()) return;
  check_race(address, size, write ? AccessKind::write : AccessKind::read, code);
}

void Runtime::track(std::uintptr_t address, std::size_t size, bool read, bool write) {
  if (!state_.tracking) return;
  if (read) state_.tracker.tell_memory(current_->id, address, size);
  if (write) state_.tracker.will_write(address, size, !in_zone(address));
}

void Runtime::pass_on(const void* object) {
  auto known = std::find_if(state_.annotated.begin(), state_.annotated.end(),
                            [&](const Annotated& one) { return one.object == object; });
  if (known == state_.annotated.end()) known = state_.annotated.insert(known, {object, {}});
  known->released.join(current_->knowledge.now);
  current_->knowledge.now.tick(current_->id);
}

void Runtime::learn_from(const void* object) {
  for (const Annotated& one : state_.annotated) {
    if (one.object == object) current_->knowledge.now.join(one.released);
  }
}

// In the story: the two accesses of a race, this one and the latest of the other process that can
// be the other one. Two reads do not race, nor do two atomic accesses.
void Runtime::mark_racing(std::uintptr_t address, std::size_t size, AccessKind kind) {
  const ProcessId other = state_.races.other();
  const bool writes = kind == AccessKind::write || kind == AccessKind::atomic_write;
  const bool atomic = kind == AccessKind::atomic_read || kind == AccessKind::atomic_write;
  const auto overlaps = [&](const RawEvent& event) {
    const std::size_t length = std::max<std::size_t>(event.size, 1);  // a primitive has no size
    return event.address < address + size && address < event.address + length;
  };
  const auto can_be_other = [&](const RawEvent& event) {
    const bool reads_only = event.action == Action::read || event.action == Action::update_failed;
    const bool plain = event.size == 0 || (event.flags & flag_plain) != 0;
    return (writes || !reads_only) && (!atomic || plain);
  };
  auto& events = recorder_->story.events;
  const auto latest = [&](auto&& fits) {
    const auto found = std::find_if(events.rbegin(), events.rend(), fits);
    if (found != events.rend()) found->flags |= flag_racing;
  };
  latest([&](const RawEvent& event) {
    return event.process == other && overlaps(event) && can_be_other(event);
  });
  latest([&](const RawEvent& event) { return event.process == current_->id && overlaps(event); });
  // A story ends with its race, and a plain write is told before it happens.
  if (kind == AccessKind::write && !events.empty() && events.back().process == current_->id) {
    events.back().flags |= flag_not_done;
  }
}

bool Runtime::is_tolerated(std::uintptr_t address, std::size_t size) const {
  return std::any_of(state_.tolerated.begin(), state_.tolerated.end(), [&](const Tolerated& one) {
    return address < one.begin + one.size && one.begin < address + size;
  });
}

void Runtime::report_race(std::uintptr_t address, std::size_t size, AccessKind kind,
                          const void* code) {
  if (is_tolerated(address, size)) return;
  if (recorder_ != nullptr) mark_racing(address, size, kind);
  report(FindingKind::data_race, "two accesses that nothing orders",
         "race " + std::to_string(reinterpret_cast<std::uintptr_t>(code)));
}

void Runtime::before_atomic(std::uintptr_t address, std::size_t size, std::uint8_t mode, int order,
                            const void* code, const void* expected) {
  current_->atomic_code = code;
  if (order != seq_cst && !alone()) learned_.grounds.weak_orders = true;
  const std::uint64_t operands = std::exchange(state_.operands, 0);
  stall_if_requested();
  if (state_.section != Section::none) {
    section_access(address, size, mode != memory_mode::read);
    return;
  }
  check_heap(address, size, mode != memory_mode::read, code);
  if (in_block() && mode != memory_mode::read) keep_for_undo(address, size);
  if (!in_block()) arrive(address ^ std::uintptr_t{mode} << 60U, operands);
  if (silent(mode != memory_mode::write) || in_block()) {
    if (in_zone(address)) visit_stack(address, size, mode != memory_mode::read);
    track(address, size, mode != memory_mode::write, mode != memory_mode::read);
    return;
  }
  static constexpr Action actions[] = {Action::read, Action::write, Action::update};
  if (racy() && is_private_stack(address)) return;
  // Where other accesses to local variables are visible, it matters who touches them.
  if (request_.checks.volatile_atomic || !request_.checks.suppressions.empty()) {
    (void)is_private_stack(address);
  }
  visit_memory(address, size, expected == nullptr ? mode : memory_mode::compare_exchange,
               actions[mode]);
  check_heap(address, size, mode != memory_mode::read, code);
  state_.quiet = true;
  // It is this process's turn: what is there now is what the operation will find.
  const bool fails = expected != nullptr && !same_bytes(address, expected, size);
  commit({}, 1, {},
         fails ? in_vain(memory_mode::compare_exchange, memory_mode::read) : Footprint{});
  if (in_zone(address)) visit_stack(address, size, mode != memory_mode::read && !fails);
  track(address, size, mode != memory_mode::write, mode != memory_mode::read);
}

AtomicCell& Runtime::atomic_cell(std::uintptr_t address) {
  ObjectId object{};
  cells_.for_each(address, 1, [&](ObjectId first) { object = first; });
  return state_.atomics[object];
}

void Runtime::after_atomic(std::uintptr_t address, std::size_t size, const AtomicResult& result,
                           int order) {
  if (state_.section != Section::none) return;
  note_change(result, address, size);
  if (RawEvent* event = record(result.action, address, size)) {
    event->value = result.value;
    event->new_value = result.new_value;
    event->high = result.high;
    event->new_high = result.new_high;
    if (event->position > 0 && !silent(result.reads) && !in_block()) --event->position;
  }
  if (racy() || alone()) return;
  // Only now: it is written down for the report, and a compare-exchange that failed only read.
  check_race(address, size, result.writes ? AccessKind::atomic_write : AccessKind::atomic_read,
             current_->atomic_code);
  AtomicCell& cell = atomic_cell(address);
  Knowledge& knowledge = current_->knowledge;
  if (result.reads) {
    (acquires(order) ? knowledge.now : knowledge.fence_acquire).join(cell.released);
  }
  if (result.writes) {
    const Clock& published = releases(order) ? knowledge.now : knowledge.fence_release;
    if (result.reads) {
      cell.released.join(published);  // a read-modify-write continues the release sequence
    } else {
      cell.released.assign(published);
    }
    if (releases(order)) knowledge.now.tick(current_->id);
  }
}

// Whether a waiting loop that does this goes round in circles. A store that changes nothing can
// only be told from one that does if the order of writes is part of the trace, and of the state.
void Runtime::note_change(const AtomicResult& result, std::uintptr_t address, std::size_t size) {
  SpinWatch& watch = current_->watch;
  if (watch.places.empty()) return;
  const bool blind = result.writes && !result.reads;
  if (blind) tell(result.changes ? 1 : 0);
  if (result.changes || (blind && run_->watches_reads())) {
    watch.progress();
  } else if (!blind) {
    watch_read(address, size);
  }
}

void Runtime::tell_seen(std::uintptr_t address, std::size_t size) {
  if (state_.section != Section::none) return;
  if (in_zone(address)) visit_stack(address, size, true);
  watch_write(address, size);
}

void Runtime::fence(int order) {
  if (racy()) return;
  Knowledge& knowledge = current_->knowledge;
  if (acquires(order)) knowledge.now.join(knowledge.fence_acquire);
  if (releases(order)) {
    knowledge.fence_release.assign(knowledge.now);
    knowledge.now.tick(current_->id);
  }
}

}  // namespace mazurka::threads
