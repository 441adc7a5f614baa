// Of two steps that commute somewhere, which one comes first wherever they do.
//
// Wherever a context technique prunes one of two orders, it must prune the same one: if one part of
// the search relied on the first order and another part on the second, each might leave to the
// other what neither explores. So the order in which two steps were first seen to commute is kept
// for the whole search. A step is known by its process and how many came before it there.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/check.hpp"
#include "core/ids.hpp"

namespace mazurka {

class CanonicalOrders {
 public:
  struct Name {
    ProcessId process;
    std::uint32_t nth;
  };

  /// Whether the first comes first; decides so if nothing is decided yet.
  bool keep(Name first, Name second) {
    const auto [one, other] = bits(first, second);
    MAZURKA_CHECK(one != other, "two steps have an order");
    const bool forward = one < other;
    return orders_.try_emplace(forward ? Pair{one, other} : Pair{other, one}, forward)
               .first->second == forward;
  }
  /// The same, but what is not decided yet is decided by the order of the processes.
  bool comes_first(Name first, Name second) {
    return first.process < second.process ? keep(first, second) : !keep(second, first);
  }

 private:
  struct Pair {
    std::uint64_t smaller;
    std::uint64_t larger;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  struct Hash {
    std::size_t operator()(const Pair& pair) const {
      return fingerprint_of(pair.smaller, pair.larger).low;
    }
  };
  static Pair bits(Name first, Name second) {
    return {(std::uint64_t{index(first.process)} << 32) | first.nth,
            (std::uint64_t{index(second.process)} << 32) | second.nth};
  }
  std::unordered_map<Pair, bool, Hash> orders_;
};

}  // namespace mazurka
