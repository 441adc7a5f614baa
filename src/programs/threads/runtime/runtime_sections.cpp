// Indivisible sections: a piece of the program that runs as one step.
//
// A step's footprint must be known before it runs and must not depend on what happened to be in
// memory, or equivalent executions would disagree on what is dependent. So the section is
// *rehearsed* when the process arrives at it: it runs, what it touches is noted, and its writes are
// taken back. The footprint announced is the widest seen so far for this section of this process.
// When a later rehearsal or the performance itself touches more, the exploration starts again with
// the wider footprint; it can only grow, and ends at the union over all branches that occur.
#include <cstring>

#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

void Runtime::section_access(std::uintptr_t address, std::size_t size, bool write) {
  if (section_ == Section::rehearsal && write) {
    const auto* bytes = reinterpret_cast<const std::byte*>(address);
    undo_.push_back({address, std::vector<std::byte>(bytes, bytes + size)});
  }
  if (section_ == Section::performance && write && tracking_) states_.will_write(address, size);
  if (in_zone(address) && in_stack_of(index(current_->id), address)) return;
  cells_.for_each(address, size, [&](ObjectId object) {
    const std::uint8_t mode = write ? memory_mode::section_write : memory_mode::section_read;
    for (Touched& known : touched_) {
      if (known.object != object) continue;
      if (write) known.mode = mode;
      return;
    }
    touched_.push_back({object, mode});
  });
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

// Runs the section and takes its writes back. False: it fails there, in this state.
bool Runtime::rehearse(std::uint64_t (*body)(void*), void* argument) {
  section_ = Section::rehearsal;
  touched_.clear();
  undo_.clear();
  std::jmp_buf exit;
  rehearsal_exit_ = &exit;
  if (setjmp(exit) == 0) {
    inside_engine = false;
    body(argument);
  }
  inside_engine = true;
  section_ = Section::none;
  for (std::size_t at = undo_.size(); at-- > 0;) {
    std::memcpy(reinterpret_cast<void*>(undo_[at].address), undo_[at].bytes.data(),
                undo_[at].bytes.size());
  }
  return true;
}

void Runtime::atomic_section(std::uint64_t (*body)(void*), void* argument) {
  if (section_ != Section::none) {  // within another one: part of it
    body(argument);
    return;
  }
  EngineScope scope;
  Process& self = *current_;
  const std::size_t nth = self.sections++;
  if (widest_.size() <= index(self.id)) widest_.resize(index(self.id) + 1);
  if (widest_[index(self.id)].size() <= nth) widest_[index(self.id)].resize(nth + 1);

  const bool visible = !alone();
  if (visible) {
    const bool known = !widest_[index(self.id)][nth].empty();
    (void)rehearse(body, argument);
    if (widen(widest_[index(self.id)][nth], touched_) && known) must_restart_ = true;
    if (must_restart_) leave();
    scratch_.clear();
    for (const Touched& one : widest_[index(self.id)][nth]) {
      scratch_.push_back({one.object, kind::memory, one.mode, 0});
    }
    note(Action::section, 0);
    park({scratch_, no_process, false}, true);
    record(Action::section, 0);
    commit();
  }
  section_ = Section::performance;
  touched_.clear();
  inside_engine = false;
  const std::uint64_t result = body(argument);
  inside_engine = true;
  section_ = Section::none;
  if (tracking_) states_.tell(self.id, result);
  if (visible && widen(widest_[index(self.id)][nth], touched_)) {
    must_restart_ = true;
    leave();
  }
}

}  // namespace mazurka::threads
