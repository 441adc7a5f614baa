// Bit sets of a size that is fixed per exploration, as plain rows of words.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mazurka::stateful {

using Word = std::uint64_t;

[[nodiscard]] constexpr std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

[[nodiscard]] inline bool contains(const Word* set, std::size_t bit) {
  return (set[bit / 64] >> (bit % 64) & 1U) != 0;
}
inline void insert(Word* set, std::size_t bit) { set[bit / 64] |= Word{1} << (bit % 64); }

[[nodiscard]] inline bool subset(const Word* one, const Word* other, std::size_t words) {
  for (std::size_t at = 0; at < words; ++at) {
    if ((one[at] & ~other[at]) != 0) return false;
  }
  return true;
}
[[nodiscard]] inline bool meet(const Word* one, const Word* other, std::size_t words) {
  for (std::size_t at = 0; at < words; ++at) {
    if ((one[at] & other[at]) != 0) return true;
  }
  return false;
}
/// Adds `other`; true if that changed something.
inline bool unite(Word* one, const Word* other, std::size_t words) {
  Word changed = 0;
  for (std::size_t at = 0; at < words; ++at) {
    changed |= other[at] & ~one[at];
    one[at] |= other[at];
  }
  return changed != 0;
}

template <typename Visit>
void for_each_bit(const Word* set, std::size_t words, Visit&& visit) {
  for (std::size_t at = 0; at < words; ++at) {
    for (Word word = set[at]; word != 0; word &= word - 1) {
      visit(at * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
}

/// A set that is emptied in constant time: members carry the number of the current round.
class RoundSet {
 public:
  void resize(std::size_t size) { marks_.assign(size, 0); }
  void clear() {
    if (++round_ == 0) {
      marks_.assign(marks_.size(), 0);
      round_ = 1;
    }
  }
  [[nodiscard]] bool contains(std::size_t at) const { return marks_[at] == round_; }
  /// True if it was not a member.
  bool insert(std::size_t at) {
    if (marks_[at] == round_) return false;
    marks_[at] = round_;
    return true;
  }

 private:
  std::vector<std::uint32_t> marks_;
  std::uint32_t round_ = 1;
};

}  // namespace mazurka::stateful
