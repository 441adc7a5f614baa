// What steps led to, from states seen lately.
//
// A state is known by its fingerprint, and in a state a process has one next step: so a transition
// is (state, process) -> state. Remembering some of them tells whether two steps commute in a state
// without performing anything: both ways round lead to one state, or they do not. A new transition
// takes the place of whatever was in its slot; what is forgotten is only pruned less.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"

namespace mazurka {

class Transitions {
 public:
  void learn(const Fingerprint& state, ProcessId process, const Fingerprint& next) {
    if (slots_.empty()) slots_.resize(size);
    slots_[slot(state, process)] = {state, next, process};
  }
  /// What the process's step led to, or null if it is not known (any more).
  [[nodiscard]] const Fingerprint* find(const Fingerprint& state, ProcessId process) const {
    if (slots_.empty()) return nullptr;
    const Slot& found = slots_[slot(state, process)];
    return found.process == process && found.state == state ? &found.next : nullptr;
  }

 private:
  static constexpr std::size_t size = std::size_t{1} << 16;
  struct Slot {
    Fingerprint state;
    Fingerprint next;
    ProcessId process = no_process;
  };
  static std::size_t slot(const Fingerprint& state, ProcessId process) {
    return (state.low + index(process) * 0x9e3779b97f4a7c15U) % size;
  }
  std::vector<Slot> slots_;
};

}  // namespace mazurka
