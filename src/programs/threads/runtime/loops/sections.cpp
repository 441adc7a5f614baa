// Indivisible sections: a piece of the program that runs as one step.
//
// A step's footprint must be known before it runs and must not depend on what happened to be in
// memory, or equivalent executions would disagree on what is dependent. So the section is
// *rehearsed* when the process arrives at it: it runs, what it touches is noted, and its writes are
// taken back. The footprint announced is the widest seen so far for this section of this process.
// When a later rehearsal or the performance itself touches more, the exploration starts again with
// the wider footprint; it can only grow, and ends at the union over all branches that occur. What
// surprised once in a loop will do so in other rounds of it: the wider footprint is taken for all
// the process's sections with the same code, or a loop would mean a new start for every round.
//
// The verification competition's atomic blocks (__VERIFIER_atomic_begin and _end, or a function of
// such a name) can not be rehearsed: they begin and end anywhere. A block is a step that locks one
// mutex for all of them, and every other access to memory heeds it: so a block is in conflict with
// all of these, and what it does itself is not visible. Should it take a step all the same (a
// choice), the others who heed it can not move. If it finds that an assumption does not hold, it is
// as if it had never begun: what it wrote is taken back.
#include "programs/threads/runtime/loops/sections.hpp"

#include <algorithm>
#include <cstring>

#include "core/check.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"
#include "programs/threads/runtime/primitives/mutexes.hpp"

namespace mazurka::threads {

// Frames of the section's own functions are gone when it is over: they are no part of the state,
// and by the time its writes are taken back other functions live there.
bool Sections::in_dead_frame(std::uintptr_t address, std::uintptr_t live_from) const {
  return in_own_stack(address) && address < live_from;
}

void Sections::access(std::uintptr_t address, std::size_t size, bool write) {
  if (in_dead_frame(address, state_.section_frame)) return;
  if (state_.section == Section::rehearsal && write) {
    keep_for_undo(address, size);
  }
  if (state_.section == Section::performance && write && state_.tracking) {
    state_.tracker.will_write(address, size, !in_zone(address));
  }
  if (state_.section == Section::performance && in_zone(address))
    spins_.visit_stack(address, size, write);
  if (in_zone(address) && in_stack_of(index(self().id), address)) return;
  names_.cells().for_each(address, size, [&](ObjectId object) {
    const std::uint8_t mode = write ? memory_mode::section_write : memory_mode::section_read;
    for (Touched& known : state_.touched) {
      if (known.object != object) continue;
      if (write) known.mode = mode;
      return;
    }
    state_.touched.push_back({object, mode});
  });
}

void Sections::keep_for_undo(std::uintptr_t address, std::size_t size) {
  MAZURKA_CHECK(state_.section == Section::rehearsal || in_block(),
                "only what a rehearsal or a block has written is taken back");
  const auto* bytes = reinterpret_cast<const std::byte*>(address);
  state_.undo.push_back({address, std::vector<std::byte>(bytes, bytes + size)});
}

// `live_from`: the part of the process's own stack below is not the program's any more.
void Sections::undo_writes(std::uintptr_t live_from) {
  for (std::size_t at = state_.undo.size(); at-- > 0;) {
    if (in_dead_frame(state_.undo[at].address, live_from)) continue;
    std::memcpy(reinterpret_cast<void*>(state_.undo[at].address), state_.undo[at].bytes.data(),
                state_.undo[at].bytes.size());
  }
  state_.undo.clear();
}

// Takes what was touched into the widest footprint of the section. True: that one grew.
static bool widen(auto& widest, const auto& touched) {
  bool grew = false;
  for (const auto& one : touched) {
    auto known = widest.begin();
    while (known != widest.end() && known->object != one.object) ++known;
    if (known == widest.end()) {
      widest.push_back(one);
      grew = true;
    } else if (known->mode == memory_mode::section_read && one.mode != known->mode) {
      known->mode = one.mode;
      grew = true;
    }
  }
  return grew;
}

Surprise* Sections::surprise_of(ProcessId process, std::uint64_t (*body)(void*)) {
  for (Surprise& known : learned_.surprises) {
    if (known.process == process && known.body == reinterpret_cast<std::uintptr_t>(body))
      return &known;
  }
  return nullptr;
}

void Sections::restart_with(const std::vector<Touched>& widest, std::uint64_t (*body)(void*)) {
  Surprise* known = surprise_of(self().id, body);
  if (known == nullptr) {
    known = &learned_.surprises.emplace_back(
        Surprise{self().id, reinterpret_cast<std::uintptr_t>(body), {}});
  }
  widen(known->touched, widest);
  scheduler_.restart();
}

// Runs the section and takes its writes back. It may fail there, in this state.
void Sections::rehearse(std::uint64_t (*body)(void*), void* argument) {
  state_.section = Section::rehearsal;
  state_.touched.clear();
  state_.undo.clear();
  std::jmp_buf exit;
  rehearsal_exit_ = &exit;
  const FloatingPoint before = floating_point();
  if (setjmp(exit) == 0) {
    inside_engine = false;
    body(argument);
  }
  inside_engine = true;
  state_.section = Section::none;
  set_floating_point(before);
  undo_writes(state_.section_frame);
}

void Sections::end_rehearsal() {
  MAZURKA_CHECK(rehearsal_exit_ != nullptr && state_.section == Section::rehearsal,
                "a rehearsal ends that is under way");
  std::longjmp(*rehearsal_exit_, 1);
}

ObjectId Sections::block_object() {
  return names_.object_for(reinterpret_cast<std::uintptr_t>(&verifier_lock), kind::mutex);
}

// In the program that has such blocks every access to memory waits until nobody is in one.
void Sections::heed_blocks(std::vector<Access>& accesses) {
  if (!learned_.has_blocks) return;
  accesses.push_back(Mutex::access(block_object(), mutex_mode::heed));
}

void Sections::announce(const Operation& operation, bool enabled, bool released) {
  if (!in_block()) {
    const bool waits = state_.block_shown && heeds_blocks(operation.accesses);
    run().announce(self().id, operation, enabled && !waits, released);
    return;
  }
  in_block_.assign(operation.accesses.begin(), operation.accesses.end());
  in_block_.push_back(Mutex::access(block_object(), mutex_mode::hold));
  run().announce(self().id, {in_block_, operation.awaited, operation.exits}, enabled, released);
  show_block();
}

std::uint64_t Sections::value_of_block() { return mutexes_.of(block_object()).value(); }

bool Sections::heeds_blocks(Footprint footprint) {
  return std::any_of(footprint.begin(), footprint.end(), [](const Access& one) {
    return one.kind == kind::mutex && one.mode == mutex_mode::heed;
  });
}

// The current process takes a step in the middle of its block: others see that it is in there.
void Sections::show_block() {
  if (state_.block_shown) return;
  state_.block_shown = true;
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    const auto other = static_cast<ProcessId>(at);
    if (run().is_enabled(other) && heeds_blocks(run().footprint(other))) run().enable(other, false);
  }
}

void Sections::begin_block() {
  if (self().blocks != 0) {
    ++self().blocks;
    return;
  }
  EngineScope scope;
  if (!learned_.has_blocks) {
    learned_.has_blocks = true;
    scheduler_.restart();
    leave();
  }
  const ObjectId object = block_object();
  const bool visible = !alone() || !mutexes_.of(object).is_free();
  if (visible) {
    note(Action::section, 0);
    scratch_.clear();
    scratch_.push_back(Mutex::access(object, mutex_mode::begin));
    mutexes_.wait_for_turn(object, scratch_);
    record(Action::section, 0);
    state_.quiet = true;
    commit();
  }
  mutexes_.take(object);
  state_.undo.clear();
  self().blocks = 1;
}

void Sections::end_block() {
  if (self().blocks == 0 || --self().blocks != 0) return;
  EngineScope scope;
  MAZURKA_CHECK(mutexes_.of(block_object()).owner() == self().id, "a process ends its own block");
  state_.undo.clear();
  mutexes_.give_back(block_object());
  if (!state_.block_shown) return;
  state_.block_shown = false;
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    const auto other = static_cast<ProcessId>(at);
    const Process* one = state_.processes.find(other);
    if (one == nullptr || one->finished || other == self().id) continue;
    if (heeds_blocks(run().footprint(other))) run().enable(other, true);
  }
}

void Sections::take_back_block(const void* live_from) {
  if (self().blocks == 0) return;
  EngineScope scope;
  undo_writes(reinterpret_cast<std::uintptr_t>(live_from));
  self().blocks = 1;
  end_block();
}

void Sections::perform(std::uint64_t (*body)(void*), void* argument) {
  if (state_.section != Section::none) {  // within another one: part of it
    body(argument);
    return;
  }
  EngineScope scope;
  Process& own = self();
  state_.section_frame = reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa());
  const std::size_t nth = own.sections++;
  if (learned_.widest.size() <= index(own.id)) learned_.widest.resize(index(own.id) + 1);
  if (learned_.widest[index(own.id)].size() <= nth) learned_.widest[index(own.id)].resize(nth + 1);

  const bool visible = !alone();
  if (visible) {
    const bool known = !learned_.widest[index(own.id)][nth].empty();
    rehearse(body, argument);
    std::vector<Touched>& widest = learned_.widest[index(own.id)][nth];
    if (const Surprise* surprise = surprise_of(own.id, body)) widen(widest, surprise->touched);
    if (widen(widest, state_.touched) && known) restart_with(widest, body);
    if (scheduler_.must_restart()) leave();
    scratch_.clear();
    for (const Touched& one : widest) {
      scratch_.push_back({one.object, kind::memory, one.mode, 0});
    }
    note(Action::section, 0);
    park({scratch_, no_process, false}, true);
    record(Action::section, 0);
    commit();
  }
  MAZURKA_CHECK(state_.section == Section::none && state_.undo.empty(),
                "a rehearsal was taken back");
  state_.section = Section::performance;
  state_.section_frame =
      reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa());  // others had sections
  state_.touched.clear();
  inside_engine = false;
  const std::uint64_t result = body(argument);
  inside_engine = true;
  state_.section = Section::none;
  tell(result);
  if (visible && widen(learned_.widest[index(own.id)][nth], state_.touched)) {
    restart_with(learned_.widest[index(own.id)][nth], body);
    leave();
  }
}

}  // namespace mazurka::threads
