// Of several steps that delay one: in which order they come. The rule (ordered) of children.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "explorers/reverse/children.hpp"

namespace mazurka::reverse {

template <typename Rules>
template <typename IsBefore>
bool Children<Rules>::delays_in_order(const std::vector<Turn>& turns, std::size_t count,
                                      std::uint32_t position, ProcessId delayed, ProcessId by,
                                      const IsBefore& is_before) const {
  for (std::size_t at = count; at-- > 0;) {
    const Turn& turn = turns[at];
    if (turn.delayed != delayed || turn.last + 1 != position) return true;
    if (is_before(turn.last)) return true;
    if (processes_.comes_before(by, trace_.execution().steps.process(turn.last))) return false;
    position = turn.first;
  }
  return true;
}

// All that happens before the step if it is taken after `before_` and touches this.
template <typename Rules>
void Children<Rules>::collect_past(const Step& second, Footprint accesses, MutableCut& past) const {
  past = needed_;
  if (second.exits) {
    unite(past, before_);
    return;
  }
  for (const Access& access : accesses) {
    for (auto one = trace_.order().earlier(access); one.any(); one.go_back()) {
      const std::uint32_t event = one.event();
      if (trace_.contains(before_, event)) unite(past, trace_.order().past(event));
    }
  }
}

template <typename Rules>
auto Children<Rules>::is_ordered(std::uint32_t first, const Step& second) -> Verdict {
  const std::size_t count = turns_before(first);
  if (!Rules::ordered || count == 0 || task_->turns[count - 1].last + 1 != first) {
    return Verdict::yes;
  }
  const Step widest = second.widened();
  collect_past(second, widest.accesses, past_);
  const bool in_order =
      delays_in_order(task_->turns, count, first, trace_.execution().steps.process(first),
                      second.process(), [&](std::uint32_t event) {
                        if (Rules::ordered_through_others || trace_.contains(needed_, event)) {
                          return trace_.contains(past_, event);
                        }
                        return footprints_conflict(
                            vocabulary_, trace_.execution().steps[event].accesses, widest.accesses);
                      });
  if (!in_order) return Verdict::no;
  return may_do_less(vocabulary_, widest) ? Verdict::if_it_does_all : Verdict::yes;
}

template <typename Rules>
bool Children<Rules>::belongs_to(const Task& task) const {
  const Turn& turn = task.turns.back();
  return delays_in_order(task.turns, task.turns.size() - 1, turn.first, turn.delayed,
                         trace_.execution().steps.process(turn.last), [&](std::uint32_t event) {
                           return trace_.order().before(event, turn.last);
                         });
}

}  // namespace mazurka::reverse
