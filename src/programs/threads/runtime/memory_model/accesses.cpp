// Plain accesses of the program to memory, and which of them are scheduling decisions.
#include "programs/threads/runtime/memory_model/accesses.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "programs/threads/runtime/loops/sections.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"
#include "programs/threads/runtime/machine/rank_images.hpp"
#include "programs/threads/runtime/memory_model/heap_checks.hpp"
#include "programs/threads/runtime/memory_model/races.hpp"
#include "programs/threads/runtime/memory_model/weak_memory.hpp"
#include "programs/threads/runtime/memory_model/written_bytes.hpp"

namespace mazurka::threads {

// What each access looks at that is a step, in a program that makes everybody pass a fence.
static std::uint64_t fences_for_everybody = 0;

void Accesses::heed_others() {
  sections_.heed_blocks(scratch_);
  if (!learned_.fences_everybody) return;
  names_.cells().for_each(address_of(&fences_for_everybody), 8, [&](ObjectId object) {
    scratch_.push_back({object, kind::memory, memory_mode::read, 0});
  });
}

void Accesses::fence_everybody() {
  EngineScope scope;
  if (racy() || alone() || in_section()) return;
  if (weak_memory_.graphs()) scheduler_.unsupported("membarrier, with technique graphs,");
  weak_memory_.meet_weak_order();
  if (!std::exchange(learned_.fences_everybody, true)) {
    scheduler_.restart();
    leave();
  }
  scratch_.clear();
  names_.cells().for_each(address_of(&fences_for_everybody), 8, [&](ObjectId object) {
    scratch_.push_back({object, kind::memory, memory_mode::update, 0});
  });
  note(Action::fence, 0);
  park({scratch_, no_process, false}, true);
  record(Action::fence, 0);
  commit();
  weak_memory_.fence_everybody();
}

void Accesses::visit(std::uintptr_t address, std::size_t size, std::uint8_t mode, Action action) {
  scratch_.clear();
  names_.cells().for_each(address, size, [&](ObjectId object) {
    scratch_.push_back({object, kind::memory, mode, 0});
  });
  heed_others();
  note(action, address);
  park({scratch_, no_process, false}, true);
}

void Accesses::visit_variable(std::uintptr_t address, std::size_t size, Action action) {
  scratch_.clear();
  names_.cells().for_each(address, size, [&](ObjectId object) {
    scratch_.push_back({object, kind::variable, 0, 0});
  });
  note(action, address);
  park({scratch_, no_process, false}, true);
}

// A variable on a process's own stack is its own business until another process is seen to touch
// it. What was explored before that moment treated its accesses as invisible, so it is void.
bool Accesses::is_private_stack(std::uintptr_t address) {
  if (!in_zone(address)) return false;
  const std::size_t slot = slot_of(address);
  if (!in_stack_of(slot, address)) return false;
  if (slot == index(self().id)) return !learned_.escaped.contains(address | 7U);
  if (learned_.escaped.insert(address | 7U)) {
    scheduler_.restart();
    leave();
  }
  return false;
}

// A plain access that is a scheduling decision.
void Accesses::visible(std::uintptr_t address, std::size_t size, bool write, const void* code) {
  const Action action = write ? Action::write : Action::read;
  if (!write && !in_block()) spins_.arrive(address);
  const bool unseen = scheduler_.silent(!write) || in_block();
  if (!unseen) {
    visit(address, size, write ? memory_mode::write : memory_mode::read, action);
    heap_.check(address, size, write, code);  // it may have been freed meanwhile
  }
  if (RawEvent* event = record(action, address, size)) {
    event->flags |= unseen ? flag_plain : flag_ordinary;
    load_values(*event);
    if (write) recorder()->expect_value(self().id);
  }
  state_.quiet = true;
  if (!unseen) commit();
  state_.quiet = false;
  if (in_zone(address)) spins_.visit_stack(address, size, write);
  if (write) {
    if (run().watches_reads()) self().watch.progress();  // as of atomic stores: note_change()
    spins_.watch_write(address, size);
    if (in_block()) sections_.keep_for_undo(address, size);
  } else {
    spins_.watch_read(address, size);
  }
  track(address, size, !write, write);
}

void Accesses::volatile_one(std::uintptr_t address, std::size_t size, bool write,
                            const void* code) {
  EngineScope scope;
  if (racy() || !request_.checks.volatile_atomic || is_private_stack(address)) {
    plain(address, size, write, code);
    return;
  }
  scheduler_.stall_if_requested();
  if (in_section()) {
    sections_.access(address, size, write);
    return;
  }
  heap_.check(address, size, write, code);
  if (!alone()) learned_.grounds.weak_orders = true;  // as relaxed ones
  if (!alone() && weak_memory_.graphs() && learned_.guards.insert(address | 7U)) {
    scheduler_.restart();  // no graph has it
    leave();
  }
  visible(address, size, write, code);
  if (alone()) return;
  races_.check(address, size, write ? AccessKind::atomic_write : AccessKind::atomic_read, code);
  stand_in(address, size, write);
}

// For what others learn from it, as a relaxed atomic operation. (For the waiting loop that it may
// be in, too: Atomics::note_change.)
void Accesses::stand_in(std::uintptr_t address, std::size_t size, bool write) {
  bool keeps = true;
  names_.cells().for_each(address, size, [&](ObjectId object) {
    keeps = weak_memory_.stand_in(object, write) && keeps;
  });
  if (!keeps) self().watch.progress();
}

void Accesses::plain(std::uintptr_t address, std::size_t size, bool write, const void* code) {
  EngineScope scope;
  scheduler_.stall_if_requested();
  if (watches_written_bytes && write) [[unlikely]]
    written_.write(address, size);
  if (in_section()) {
    sections_.access(address, size, write);
    return;
  }
  heap_.check(address, size, write, code);
  if (self().rank >= 0) {
    require_own_memory(address);
    require_not_owned(address, size, write);
    require_no_conflict(address, size, write);
  }
  const Action action = write ? Action::write : Action::read;
  if (racy()) {
    if (!is_private_stack(address)) visible(address, size, write, code);
    return;
  }
  if (races_.is_exposed(address, size) && !is_private_stack(address)) {
    visible(address, size, write, code);
    if (alone()) return;
    races_.check(address, size, write ? AccessKind::write : AccessKind::read, code);
    stand_in(address, size, write);
    return;
  }
  if (in_zone(address)) spins_.visit_stack(address, size, write);
  if (write) {
    if (in_block()) sections_.keep_for_undo(address, size);
    if (!self().watch.places.empty()) spins_.watch_write(address, size);
  } else {
    if (++self().watch.plain >= self().watch.next_look) spins_.look_at_plain_loop(address);
    spins_.watch_read(address, size);
  }
  if (recorder() != nullptr && recorder()->repeats(self().id, action, address, size)) {
    // A loop that reads the same again and again is told once.
  } else if (RawEvent* event = record(action, address, size)) {
    event->flags |= flag_plain;
    load_values(*event);
    if (write) recorder()->expect_value(self().id);
  }
  track(address, size, !write, write);
  if (run().watches_reads() && !write && state_.had_company &&
      names_.cells().knows(address, size)) {
    scheduler_.unsupported(
        "a plain read of what is also accessed atomically, with a technique that looks at "
        "who observes which write and without --racy,");
  }
  if (alone()) return;
  races_.check(address, size, write ? AccessKind::write : AccessKind::read, code);
}

// A pointer that was sent means nothing in another rank, though here it would work.
void Accesses::require_own_memory(std::uintptr_t address) {
  std::int32_t owner = self().rank;
  if (in_zone(address)) {
    const Process* there = state_.processes.find(static_cast<ProcessId>(slot_of(address)));
    if (there != nullptr && !heaps.is_initial(address)) owner = there->rank;
  } else {
    const RankImage& own = rank_images()[static_cast<std::size_t>(self().rank)];
    if (address - own.begin < own.end - own.begin) return;
    const int found = rank_at(reinterpret_cast<const void*>(address));
    if (found >= 0) owner = found;
  }
  MAZURKA_CHECK(self().rank >= 0, "memory is a rank's own where there are ranks");
  if (owner == self().rank) return;
  const mpi::Rank& rank = state_.mpi.ranks[static_cast<std::size_t>(self().rank)];
  const auto is_shared = [&](const mpi::Exposed& one) {
    return one.shared && one.piece.begin <= address && address < one.piece.end;
  };
  if (std::any_of(rank.exposed.begin(), rank.exposed.end(), is_shared)) return;
  fail(FindingKind::memory_error, "touches memory of rank " + std::to_string(owner),
       "memory of rank " + std::to_string(owner));
}

// Data that is sent may be read until the send is complete; what is received may not be touched.
void Accesses::require_not_owned(std::uintptr_t address, std::size_t size, bool write) {
  const mpi::Rank& rank = state_.mpi.ranks[static_cast<std::size_t>(self().rank)];
  if (rank.owned == 0) return;
  for (const mpi::Request& one : rank.requests) {
    if (!one.active || !state_.mpi.owns(one, self().rank, address, size, write)) continue;
    (void)record(write ? Action::write : Action::read, address, size);
    fail(FindingKind::data_race,
         std::string(write ? "writes to" : "reads") + " the buffer of " + one.call +
             ", which is not complete",
         std::string("owned by ") + one.call);
  }
}

// In the memory of a window: nobody else may be at it, unless something orders the two.
void Accesses::require_no_conflict(std::uintptr_t address, std::size_t size, bool write) {
  const mpi::Rank& rank = state_.mpi.ranks[static_cast<std::size_t>(self().rank)];
  const auto is_there = [&](const mpi::Exposed& one) {
    return one.piece.begin < address + size && address < one.piece.end;
  };
  if (std::none_of(rank.exposed.begin(), rank.exposed.end(), is_there)) return;
  mpi::WindowAccess fresh;
  fresh.process = self().id;
  fresh.rank = self().rank;
  fresh.touch = write ? mpi::Touch::write : mpi::Touch::read;
  fresh.tick = self().knowledge.now[index(self().id)];
  fresh.pieces.push_back({address, address + size});
  const mpi::WindowAccess* other = state_.mpi.window_log.conflict(fresh, self().knowledge.now);
  if (other == nullptr) {
    state_.mpi.window_log.add_plain(fresh);
    return;
  }
  const std::string what = other->id != 0                     ? other->call
                           : other->touch == mpi::Touch::read ? "a load"
                                                              : "a store";
  const std::string message = std::string(write ? "writes to" : "reads") +
                              " memory of a window at the same time as " + what + " of rank " +
                              std::to_string(other->rank) + ": nothing orders them";
  (void)record(write ? Action::write : Action::read, address, size);
  fresh = {};
  fail(FindingKind::data_race, message, "window against " + what);
}

void Accesses::check_remote(std::uintptr_t address, std::size_t size, bool write,
                            const void* code) {
  heap_.check(address, size, write, code);
  if (write) track(address, size, false, true);
}

void Accesses::track(std::uintptr_t address, std::size_t size, bool read, bool write) {
  if (!state_.tracking) return;
  if (read) state_.tracker.tell_memory(self().id, address, size);
  if (write) state_.tracker.will_write(address, size, !in_zone(address));
}

// A block is about to be freed: a step that touches what of it is exposed.
void Accesses::visit_exposed(std::uintptr_t address, std::size_t size) {
  MAZURKA_CHECK(size > 0, "a block that is exposed has bytes");
  scratch_.clear();
  for (std::uintptr_t at = address / Races::granule; at <= (address + size - 1) / Races::granule;
       ++at) {
    if (!learned_.exposed.contains(at * Races::granule)) continue;
    names_.cells().for_each(at * Races::granule, Races::granule, [&](ObjectId object) {
      scratch_.push_back({object, kind::memory, memory_mode::end, 0});
    });
  }
  heed_others();
  note(Action::release, address);
  park({scratch_, no_process, false}, true);
  commit();
}

void Accesses::end_words(std::span<const std::uintptr_t> bytes) {
  scratch_.clear();
  for (const std::uintptr_t byte : bytes) {
    names_.cells().for_each(byte & ~std::uintptr_t{7}, 8, [&](ObjectId object) {
      scratch_.push_back({object, kind::memory, memory_mode::end, 0});
    });
  }
  heed_others();
  note(Action::exit_process, 0);
  park({scratch_, no_process, false}, true);
  record(Action::exit_process, 0);
  commit();
}

}  // namespace mazurka::threads
