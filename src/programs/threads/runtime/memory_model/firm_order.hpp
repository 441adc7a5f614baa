// Whether two accesses stay in order whatever the order of the steps.
//
// A technique that compares states leaves out an order of steps if another one leads to the same
// state. But states are equal in what they hold, not in who knows of whom: with
//
//     d = 1; lock; unlock        and        lock; unlock; wait for a third thread; read d
//
// both orders of the sections lead to one state, and only if the second section comes first nothing
// orders the accesses to d. So the order that is left out may be the one with the data race.
//
// What does every order with these states have in common? Each process was told the same, so it has
// made the same accesses, has created and joined the same processes, and has held the same locks at
// each access. Two accesses are in order in all of them, or never at the same time, if one process
// makes both, if creating and joining lead from one to the other, or if a common lock is held. This
// is that, for each pair of accesses that conflict. Where it does not hold, an exploration begins
// anew that does not compare states (Learned::order_matters).
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "core/ids.hpp"
#include "core/list.hpp"
#include "core/table.hpp"
#include "native/memory_model/clocks.hpp"
#include "programs/threads/runtime/memory_model/race_detector.hpp"

namespace mazurka::threads {
using namespace native;

class FirmOrder {
 public:
  /// The process holds the lock alone from now on; and no more.
  void take(ProcessId process, ObjectId lock);
  void give_back(ProcessId process, ObjectId lock);

  /// Records the access of a process, which is at this tick and knows of others what creating and
  /// joining have told it. False: one of them has made an access that conflicts with this one, and
  /// nothing firm keeps the two apart.
  bool access(ProcessId process, std::uint32_t tick, const VectorClock& firm,
              std::uintptr_t address, std::size_t size, AccessKind kind);

  friend bool operator==(const FirmOrder&, const FirmOrder&) = default;

 private:
  using Locks = List<ObjectId>;  // ascending
  struct Past {
    ProcessId process{};
    AccessKind kind{};
    std::uint8_t bytes = 0;  // of the granule, a bit for each
    std::uint32_t locks = 0;
    std::uint32_t tick = 0;  // of its latest access like this
    friend bool operator==(const Past&, const Past&) = default;
  };

  bool access_granule(const Past& access, const VectorClock& firm, std::uintptr_t granule);
  [[nodiscard]] bool kept_apart(const Past& one, const Past& other) const;
  void hold(ProcessId process, Locks locks);

  std::unordered_map<std::uintptr_t, std::vector<Past>> places_;  // by granule of eight bytes
  Table<ProcessId, std::uint32_t> held_;                          // by each: index into sets_
  std::vector<Locks> sets_{{}};                                   // that have been held
  std::map<std::vector<ObjectId>, std::uint32_t> numbers_{{{}, 0}};
};

}  // namespace mazurka::threads
