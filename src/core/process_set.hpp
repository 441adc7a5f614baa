// A set of processes as bit words. Grows as needed; never shrinks. The first 64 processes, which
// are nearly always all there are, need no memory of their own.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/ids.hpp"

namespace mazurka {

class ProcessSet {
 public:
  [[nodiscard]] bool contains(ProcessId process) const {
    const std::size_t at = index(process) / 64;
    return at < words() && (word(at) >> (index(process) % 64) & 1U) != 0;
  }
  void insert(ProcessId process) {
    const std::size_t at = index(process) / 64;
    if (at > more_.size()) more_.resize(at, 0);
    word(at) |= std::uint64_t{1} << (index(process) % 64);
  }
  void erase(ProcessId process) {
    const std::size_t at = index(process) / 64;
    if (at < words()) word(at) &= ~(std::uint64_t{1} << (index(process) % 64));
  }
  void clear() {
    first_ = 0;
    for (std::uint64_t& word : more_) word = 0;
  }
  [[nodiscard]] bool empty() const {
    for (std::size_t at = 0; at < words(); ++at) {
      if (word(at) != 0) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t count = 0;
    for (std::size_t at = 0; at < words(); ++at) {
      count += static_cast<std::size_t>(std::popcount(word(at)));
    }
    return count;
  }
  /// The smallest member that is not in `without`, or no_process.
  [[nodiscard]] ProcessId first_without(const ProcessSet& without) const {
    return first_without(without, without);
  }
  [[nodiscard]] ProcessId first_without(const ProcessSet& one, const ProcessSet& other) const {
    for (std::size_t at = 0; at < words(); ++at) {
      std::uint64_t left = word(at);
      if (at < one.words()) left &= ~one.word(at);
      if (at < other.words()) left &= ~other.word(at);
      if (left != 0) {
        return static_cast<ProcessId>(at * 64 + static_cast<std::size_t>(std::countr_zero(left)));
      }
    }
    return no_process;
  }
  /// The smallest member that fits, or no_process.
  template <typename Fits>
  [[nodiscard]] ProcessId first_that(Fits&& fits) const {
    for (std::size_t at = 0; at < words(); ++at) {
      for (std::uint64_t left = word(at); left != 0; left &= left - 1) {
        const auto process =
            static_cast<ProcessId>(at * 64 + static_cast<std::size_t>(std::countr_zero(left)));
        if (fits(process)) return process;
      }
    }
    return no_process;
  }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t at = 0; at < words(); ++at) {
      for (std::uint64_t left = word(at); left != 0; left &= left - 1) {
        visit(static_cast<ProcessId>(at * 64 + static_cast<std::size_t>(std::countr_zero(left))));
      }
    }
  }

 private:
  [[nodiscard]] std::size_t words() const { return 1 + more_.size(); }
  [[nodiscard]] std::uint64_t word(std::size_t at) const {
    return at == 0 ? first_ : more_[at - 1];
  }
  [[nodiscard]] std::uint64_t& word(std::size_t at) { return at == 0 ? first_ : more_[at - 1]; }

  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> more_;
};

}  // namespace mazurka
