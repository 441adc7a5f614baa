// The names everyone speaks.
//
// A process and an object carry the same id in every equivalent interleaving of one exploration:
// a process is interned from (parent, n-th child), an object from whatever its front-end calls
// canonical (an address that does not move, the n-th allocation of a process, ...). Ids are small
// and dense, so that sets are bit words and maps are arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/hash.hpp"

namespace mazurka {

enum class ProcessId : std::uint16_t {};
enum class ObjectId : std::uint32_t {};

inline constexpr ProcessId no_process{std::numeric_limits<std::uint16_t>::max()};
inline constexpr std::uint32_t no_event = std::numeric_limits<std::uint32_t>::max();

/// The largest number of processes one exploration can name.
inline constexpr std::size_t max_processes = std::numeric_limits<std::uint16_t>::max() - 1;

[[nodiscard]] constexpr std::size_t index(ProcessId process) {
  return static_cast<std::size_t>(process);
}
[[nodiscard]] constexpr std::size_t index(ObjectId object) {
  return static_cast<std::size_t>(object);
}

/// One scheduling decision: which process takes its next step, and, where that step has several
/// outcomes (data nondeterminism), which of them.
struct Decision {
  ProcessId process{};
  std::uint16_t choice = 0;
  friend bool operator==(const Decision&, const Decision&) = default;
};

/// What tells two states apart: equal states have equal fingerprints, and different ones differ but
/// for an accident of 2^-128. The fingerprint of a state is the combination of those of its parts
/// (each shared object with its value, each process with all that it has been told), so that an
/// event changes it by what it changes, and in whatever order.
struct Fingerprint {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
  friend Fingerprint operator^(const Fingerprint& one, const Fingerprint& other) {
    return {one.low ^ other.low, one.high ^ other.high};
  }
  Fingerprint& operator^=(const Fingerprint& other) { return *this = *this ^ other; }
};

/// For tables by fingerprint: it has been hashed already.
struct FingerprintHash {
  std::size_t operator()(const Fingerprint& one) const { return one.low; }
};

/// The fingerprint of one part of a state: a name and a value.
[[nodiscard]] constexpr Fingerprint fingerprint_of(std::uint64_t name, std::uint64_t value) {
  const std::uint64_t low = scrambled(scrambled(name + golden_ratio) + value);
  return {low, scrambled(low ^ (value * 0xd6e8feb86659fd93U + name))};
}

}  // namespace mazurka
