// Sleep sets, interned.
//
// What is asleep in a node is enabled there, so a sleep set is a bit per position in the ordered
// list of enabled actions: usually one word. Different nodes share few different sets, so a node
// keeps a number. Trailing zero words are dropped; number 0 is the empty set.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/check.hpp"
#include "explorers/stateful/bits.hpp"

namespace mazurka::stateful {

using SleepId = std::uint32_t;

class SleepSets {
 public:
  SleepSets() { slots_.assign(64, 0); }

  [[nodiscard]] std::span<const Word> operator[](SleepId id) const {
    return {words_.data() + first_[id], first_[id + 1] - first_[id]};
  }
  [[nodiscard]] std::size_t size() const { return first_.size() - 1; }
  [[nodiscard]] std::size_t bytes() const {
    return words_.size() * sizeof(Word) + first_.size() * sizeof(std::size_t) +
           slots_.size() * sizeof(SleepId);
  }

  [[nodiscard]] SleepId intern(std::span<const Word> mask) {
    mask = trimmed(mask);
    if (mask.empty()) return 0;
    if (size() * 2 > slots_.size()) grow();
    std::size_t at = hash(mask) & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      if (same((*this)[slots_[at]], mask)) return slots_[at];
    }
    MAZURKA_CHECK(size() < slots_.size(), "a slot is free");
    const auto fresh = static_cast<SleepId>(size());
    words_.insert(words_.end(), mask.begin(), mask.end());
    first_.push_back(words_.size());
    slots_[at] = fresh;
    return fresh;
  }
  /// How many are asleep.
  [[nodiscard]] std::size_t count(SleepId id) const {
    MAZURKA_CHECK(id < size(), "a set is asked for by its number");
    std::size_t count = 0;
    for (const Word word : (*this)[id]) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  [[nodiscard]] bool within(SleepId id, std::span<const Word> mask) const {
    const std::span<const Word> set = (*this)[id];
    return set.size() <= mask.size() && subset(set.data(), mask.data(), set.size());
  }

 private:
  static std::span<const Word> trimmed(std::span<const Word> mask) {
    while (!mask.empty() && mask.back() == 0) mask = mask.first(mask.size() - 1);
    return mask;
  }
  static bool same(std::span<const Word> one, std::span<const Word> other) {
    return one.size() == other.size() && subset(one.data(), other.data(), one.size()) &&
           subset(other.data(), one.data(), one.size());
  }
  static Word hash(std::span<const Word> mask) {
    Word sum = mask.size();
    for (const Word word : mask) {
      sum = (sum ^ word) * 0xd6e8feb86659fd93U;
      sum ^= sum >> 32;
    }
    return sum;
  }
  void grow() {
    slots_.assign(slots_.size() * 4, 0);
    for (SleepId id = 1; id < size(); ++id) {
      std::size_t at = hash((*this)[id]) & (slots_.size() - 1);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = id;
    }
  }

  std::vector<Word> words_;
  std::vector<std::size_t> first_{0, 0};
  std::vector<SleepId> slots_;
};

}  // namespace mazurka::stateful
