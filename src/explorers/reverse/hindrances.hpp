// Steps that another one makes impossible, and that could have come first: the rule (hindrance) of
// children.hpp.
//
// The changes of an object that a step waits for are mostly ordered among themselves. Then every
// cut has the first so many of them, and the values that they found tell whether the guard holds
// before one and not after it; what else is in the cut does not matter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "explorers/reverse/children.hpp"

namespace mazurka::reverse {

template <typename Rules>
void Children<Rules>::find_hindrances(StepRef second, std::vector<Task>& out) {
  const Step step = trace_.step(second);
  for (const Access& access : step.accesses) {
    if (!vocabulary_.guarded(access)) continue;
    const auto changes = trace_.changes(access.object);
    const bool in_order = trace_.come_in_order(access.object);
    const std::size_t end = trace_.first_change_outside(access.object, needed_);
    auto later = changes.end();
    if (second.is_event) {
      later = std::partition_point(changes.begin(), changes.end(), [&](const Trace::Change& one) {
        return one.event < second.number;
      });
    }
    for (auto at = static_cast<std::size_t>(later - changes.begin()); at-- > end;) {
      const std::uint32_t first = changes[at].event;
      if (trace_.contains(needed_, first)) continue;
      if (trace_.process_of(first) == index(step.process()) || !is_own_turn(first)) continue;
      // What is not in order is looked at when it is settled.
      if (in_order && !(trace_.guard_holds_after(second, access, at) &&
                        !trace_.guard_holds_after(second, access, at + 1))) {
        continue;
      }
      if (!try_hindrance(first, second, in_order, out)) break;  // nor are those before it settled
    }
  }
}

template <typename Rules>
bool Children<Rules>::try_hindrance(std::uint32_t first, StepRef second, bool is_known,
                                    std::vector<Task>& out) {
  if (!is_settled(first, needed_, trace_.first_events(first + std::size_t{1}))) return false;
  before_.assign(needed_.begin(), needed_.end());
  unite(before_, trace_.first_events(first));
  if (!is_known) {
    from_ = before_;
    from_[trace_.process_of(first)] = trace_.execution().events[first].index + 1;
    if (!trace_.can_be_taken(second, before_) || trace_.can_be_taken(second, from_)) return true;
  }
  delay(first, trace_.step(second), out);
  return true;
}

// Whoever else could have ended the program in the place of its last step, or could still have done
// something before it.
template <typename Rules>
void Children<Rules>::find_ends(std::vector<Task>& out) {
  const Execution& execution = trace_.execution();
  if (execution.size() == 0) return;
  const auto last = static_cast<std::uint32_t>(execution.size() - 1);
  if (!execution.steps[last].exits || !is_own_turn(last)) return;
  for (std::size_t at = 0; at < execution.pending.size(); ++at) {
    if (!execution.pending_state[at].enabled) continue;
    trace_.needed_by({static_cast<std::uint32_t>(at), false}, needed_);
    const Cut all = trace_.first_events(last);
    before_.assign(all.begin(), all.end());
    delay(last, execution.pending[at], out);
  }
}

}  // namespace mazurka::reverse
