// What steps led to, from states seen lately.
//
// A state is known by its fingerprint, and in a state a process has one next step: so a transition
// is (state, process) -> state. Remembering some of them tells whether two steps commute in a state
// without performing anything: both ways round lead to one state, or they do not. Where one is
// forgotten, less is pruned.
#pragma once

#include <cstdint>

#include "core/hash.hpp"
#include "core/ids.hpp"
#include "explorers/context/bounded_table.hpp"

namespace mazurka {

struct StepOfState {
  Fingerprint state;
  ProcessId process = no_process;
  friend bool operator==(const StepOfState&, const StepOfState&) = default;
};
struct StepOfStateHash {
  std::uint64_t operator()(const StepOfState& one) const {
    return one.state.low + index(one.process) * golden_ratio;
  }
};

using Transitions = BoundedTable<StepOfState, Fingerprint, StepOfStateHash,
                                 TableSize{.first = 1U << 12, .last = 1U << 20, .group = 8}>;

}  // namespace mazurka
