// The set of visited states: flat open addressing over packed states.
//
// States live in an arena in the order in which they were found, so that a state is a 32-bit
// number, the arena doubles as the queue of a breadth-first search, and growing never moves a
// state. The index has a byte of hash per slot, so that almost every comparison with the arena is
// the one that succeeds, and the number of the state. Probing is linear, the load at most 3/4.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/check.hpp"
#include "explorers/stateful/bits.hpp"

namespace mazurka::stateful {

using StateId = std::uint32_t;
inline constexpr StateId no_state = 0xffffffffU;

class StateTable {
 public:
  struct Inserted {
    StateId state = 0;
    bool fresh = false;
  };

  enum class Size : bool { usual, small };  // small: one of many

  explicit StateTable(std::size_t words, Size size = Size::usual) : words_(words) {
    const std::size_t words_per_chunk = std::size_t{1} << (size == Size::usual ? 17 : 12);
    while ((std::size_t{1} << chunk_bits_) * words_ > words_per_chunk && chunk_bits_ > 4) {
      --chunk_bits_;
    }
    resize(std::size_t{1} << (size == Size::usual ? 12 : 6));
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Word* operator[](StateId state) const {
    return chunks_[state >> chunk_bits_].get() +
           (state & ((StateId{1} << chunk_bits_) - 1)) * words_;
  }
  [[nodiscard]] std::size_t bytes() const {
    return chunks_.size() * (std::size_t{1} << chunk_bits_) * words_ * sizeof(Word) +
           tags_.size() * (sizeof(std::uint8_t) + sizeof(StateId));
  }

  /// Starts fetching what insert() will look at first.
  void prefetch(Word hash) const {
    __builtin_prefetch(&tags_[slot_of(hash)]);
    __builtin_prefetch(&states_[slot_of(hash)]);
  }
  /// Starts fetching the state that is most likely the one.
  void prefetch_state(Word hash) const {
    for (std::size_t at = slot_of(hash); tags_[at] != 0; at = (at + 1) & mask_) {
      if (tags_[at] == tag_of(hash)) {
        __builtin_prefetch((*this)[states_[at]]);
        return;
      }
    }
  }

  /// The state's number, or no_state.
  [[nodiscard]] StateId find(const Word* state, Word hash) const {
    const std::uint8_t tag = tag_of(hash);
    for (std::size_t at = slot_of(hash); tags_[at] != 0; at = (at + 1) & mask_) {
      if (tags_[at] == tag && same((*this)[states_[at]], state)) return states_[at];
    }
    return no_state;
  }

  Inserted insert(const Word* state, Word hash) {
    std::size_t at = slot_of(hash);
    const std::uint8_t tag = tag_of(hash);
    for (; tags_[at] != 0; at = (at + 1) & mask_) {
      if (tags_[at] == tag && same((*this)[states_[at]], state)) return {states_[at], false};
    }
    MAZURKA_CHECK(size_ * 4 < tags_.size() * 3 + 4, "there is room in the index (reserve)");
    const StateId fresh = append(state);
    tags_[at] = tag;
    states_[at] = fresh;
    return {fresh, true};
  }

  /// Makes room for so many more states; insert() itself never moves the index.
  template <typename HashOf>
  void reserve(std::size_t more, HashOf&& hash_of) {
    if ((size_ + more) * 4 <= tags_.size() * 3) return;
    std::size_t slots = tags_.size();
    while ((size_ + more) * 4 > slots * 3) slots *= 2;
    resize(slots);
    for (std::size_t state = 0; state < size_; ++state) {
      const auto id = static_cast<StateId>(state);
      const Word hash = hash_of((*this)[id]);
      std::size_t at = slot_of(hash);
      while (tags_[at] != 0) at = (at + 1) & mask_;
      tags_[at] = tag_of(hash);
      states_[at] = id;
    }
  }

 private:
  // The sum of mixed words has good bits everywhere; slot and tag take different ones.
  [[nodiscard]] std::size_t slot_of(Word hash) const { return (hash >> 8) & mask_; }
  [[nodiscard]] static std::uint8_t tag_of(Word hash) {
    return static_cast<std::uint8_t>((hash & 0xffU) | 1U);
  }
  [[nodiscard]] bool same(const Word* one, const Word* other) const {
    if (words_ == 1) return *one == *other;
    return std::memcmp(one, other, words_ * sizeof(Word)) == 0;
  }
  void resize(std::size_t slots) {
    tags_ = std::vector<std::uint8_t>(slots, 0);
    states_ = std::vector<StateId>();
    states_ = std::vector<StateId>(slots);
    MAZURKA_CHECK((slots & (slots - 1)) == 0, "the number of slots is a power of two");
    mask_ = slots - 1;
  }
  StateId append(const Word* state) {
    if (size_ == no_state) throw std::length_error("more than 4294967295 states");
    const auto fresh = static_cast<StateId>(size_++);
    if ((fresh >> chunk_bits_) == chunks_.size()) {
      chunks_.push_back(
          std::make_unique_for_overwrite<Word[]>((std::size_t{1} << chunk_bits_) * words_));
    }
    Word* place = chunks_.back().get() + (fresh & ((StateId{1} << chunk_bits_) - 1)) * words_;
    std::memcpy(place, state, words_ * sizeof(Word));
    return fresh;
  }

  std::size_t words_;
  unsigned chunk_bits_ = 14;
  std::size_t size_ = 0;
  std::size_t mask_ = 0;
  std::vector<std::unique_ptr<Word[]>> chunks_;
  std::vector<std::uint8_t> tags_;
  std::vector<StateId> states_;
};

}  // namespace mazurka::stateful
