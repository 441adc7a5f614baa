// Numbers for values: one way to hash, wherever something is hashed.
//
// `scrambled` turns a number into one in which every bit depends on every bit of the first: for
// what is combined by adding or drawn by lot. `RunningHash` goes through a sequence, one value
// after the other: the same for the same sequence on every machine, so that it can be part of a
// file's name or stand at its end. Neither withstands somebody who looks for collisions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mazurka {

/// The finishing rounds of splitmix64 (Steele, Lea, Flood). A bijection; 0 stays 0.
[[nodiscard]] constexpr std::uint64_t scrambled(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

/// Far from every multiple of itself: keeps numbers apart that are near to each other.
inline constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15U;

/// Fowler, Noll, Vo: FNV-1a, byte by byte or number by number.
class RunningHash {
 public:
  RunningHash() = default;
  /// Goes on from another hash, or from any number.
  explicit constexpr RunningHash(std::uint64_t from) : value_(from) {}

  constexpr RunningHash& add(std::uint64_t number) {
    value_ = (value_ ^ number) * 0x100000001b3U;
    return *this;
  }
  constexpr RunningHash& add(std::string_view text) {
    for (const char c : text) add(std::uint64_t{static_cast<unsigned char>(c)});
    return *this;
  }
  constexpr RunningHash& add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) add(std::to_integer<std::uint64_t>(byte));
    return *this;
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace mazurka
