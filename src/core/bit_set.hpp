// Sets of small numbers as bits.
//
// `BitSet` grows as needed and never shrinks; numbers below 64, which are nearly always all there
// are, need no memory of their own. Of the others it knows which words have members at all: a set
// of a few large numbers costs little more than one of small ones. The functions above it are for
// rows of words in somebody else's memory: relations, and sets of one size of which there are very
// many.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/check.hpp"

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
  /// Requires: the id of a member.
  void insert(Id id) {
    MAZURKA_CHECK(id != none, "`none` is no member of a set");
    const std::size_t at = number(id) / word_bits;
    if (at == 0) {
      first_ |= bit_of(number(id));
      return;
    }
    if (at > more_.size()) grow(at);
    more_[at - 1] |= bit_of(number(id));
    mazurka::insert(used_.data(), at - 1);
  }
  void erase(Id id) {
    const std::size_t at = number(id) / word_bits;
    if (at == 0) {
      first_ &= ~bit_of(number(id));
    } else if (at < words()) {
      more_[at - 1] &= ~bit_of(number(id));
      if (more_[at - 1] == 0) used_[(at - 1) / word_bits] &= ~bit_of(at - 1);
    }
  }
  void clear() {
    first_ = 0;
    for_each_bit(used_.data(), used_.size(), [&](std::size_t at) { more_[at] = 0; });
    std::fill(used_.begin(), used_.end(), 0);
  }

  friend bool operator==(const BitSet& one, const BitSet& other) {
    return one.first_without(other) == none && other.first_without(one) == none;
  }

  BitSet& operator|=(const BitSet& other) {
    if (more_.size() < other.more_.size()) grow(other.more_.size());
    first_ |= other.first_;
    for_each_bit(other.used_.data(), other.used_.size(), [&](std::size_t at) {
      more_[at] |= other.more_[at];
      mazurka::insert(used_.data(), at);
    });
    return *this;
  }
  BitSet& operator&=(const BitSet& other) {
    first_ &= other.first_;
    for_each_bit(used_.data(), used_.size(), [&](std::size_t at) {
      more_[at] &= at < other.more_.size() ? other.more_[at] : 0;
      if (more_[at] == 0) used_[at / word_bits] &= ~bit_of(at);
    });
    return *this;
  }
  BitSet& operator-=(const BitSet& other) {
    first_ &= ~other.first_;
    for_each_bit(used_.data(), used_.size(), [&](std::size_t at) {
      if (at < other.more_.size()) more_[at] &= ~other.more_[at];
      if (more_[at] == 0) used_[at / word_bits] &= ~bit_of(at);
    });
    return *this;
  }
  [[nodiscard]] bool meets(const BitSet& other) const {
    if ((first_ & other.first_) != 0) return true;
    const auto common = [&](std::size_t at) {
      return at < other.more_.size() && (more_[at] & other.more_[at]) != 0;
    };
    return first_used_that(common) != nowhere;
  }

  [[nodiscard]] bool empty() const {
    return first_ == 0 &&
           std::all_of(used_.begin(), used_.end(), [](Word one) { return one == 0; });
  }
  [[nodiscard]] std::size_t size() const {
    auto count = static_cast<std::size_t>(std::popcount(first_));
    for_each_bit(used_.data(), used_.size(), [&](std::size_t at) {
      count += static_cast<std::size_t>(std::popcount(more_[at]));
    });
    return count;
  }

  /// The smallest member that is not in `without`, or none.
  [[nodiscard]] Id first_without(const BitSet& without) const {
    return first_without(without, without);
  }
  [[nodiscard]] Id first_without(const BitSet& one, const BitSet& other) const {
    const Word left = first_ & ~one.first_ & ~other.first_;
    if (left != 0) return id(0, static_cast<std::size_t>(std::countr_zero(left)));
    const auto rest = [&](std::size_t at) {
      Word word = more_[at];
      if (at < one.more_.size()) word &= ~one.more_[at];
      if (at < other.more_.size()) word &= ~other.more_[at];
      return word;
    };
    const std::size_t at = first_used_that([&](std::size_t word) { return rest(word) != 0; });
    if (at == nowhere) return none;
    return id(at + 1, static_cast<std::size_t>(std::countr_zero(rest(at))));
  }
  /// The smallest member that fits, or none.
  template <typename Fits>
  [[nodiscard]] Id first_that(Fits&& fits) const {
    std::size_t found = word_bits;
    const auto fits_one_of = [&](std::size_t at) {
      found = first_bit_that(word(at), [&](std::size_t bit) { return fits(id(at, bit)); });
      return found != word_bits;
    };
    if (fits_one_of(0)) return id(0, found);
    const std::size_t at = first_used_that([&](std::size_t one) { return fits_one_of(one + 1); });
    return at == nowhere ? none : id(at + 1, found);
  }
  /// The largest member, or none.
  [[nodiscard]] Id last() const {
    for (std::size_t at = used_.size(); at-- > 0;) {
      if (used_[at] == 0) continue;
      const std::size_t word = at * word_bits + highest(used_[at]);
      return id(word + 1, highest(more_[word]));
    }
    return first_ == 0 ? none : id(0, highest(first_));
  }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for_each_bit(first_, [&](std::size_t bit) { visit(id(0, bit)); });
    for_each_large_member(visit);
  }
  /// The members below 64, a bit for each; and the others.
  [[nodiscard]] Word small_members() const { return first_; }
  template <typename Visit>
  void for_each_large_member(Visit&& visit) const {
    for_each_bit(used_.data(), used_.size(), [&](std::size_t at) {
      for_each_bit(more_[at], [&](std::size_t bit) { visit(id(at + 1, bit)); });
    });
  }

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  [[nodiscard]] static constexpr std::size_t highest(Word word) {
    return static_cast<std::size_t>(std::bit_width(word)) - 1;
  }
  void grow(std::size_t size) {
    more_.resize(size, 0);
    used_.resize(words_for(size), 0);
  }
  /// The first of the words with members, behind the first word, that fits; or nowhere.
  template <typename Fits>
  [[nodiscard]] std::size_t first_used_that(Fits&& fits) const {
    for (std::size_t at = 0; at < used_.size(); ++at) {
      const std::size_t bit =
          first_bit_that(used_[at], [&](std::size_t one) { return fits(at * word_bits + one); });
      if (bit != word_bits) return at * word_bits + bit;
    }
    return nowhere;
  }
  [[nodiscard]] static constexpr std::size_t number(Id id) { return static_cast<std::size_t>(id); }
  [[nodiscard]] static constexpr Id id(std::size_t at, std::size_t bit) {
    return static_cast<Id>(at * word_bits + bit);
  }
  [[nodiscard]] std::size_t words() const { return 1 + more_.size(); }
  [[nodiscard]] Word word(std::size_t at) const { return at == 0 ? first_ : more_[at - 1]; }

  Word first_ = 0;
  std::vector<Word> more_;
  std::vector<Word> used_;  // a bit for each word in more_: whether it is not zero
};

}  // namespace mazurka
