// The nodes of a path at which something is still to be explored.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mazurka {

/// A set of nodes of which only the deepest is ever asked for.
class OpenNodes {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void insert(std::size_t node) {
    if (words_.size() <= node / 64) words_.resize(node / 64 + 1, 0);
    words_[node / 64] |= std::uint64_t{1} << (node % 64);
  }
  void erase(std::size_t node) { words_[node / 64] &= ~(std::uint64_t{1} << (node % 64)); }
  [[nodiscard]] std::size_t deepest() const {
    for (std::size_t at = words_.size(); at-- > 0;) {
      if (words_[at] != 0) {
        return at * 64 + 63 - static_cast<std::size_t>(std::countl_zero(words_[at]));
      }
    }
    return none;
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace mazurka
