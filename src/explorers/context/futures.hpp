// What processes may still do, as far as has been seen.
//
// For each process: what its n-th and later steps have ever touched, in any execution so far, and
// for the end of which other processes it had waited by then. That is no promise: a branch that
// was never taken may touch something else. Whoever relies on it must look again when something
// new is learnt (learn() says so).
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/bit_set.hpp"
#include "core/ids.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

class Futures {
 public:
  /// Some of the first processes, a bit each.
  using Some = Word;
  [[nodiscard]] static Some just(ProcessId process) {
    return index(process) < word_bits ? bit_of(index(process)) : 0;
  }

  /// The process's n-th step touches this, once those that it waited for have ended. Whether that
  /// is new.
  bool learn(const Step& step, std::uint32_t nth, Some ended) {
    if (processes_.size() <= index(step.process())) processes_.resize(index(step.process()) + 1);
    Process& process = processes_[index(step.process())];
    bool fresh = false;
    if (step.exits && (!process.exits || process.last_exit < nth)) {
      process.exits = fresh = true;
      process.last_exit = nth;
    }
    for (Access access : step.widest()) {
      access.operand = 0;  // what it waits for is no matter, and may be another number each time
      std::vector<Seen>& all = process.seen[access.object];
      const auto known = std::find_if(all.begin(), all.end(), [&](const Seen& seen) {
        return seen.access == access && seen.ended == ended;
      });
      if (known == all.end()) {
        all.push_back({access, ended, nth});
        fresh = true;
      } else if (known->last < nth) {
        known->last = nth;
        fresh = true;
      }
    }
    return fresh;
  }

  /// Whether the process may come to do something, from its n-th step on, that conflicts with this
  /// one of a process that has not ended.
  [[nodiscard]] bool may_conflict(const Vocabulary& vocabulary, ProcessId who, std::uint32_t nth,
                                  const Step& with) const {
    if (index(who) >= processes_.size()) return false;
    const Process& process = processes_[index(who)];
    if (process.exits && process.last_exit >= nth) return true;
    return std::any_of(with.accesses.begin(), with.accesses.end(), [&](const Access& access) {
      const auto all = process.seen.find(access.object);
      if (all == process.seen.end()) return false;
      return std::any_of(all->second.begin(), all->second.end(), [&](const Seen& seen) {
        return seen.last >= nth && (seen.ended & just(with.process())) == 0 &&
               vocabulary.dependent(seen.access, access);
      });
    });
  }

  /// How many processes are known.
  [[nodiscard]] std::size_t processes() const { return processes_.size(); }

 private:
  struct Seen {
    Access access;
    Some ended = 0;
    std::uint32_t last = 0;  // the latest step in which it was seen
  };
  struct Process {
    std::unordered_map<ObjectId, std::vector<Seen>> seen;
    bool exits = false;
    std::uint32_t last_exit = 0;
  };
  std::vector<Process> processes_;
};

}  // namespace mazurka
