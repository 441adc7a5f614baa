// The states from which everything has been explored.
//
// A state is known by its fingerprint. With each goes a number for what may still happen from there
// (explorers/context/prospects.hpp): whoever arrives again needs that and nothing else. A table
// that does not grow for ever: past its limit a new state takes an old one's place, and what is
// forgotten is explored again if the search gets there again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.hpp"

namespace mazurka {

class KnownStates {
 public:
  void insert(const Fingerprint& state, std::uint32_t prospects) {
    if (slots_.empty()) slots_.resize(first_size);
    while (!place({state, prospects, true})) {
      if (slots_.size() >= last_size) {
        slots_[home(state)] = {state, prospects, true};
        return;
      }
      grow();
    }
  }
  /// The number that was given for the state, or null if it is not known.
  [[nodiscard]] const std::uint32_t* find(const Fingerprint& state) const {
    if (slots_.empty()) return nullptr;
    for (std::size_t at = 0; at < neighbours; ++at) {
      const Slot& slot = slots_[(home(state) + at) % slots_.size()];
      if (!slot.used) return nullptr;
      if (slot.state == state) return &slot.prospects;
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t first_size = std::size_t{1} << 10;
  static constexpr std::size_t last_size = std::size_t{1} << 23;
  static constexpr std::size_t neighbours = 16;
  struct Slot {
    Fingerprint state;
    std::uint32_t prospects = 0;
    bool used = false;
  };

  [[nodiscard]] std::size_t home(const Fingerprint& state) const {
    return state.low % slots_.size();
  }
  bool place(const Slot& fresh) {
    for (std::size_t at = 0; at < neighbours; ++at) {
      Slot& slot = slots_[(home(fresh.state) + at) % slots_.size()];
      if (slot.used && slot.state != fresh.state) continue;
      slot = fresh;
      return true;
    }
    return false;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    std::swap(old, slots_);
    for (const Slot& slot : old) {
      if (slot.used) (void)place(slot);  // one without room is forgotten
    }
  }

  std::vector<Slot> slots_;
};

}  // namespace mazurka
