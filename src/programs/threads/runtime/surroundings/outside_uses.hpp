// Who uses something that is not memory: a file, the environment, a buffer of the C library's.
//
// Calls of the system and of the C library are no scheduling points. Two uses of the same thing by
// different processes, of which one is more than a look, must be ordered by something that is one;
// otherwise only one of the two orders was seen.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "programs/threads/runtime/memory_model/race_ledger.hpp"
#include "programs/threads/runtime/surroundings/use.hpp"

namespace mazurka::threads {

class OutsideUses {
 public:
  struct User {
    ProcessId process;
    const VectorClock& clock;
  };

  /// Who calls a function of which nothing is known changes this; everybody else looks at it.
  static constexpr std::uint64_t everything = 1;

  /// Returns the words for what was used without an order, or nothing. `key`: tells it from others.
  std::string use(const User& user, const std::string& what, Use use, std::uint64_t key);
  /// The use of a function that may change anything outside of memory.
  std::string use_unknown(const User& user, const char* function);

  friend bool operator==(const OutsideUses&, const OutsideUses&) = default;

 private:
  bool is_open(const User& user, std::uint64_t key, Use use);
  [[nodiscard]] std::string unknown() const;

  RaceLedger uses_;
  RaceLedger additions_;                     // of these, who has added something, and ...
  std::unordered_set<std::uint64_t> mixed_;  // ... where the order of additions was left open
  std::string unknown_function_;             // the latest
};

}  // namespace mazurka::threads
