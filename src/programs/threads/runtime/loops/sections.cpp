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
#include <algorithm>
#include <cstring>

#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

// Frames of the section's own functions are gone when it is over: they are no part of the state,
// and by the time its writes are taken back other functions live there.
bool Runtime::in_dead_frame(std::uintptr_t address, std::uintptr_t live_from) const {
  return in_own_stack(address) && address < live_from;
}

void Runtime::section_access(std::uintptr_t address, std::size_t size, bool write) {
  if (in_dead_frame(address, state_.section_frame)) return;
  if (state_.section == Section::rehearsal && write) {
    keep_for_undo(address, size);
  }
  if (state_.section == Section::performance && write && state_.tracking) {
    state_.tracker.will_write(address, size, !in_zone(address));
  }
  if (state_.section == Section::performance && in_zone(address)) visit_stack(address, size, write);
  if (in_zone(address) && in_stack_of(index(current_->id), address)) return;
  cells_.for_each(address, size, [&](ObjectId object) {
    const std::uint8_t mode = write ? memory_mode::section_write : memory_mode::section_read;
    for (Touched& known : state_.touched) {
      if (known.object != object) continue;
      if (write) known.mode = mode;
      return;
    }
    state_.touched.push_back({object, mode});
  });
}

void Runtime::keep_for_undo(std::uintptr_t address, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(address);
  state_.undo.push_back({address, std::vector<std::byte>(bytes, bytes + size)});
}

// `live_from`: the part of the process's own stack below is not the program's any more.
void Runtime::undo_writes(std::uintptr_t live_from) {
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

Surprise* Runtime::surprise_of(ProcessId process, std::uint64_t (*body)(void*)) {
  for (Surprise& known : learned_.surprises) {
    if (known.process == process && known.body == reinterpret_cast<std::uintptr_t>(body))
      return &known;
  }
  return nullptr;
}

void Runtime::restart_with(const std::vector<Touched>& widest, std::uint64_t (*body)(void*)) {
  Surprise* known = surprise_of(current_->id, body);
  if (known == nullptr) {
    known = &learned_.surprises.emplace_back(
        Surprise{current_->id, reinterpret_cast<std::uintptr_t>(body), {}});
  }
  widen(known->touched, widest);
  must_restart_ = true;
}

// Runs the section and takes its writes back. False: it fails there, in this state.
bool Runtime::rehearse(std::uint64_t (*body)(void*), void* argument) {
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
  return true;
}

ObjectId Runtime::block_object() {
  return object_for(reinterpret_cast<std::uintptr_t>(&verifier_lock), kind::mutex);
}

// In the program that has such blocks every access to memory waits until nobody is in one.
void Runtime::heed_blocks() {
  if (!learned_.has_blocks) return;
  scratch_.push_back({block_object(), kind::mutex, mutex_mode::heed, 0});
}

bool Runtime::heeds_blocks(Footprint footprint) const {
  return std::any_of(footprint.begin(), footprint.end(), [](const Access& one) {
    return one.kind == kind::mutex && one.mode == mutex_mode::heed;
  });
}

// The current process takes a step in the middle of its block: others see that it is in there.
void Runtime::show_block() {
  if (state_.block_shown) return;
  state_.block_shown = true;
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    const auto other = static_cast<ProcessId>(at);
    if (run_->is_enabled(other) && heeds_blocks(run_->footprint(other))) run_->enable(other, false);
  }
}

void Runtime::begin_block() {
  if (current_->blocks != 0) {
    ++current_->blocks;
    return;
  }
  EngineScope scope;
  if (!learned_.has_blocks) {
    learned_.has_blocks = must_restart_ = true;
    leave();
  }
  const ObjectId object = block_object();
  const bool visible = !alone() || mutex(object).owner != no_process;
  if (visible) {
    note(Action::section, 0);
    scratch_.clear();
    scratch_.push_back({object, kind::mutex, mutex_mode::begin, 0});
    wait_for_turn_to_lock(object, scratch_);
    record(Action::section, 0);
    state_.quiet = true;
    commit();
  }
  take(object);
  state_.undo.clear();
  current_->blocks = 1;
}

void Runtime::end_block() {
  if (current_->blocks == 0 || --current_->blocks != 0) return;
  EngineScope scope;
  state_.undo.clear();
  give_back(block_object());
  if (!state_.block_shown) return;
  state_.block_shown = false;
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    const auto other = static_cast<ProcessId>(at);
    const Process* one = state_.processes.find(other);
    if (one == nullptr || one->finished || other == current_->id) continue;
    if (heeds_blocks(run_->footprint(other))) run_->enable(other, true);
  }
}

void Runtime::take_back_block(const void* live_from) {
  if (current_->blocks == 0) return;
  EngineScope scope;
  undo_writes(reinterpret_cast<std::uintptr_t>(live_from));
  current_->blocks = 1;
  end_block();
}

void Runtime::atomic_section(std::uint64_t (*body)(void*), void* argument) {
  if (state_.section != Section::none) {  // within another one: part of it
    body(argument);
    return;
  }
  EngineScope scope;
  Process& self = *current_;
  state_.section_frame = reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa());
  const std::size_t nth = self.sections++;
  if (learned_.widest.size() <= index(self.id)) learned_.widest.resize(index(self.id) + 1);
  if (learned_.widest[index(self.id)].size() <= nth)
    learned_.widest[index(self.id)].resize(nth + 1);

  const bool visible = !alone();
  if (visible) {
    const bool known = !learned_.widest[index(self.id)][nth].empty();
    (void)rehearse(body, argument);
    std::vector<Touched>& widest = learned_.widest[index(self.id)][nth];
    if (const Surprise* surprise = surprise_of(self.id, body)) widen(widest, surprise->touched);
    if (widen(widest, state_.touched) && known) restart_with(widest, body);
    if (must_restart_) leave();
    scratch_.clear();
    for (const Touched& one : widest) {
      scratch_.push_back({one.object, kind::memory, one.mode, 0});
    }
    note(Action::section, 0);
    park({scratch_, no_process, false}, true);
    record(Action::section, 0);
    commit();
  }
  state_.section = Section::performance;
  state_.section_frame =
      reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa());  // others had sections
  state_.touched.clear();
  inside_engine = false;
  const std::uint64_t result = body(argument);
  inside_engine = true;
  state_.section = Section::none;
  tell(result);
  if (visible && widen(learned_.widest[index(self.id)][nth], state_.touched)) {
    restart_with(learned_.widest[index(self.id)][nth], body);
    leave();
  }
}

}  // namespace mazurka::threads
