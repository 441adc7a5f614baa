// A set of processes as bit words. Grows as needed; never shrinks.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/ids.hpp"

namespace mazurka {

class ProcessSet {
 public:
  [[nodiscard]] bool contains(ProcessId process) const {
    const std::size_t word = index(process) / 64;
    return word < words_.size() && (words_[word] >> (index(process) % 64) & 1U) != 0;
  }
  void insert(ProcessId process) {
    const std::size_t word = index(process) / 64;
    if (word >= words_.size()) words_.resize(word + 1, 0);
    words_[word] |= std::uint64_t{1} << (index(process) % 64);
  }
  void erase(ProcessId process) {
    const std::size_t word = index(process) / 64;
    if (word < words_.size()) words_[word] &= ~(std::uint64_t{1} << (index(process) % 64));
  }
  void clear() {
    for (std::uint64_t& word : words_) word = 0;
  }
  [[nodiscard]] bool empty() const {
    for (const std::uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  /// The smallest member that is not in `without`, or no_process.
  [[nodiscard]] ProcessId first_without(const ProcessSet& without) const {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      std::uint64_t word = words_[at];
      if (at < without.words_.size()) word &= ~without.words_[at];
      if (word != 0) {
        return static_cast<ProcessId>(at * 64 + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
    return no_process;
  }
  [[nodiscard]] ProcessId first_without(const ProcessSet& one, const ProcessSet& other) const {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      std::uint64_t word = words_[at];
      if (at < one.words_.size()) word &= ~one.words_[at];
      if (at < other.words_.size()) word &= ~other.words_[at];
      if (word != 0) {
        return static_cast<ProcessId>(at * 64 + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
    return no_process;
  }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      for (std::uint64_t word = words_[at]; word != 0; word &= word - 1) {
        visit(static_cast<ProcessId>(at * 64 + static_cast<std::size_t>(std::countr_zero(word))));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace mazurka
