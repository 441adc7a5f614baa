// A set of events as bit words. Grows as needed; missing words are empty.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace mazurka::unfolding {

using EventId = std::uint32_t;
inline constexpr EventId no_event_id = static_cast<EventId>(-1);

class EventSet {
 public:
  [[nodiscard]] bool contains(EventId event) const {
    return event / 64 < words_.size() && (words_[event / 64] >> (event % 64) & 1U) != 0;
  }
  void insert(EventId event) {
    if (words_.size() <= event / 64) words_.resize(event / 64 + 1, 0);
    words_[event / 64] |= std::uint64_t{1} << (event % 64);
  }
  void erase(EventId event) {
    if (event / 64 < words_.size()) words_[event / 64] &= ~(std::uint64_t{1} << (event % 64));
  }
  void clear() { words_.clear(); }

  EventSet& operator|=(const EventSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size(), 0);
    for (std::size_t at = 0; at < other.words_.size(); ++at) words_[at] |= other.words_[at];
    return *this;
  }
  EventSet& operator&=(const EventSet& other) {
    if (words_.size() > other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t at = 0; at < words_.size(); ++at) words_[at] &= other.words_[at];
    return *this;
  }
  EventSet& operator-=(const EventSet& other) {
    const std::size_t common = std::min(words_.size(), other.words_.size());
    for (std::size_t at = 0; at < common; ++at) words_[at] &= ~other.words_[at];
    return *this;
  }
  [[nodiscard]] bool meets(const EventSet& other) const {
    const std::size_t common = std::min(words_.size(), other.words_.size());
    for (std::size_t at = 0; at < common; ++at) {
      if ((words_[at] & other.words_[at]) != 0) return true;
    }
    return false;
  }
  [[nodiscard]] bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      for (std::uint64_t word = words_[at]; word != 0; word &= word - 1) {
        visit(static_cast<EventId>(at * 64 + static_cast<std::size_t>(std::countr_zero(word))));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace mazurka::unfolding
