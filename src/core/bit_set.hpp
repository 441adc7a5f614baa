// Sets of small numbers as bits.
//
// `BitSet` grows as needed and never shrinks; numbers below 64, which are nearly always all there
// are, need no memory of their own. The functions above it are for rows of words in somebody else's
// memory: relations, and sets of one size of which there are very many.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mazurka {

using Word = std::uint64_t;
inline constexpr std::size_t word_bits = 64;

[[nodiscard]] constexpr std::size_t words_for(std::size_t bits) {
  return (bits + word_bits - 1) / word_bits;
}
/// The word that has just this one of its bits.
[[nodiscard]] constexpr Word bit_of(std::size_t bit) { return Word{1} << (bit % word_bits); }

[[nodiscard]] inline bool contains(const Word* set, std::size_t bit) {
  return (set[bit / word_bits] & bit_of(bit)) != 0;
}
inline void insert(Word* set, std::size_t bit) { set[bit / word_bits] |= bit_of(bit); }

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

/// The first bit of the word for which `fits` is true, or word_bits.
template <typename Fits>
[[nodiscard]] constexpr std::size_t first_bit_that(Word word, Fits&& fits) {
  for (Word left = word; left != 0; left &= left - 1) {
    const auto bit = static_cast<std::size_t>(std::countr_zero(left));
    if (fits(bit)) return bit;
  }
  return word_bits;
}
template <typename Visit>
constexpr void for_each_bit(Word word, Visit&& visit) {
  for (Word left = word; left != 0; left &= left - 1) {
    visit(static_cast<std::size_t>(std::countr_zero(left)));
  }
}
template <typename Visit>
void for_each_bit(const Word* set, std::size_t words, Visit&& visit) {
  for (std::size_t at = 0; at < words; ++at) {
    for_each_bit(set[at], [&](std::size_t bit) { visit(at * word_bits + bit); });
  }
}

/// A set of ids; `none` is the id that stands for no member.
template <typename Id, Id none>
class BitSet {
 public:
  [[nodiscard]] bool contains(Id id) const {
    const std::size_t at = number(id) / word_bits;
    return at < words() && (word(at) & bit_of(number(id))) != 0;
  }
  void insert(Id id) {
    const std::size_t at = number(id) / word_bits;
    if (at > more_.size()) more_.resize(at, 0);
    word(at) |= bit_of(number(id));
  }
  void erase(Id id) {
    const std::size_t at = number(id) / word_bits;
    if (at < words()) word(at) &= ~bit_of(number(id));
  }
  void clear() {
    first_ = 0;
    std::fill(more_.begin(), more_.end(), 0);
  }

  friend bool operator==(const BitSet& one, const BitSet& other) {
    return one.first_without(other) == none && other.first_without(one) == none;
  }

  BitSet& operator|=(const BitSet& other) {
    if (more_.size() < other.more_.size()) more_.resize(other.more_.size(), 0);
    first_ |= other.first_;
    for (std::size_t at = 0; at < other.more_.size(); ++at) more_[at] |= other.more_[at];
    return *this;
  }
  BitSet& operator&=(const BitSet& other) {
    if (more_.size() > other.more_.size()) more_.resize(other.more_.size());
    first_ &= other.first_;
    for (std::size_t at = 0; at < more_.size(); ++at) more_[at] &= other.more_[at];
    return *this;
  }
  BitSet& operator-=(const BitSet& other) {
    first_ &= ~other.first_;
    const std::size_t common = std::min(more_.size(), other.more_.size());
    for (std::size_t at = 0; at < common; ++at) more_[at] &= ~other.more_[at];
    return *this;
  }
  [[nodiscard]] bool meets(const BitSet& other) const {
    if ((first_ & other.first_) != 0) return true;
    return meet(more_.data(), other.more_.data(), std::min(more_.size(), other.more_.size()));
  }

  [[nodiscard]] bool empty() const {
    return first_ == 0 &&
           std::all_of(more_.begin(), more_.end(), [](Word one) { return one == 0; });
  }
  [[nodiscard]] std::size_t size() const {
    auto count = static_cast<std::size_t>(std::popcount(first_));
    for (const Word one : more_) count += static_cast<std::size_t>(std::popcount(one));
    return count;
  }

  /// The smallest member that is not in `without`, or none.
  [[nodiscard]] Id first_without(const BitSet& without) const {
    return first_without(without, without);
  }
  [[nodiscard]] Id first_without(const BitSet& one, const BitSet& other) const {
    for (std::size_t at = 0; at < words(); ++at) {
      Word left = word(at);
      if (at < one.words()) left &= ~one.word(at);
      if (at < other.words()) left &= ~other.word(at);
      if (left != 0) return id(at, static_cast<std::size_t>(std::countr_zero(left)));
    }
    return none;
  }
  /// The smallest member that fits, or none.
  template <typename Fits>
  [[nodiscard]] Id first_that(Fits&& fits) const {
    for (std::size_t at = 0; at < words(); ++at) {
      const std::size_t bit =
          first_bit_that(word(at), [&](std::size_t one) { return fits(id(at, one)); });
      if (bit != word_bits) return id(at, bit);
    }
    return none;
  }
  /// The largest member, or none.
  [[nodiscard]] Id last() const {
    for (std::size_t at = words(); at-- > 0;) {
      if (word(at) != 0) return id(at, static_cast<std::size_t>(std::bit_width(word(at))) - 1);
    }
    return none;
  }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for_each_from(0, visit);
  }
  /// The members below 64, a bit for each; and the others.
  [[nodiscard]] Word small_members() const { return first_; }
  template <typename Visit>
  void for_each_large_member(Visit&& visit) const {
    for_each_from(1, visit);
  }

 private:
  template <typename Visit>
  void for_each_from(std::size_t first, Visit&& visit) const {
    for (std::size_t at = first; at < words(); ++at) {
      for_each_bit(word(at), [&](std::size_t bit) { visit(id(at, bit)); });
    }
  }
  [[nodiscard]] static constexpr std::size_t number(Id id) { return static_cast<std::size_t>(id); }
  [[nodiscard]] static constexpr Id id(std::size_t at, std::size_t bit) {
    return static_cast<Id>(at * word_bits + bit);
  }
  [[nodiscard]] std::size_t words() const { return 1 + more_.size(); }
  [[nodiscard]] Word word(std::size_t at) const { return at == 0 ? first_ : more_[at - 1]; }
  [[nodiscard]] Word& word(std::size_t at) { return at == 0 ? first_ : more_[at - 1]; }

  Word first_ = 0;
  std::vector<Word> more_;
};

}  // namespace mazurka
