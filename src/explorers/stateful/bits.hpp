// Sets of a size that is fixed per exploration: rows of words, and one that is emptied at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bit_set.hpp"

namespace mazurka::stateful {

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
