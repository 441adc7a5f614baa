// Keyed hashes of 128 bits: the names of events and of sets of events.
//
// The secret is drawn when a check starts, so no certificate can be prepared that profits from a
// collision. A set is named by the sum of the names of its members, so their order does not matter.
#pragma once

#include <cstddef>
#include <cstdint>

namespace certify {

struct Key {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Key&, const Key&) = default;
  Key& operator+=(const Key& other) {
    low += other.low;
    high += other.high;
    return *this;
  }
};

struct KeyHash {
  std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(key.low); }
};

/// What a check draws at its start. `bits` below 128 is for tests, which provoke collisions.
struct Secret {
  std::uint64_t low = 0x2545f4914f6cdd1dU;
  std::uint64_t high = 0x9e3779b97f4a7c15U;
  unsigned bits = 128;
};

/// Hashes a sequence of numbers under a secret.
class Hasher {
 public:
  explicit Hasher(const Secret& secret) : secret_(secret), state_{secret.low, ~secret.high} {}

  Hasher& add(std::uint64_t number) {
    state_.low = mixed(state_.low ^ (number + secret_.low));
    state_.high = mixed((state_.high + number) * 0xd6e8feb86659fd93U ^ secret_.high);
    return *this;
  }
  Hasher& add(const Key& key) { return add(key.low).add(key.high); }

  [[nodiscard]] Key value() const {
    if (secret_.bits >= 128) return state_;
    return {state_.low & ((std::uint64_t{1} << secret_.bits) - 1), 0};
  }

 private:
  // The finishing rounds of splitmix64.
  static std::uint64_t mixed(std::uint64_t bits) {
    bits += 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
  }

  Secret secret_;
  Key state_;
};

}  // namespace certify
