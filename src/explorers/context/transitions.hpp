// What steps led to, from states seen lately.
//
// A state is known by its fingerprint, and in a state a process has one next step: so a transition
// is (state, process) -> state. Remembering some of them tells whether two steps commute in a state
// without performing anything: both ways round lead to one state, or they do not. A table that does
// not grow for ever: past its limit a new transition takes an old one's place, and what is
// forgotten is only pruned less.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"

namespace mazurka {

class Transitions {
 public:
  void learn(const Fingerprint& state, ProcessId process, const Fingerprint& next) {
    if (slots_.empty()) slots_.resize(first_size);
    const Slot fresh{state, next, process};
    while (!place(fresh)) {
      if (slots_.size() >= last_size) {
        slots_[home(fresh)] = fresh;
        return;
      }
      grow();
    }
  }
  /// What the process's step led to, or null if it is not known (any more).
  [[nodiscard]] const Fingerprint* find(const Fingerprint& state, ProcessId process) const {
    if (slots_.empty()) return nullptr;
    const Slot wanted{state, {}, process};
    const std::size_t first = home(wanted);
    for (std::size_t at = first; at < first + neighbours; ++at) {
      if (slots_[at].process == no_process) return nullptr;
      if (slots_[at].same(wanted)) return &slots_[at].next;
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t first_size = std::size_t{1} << 12;
  static constexpr std::size_t last_size = std::size_t{1} << 20;
  static constexpr std::size_t neighbours = 8;  // among which a transition may be placed
  struct Slot {
    Fingerprint state;
    Fingerprint next;
    ProcessId process = no_process;

    [[nodiscard]] bool same(const Slot& other) const {
      return process == other.process && state == other.state;
    }
  };

  [[nodiscard]] std::size_t home(const Slot& slot) const {
    const std::uint64_t mixed = slot.state.low + index(slot.process) * 0x9e3779b97f4a7c15U;
    return mixed % slots_.size() / neighbours * neighbours;
  }
  bool place(const Slot& fresh) {
    const std::size_t first = home(fresh);
    for (std::size_t at = first; at < first + neighbours; ++at) {
      if (slots_[at].process != no_process && !slots_[at].same(fresh)) continue;
      slots_[at] = fresh;
      return true;
    }
    return false;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    std::swap(old, slots_);
    for (const Slot& slot : old) {
      if (slot.process != no_process) (void)place(slot);  // there is room: a group becomes two
    }
  }

  std::vector<Slot> slots_;
};

}  // namespace mazurka
