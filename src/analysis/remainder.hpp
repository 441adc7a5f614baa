// What is left of a sequence from which steps are taken out one by one.
//
// The positions that are left are a doubly linked list: taking one out, or putting back the one
// that was taken out last, costs the same however long the sequence is (Knuth: dancing links).
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/check.hpp"

namespace mazurka {

class Remainder {
 public:
  Remainder() { reset(0); }

  /// All of a sequence of this length.
  void reset(std::size_t length) {
    size_ = length;
    end_ = static_cast<std::uint32_t>(length);
    next_.resize(length + 1);
    previous_.resize(length + 1);
    std::iota(next_.begin(), next_.end(), 1U);
    next_[length] = 0;
    std::iota(previous_.begin() + 1, previous_.end(), 0U);
    previous_[0] = end_;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool contains(std::size_t at) const { return next_[previous_[at]] == at; }
  /// The positions that are left, in order: from first() by next() to end().
  [[nodiscard]] std::uint32_t first() const { return next_[end_]; }
  [[nodiscard]] std::uint32_t next(std::size_t at) const { return next_[at]; }
  [[nodiscard]] std::uint32_t end() const { return end_; }

  /// Requires: it is left.
  void take_out(std::size_t at) {
    MAZURKA_CHECK(at < end_ && contains(at), "a step is taken out once");
    next_[previous_[at]] = next_[at];
    previous_[next_[at]] = previous_[at];
    --size_;
  }
  /// Undoes take_out(), the latest first.
  void put_back(std::size_t at) {
    MAZURKA_CHECK(at < end_ && !contains(at), "a step is put back that was taken out");
    next_[previous_[at]] = static_cast<std::uint32_t>(at);
    previous_[next_[at]] = static_cast<std::uint32_t>(at);
    ++size_;
  }

 private:
  // The end stands before the first and after the last: the list is a ring.
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> previous_;
  std::size_t size_ = 0;
  std::uint32_t end_ = 0;
};

}  // namespace mazurka
