// Memory orders, and the places of a program that name one.
//
// An order can be changed without compiling the program again: a place is a few return addresses,
// and the runtime is told which order an operation that comes from there has at least
// (programs/threads/host/repair.hpp).
#pragma once

#include <cstdint>
#include <iterator>
#include <vector>

namespace mazurka::host {

/// As compilers number them.
enum class MemoryOrder : int {
  relaxed = 0,
  consume = 1,
  acquire = 2,
  release = 3,
  acquire_release = 4,
  sequentially_consistent = 5,
};
[[nodiscard]] constexpr bool acquires(MemoryOrder order) {
  return order == MemoryOrder::consume || order == MemoryOrder::acquire ||
         order == MemoryOrder::acquire_release || order == MemoryOrder::sequentially_consistent;
}
[[nodiscard]] constexpr bool releases(MemoryOrder order) {
  return order == MemoryOrder::release || order == MemoryOrder::acquire_release ||
         order == MemoryOrder::sequentially_consistent;
}
[[nodiscard]] constexpr const char* name_of(MemoryOrder order) {
  constexpr const char* names[] = {"relaxed", "consume", "acquire",
                                   "release", "acq_rel", "seq_cst"};
  const auto at = static_cast<unsigned>(order);
  return at < std::size(names) ? names[at] : "";
}

/// The weakest order that promises what both do.
[[nodiscard]] constexpr MemoryOrder stronger_of(MemoryOrder one, MemoryOrder other) {
  using enum MemoryOrder;
  if (one == sequentially_consistent || other == sequentially_consistent) {
    return sequentially_consistent;
  }
  const bool acquiring = acquires(one) || acquires(other);
  const bool releasing = releases(one) || releases(other);
  if (acquiring && releasing) return acquire_release;
  if (releasing) return release;
  if (!acquiring) return relaxed;
  const bool consuming =
      (one == consume || one == relaxed) && (other == consume || other == relaxed);
  return consuming ? consume : acquire;
}

enum class AtomicKind : std::uint8_t { load, store, update, compare_exchange, fence };

[[nodiscard]] constexpr const char* name_of(AtomicKind kind) {
  constexpr const char* names[] = {"load", "store", "read-modify-write", "compare-exchange",
                                   "fence"};
  const auto at = static_cast<unsigned>(kind);
  return at < std::size(names) ? names[at] : "";
}

/// The two orders of a compare-exchange; of others the first.
struct Orders {
  MemoryOrder order = MemoryOrder::relaxed;
  MemoryOrder failure = MemoryOrder::relaxed;  // if it fails
  friend bool operator==(const Orders&, const Orders&) = default;
};

/// Where an atomic operation or a fence was called, and with which orders.
struct AtomicSite {
  static constexpr std::size_t most_frames = 4;
  std::vector<std::uint64_t> stack;  // return addresses, innermost first, at most so many
  AtomicKind kind{};
  Orders orders;
  friend bool operator==(const AtomicSite&, const AtomicSite&) = default;
};

/// Operations with this beginning of a stack have at least these orders.
struct OrderChange {
  std::vector<std::uint64_t> stack;
  AtomicKind kind{};
  Orders at_least;
  friend bool operator==(const OrderChange&, const OrderChange&) = default;
};

/// What is done about the orders of the program.
struct OrderRequest {
  bool collect = false;    // the places are part of the reply
  bool strongest = false;  // all are sequentially consistent
  std::vector<OrderChange> changes;
  [[nodiscard]] bool empty() const { return !collect && !strongest && changes.empty(); }
};

}  // namespace mazurka::host
