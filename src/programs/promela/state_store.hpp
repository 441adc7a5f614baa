// The set of visited states of a model. Their sizes differ, because processes come and go: they lie
// one after the other in large blocks that never move, and are known by number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/check.hpp"

namespace mazurka::promela {

class StateStore {
 public:
  using Id = std::uint32_t;
  static constexpr Id nobody = 0xffffffffU;
  struct Inserted {
    Id id = 0;
    bool fresh = false;
  };

  StateStore() : slots_(std::size_t{1} << 12, nobody) {}

  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] std::span<const std::uint8_t> operator[](Id id) const {
    MAZURKA_CHECK(id < states_.size(), "a state is asked for that is in the store");
    std::uint32_t length = 0;
    std::memcpy(&length, states_[id], sizeof length);
    return {states_[id] + sizeof length, length};
  }
  [[nodiscard]] std::size_t bytes() const {
    return reserved_ + slots_.size() * sizeof(Id) +
           states_.size() * (sizeof(const std::uint8_t*) + 1);
  }

  [[nodiscard]] bool contains(std::span<const std::uint8_t> state) const {
    const std::uint64_t code = hash(state);
    const auto tag = static_cast<std::uint8_t>(code >> 56);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = code & mask; slots_[at] != nobody; at = (at + 1) & mask) {
      if (tags_[slots_[at]] == tag && same(slots_[at], state)) return true;
    }
    return false;
  }

  Inserted insert(std::span<const std::uint8_t> state) {
    const std::uint64_t code = hash(state);
    const auto tag = static_cast<std::uint8_t>(code >> 56);
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = code & mask;
    for (; slots_[at] != nobody; at = (at + 1) & mask) {
      if (tags_[slots_[at]] == tag && same(slots_[at], state)) return {slots_[at], false};
    }
    if (states_.size() == nobody) throw std::length_error("more than 4294967295 states");
    const auto fresh = static_cast<Id>(states_.size());
    slots_[at] = fresh;
    append(state);
    tags_.push_back(tag);
    MAZURKA_CHECK(tags_.size() == states_.size(), "each state has its tag");
    if (states_.size() * 4 > slots_.size() * 3) grow();
    // Ensures: there is always a free slot, at which a search ends.
    MAZURKA_CHECK(states_.size() < slots_.size(), "a table of states has free slots");
    return {fresh, true};
  }

 private:
  static constexpr std::size_t block_size = std::size_t{1} << 22;

  [[nodiscard]] static std::uint64_t hash(std::span<const std::uint8_t> state) {
    std::uint64_t code = state.size() * 0x9e3779b97f4a7c15U;
    std::size_t at = 0;
    for (; at + 8 <= state.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, state.data() + at, sizeof word);
      code = mixed(code ^ word);
    }
    std::uint64_t word = 0;
    if (at < state.size()) std::memcpy(&word, state.data() + at, state.size() - at);
    code = mixed(code ^ word);
    return code ^ (code >> 29);
  }
  [[nodiscard]] static std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93U;
    return value ^ (value >> 29);
  }
  [[nodiscard]] bool same(Id id, std::span<const std::uint8_t> state) const {
    const std::span<const std::uint8_t> known = (*this)[id];
    return known.size() == state.size() &&
           std::memcmp(known.data(), state.data(), state.size()) == 0;
  }
  void append(std::span<const std::uint8_t> state) {
    const auto length = static_cast<std::uint32_t>(state.size());
    const std::size_t needed = sizeof length + state.size();
    if (used_ + needed > room_) {
      room_ = std::max(block_size, needed);  // a state may be larger than a block
      blocks_.push_back(std::make_unique_for_overwrite<std::uint8_t[]>(room_));
      reserved_ += room_;
      used_ = 0;
    }
    MAZURKA_CHECK(used_ + needed <= room_, "a state lies inside of its block");
    std::uint8_t* place = blocks_.back().get() + used_;
    std::memcpy(place, &length, sizeof length);
    std::memcpy(place + sizeof length, state.data(), state.size());
    used_ += needed;
    states_.push_back(place);
  }
  void grow() {
    slots_.assign(slots_.size() * 2, nobody);
    const std::size_t mask = slots_.size() - 1;
    for (Id id = 0; id < states_.size(); ++id) {
      std::size_t at = hash((*this)[id]) & mask;
      while (slots_[at] != nobody) at = (at + 1) & mask;
      slots_[at] = id;
    }
  }

  std::vector<std::unique_ptr<std::uint8_t[]>> blocks_;
  std::size_t used_ = 0;  // of the latest block
  std::size_t room_ = 0;  // in it
  std::size_t reserved_ = 0;
  std::vector<const std::uint8_t*> states_;
  std::vector<std::uint8_t> tags_;
  std::vector<Id> slots_;
};

}  // namespace mazurka::promela
