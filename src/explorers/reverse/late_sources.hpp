// Reads of atomic variables that are delayed, to read what is only written later: the part of
// children.hpp that is for graphs.
#pragma once

#include <cstdint>
#include <vector>

#include "explorers/reverse/children.hpp"

namespace mazurka::reverse {

// A write that delays a read goes to its other places, too.
template <typename Rules>
void Children<Rules>::find_next_place(std::vector<Task>& out) {
  if (task_->turns.empty() || !task_->turns.back().read) return;
  const Execution& execution = trace_.execution();
  const std::uint32_t write = task_->turns.back().last;
  if (write >= execution.size() || execution.graph[write].reads) return;
  const Step step = execution.steps[write];
  if (step.decision.choice + 1 >= step.choices) return;
  Task& child = out.emplace_back();
  child.prefix = first_decisions(write);
  child.look = trace_.look_of_first(write + std::size_t{1}).value();
  child.prefix.push_back({step.process(), static_cast<std::uint16_t>(step.decision.choice + 1)});
  child.prefix.push_back({task_->turns.back().delayed, 0}, write);
  child.turns = task_->turns;
}

template <typename Rules>
void Children<Rules>::find_late_sources(std::uint32_t write, std::vector<Task>& out) {
  const GraphStep& step = variables_.at(write);
  const bool by_itself = trace_.execution().steps.decision(write).choice == 0;
  if (step.reads && step.source != no_event) unite(needed_, trace_.order().past(step.source));
  if (step.writes && (step.reads || by_itself)) {
    try_late_sources(write, write, step.reads ? step.source : by_outcome, out);
  }
  if (!by_itself) return;
  for (const std::uint32_t source : step.taken) {
    trace_.needed_by({write, true}, needed_);
    if (source != no_event) unite(needed_, trace_.order().past(source));
    const std::uint32_t taker = variables_.taker_of(step.variable, source);
    if (!trace_.contains(needed_, taker)) try_late_sources(taker + 1, write, source, out);
  }
}

// For all reads before `end`. All that is in the way of one is in the way of those before it, too.
template <typename Rules>
void Children<Rules>::try_late_sources(std::uint32_t end, std::uint32_t write, std::uint32_t source,
                                       std::vector<Task>& out) {
  left_out_.begin(write, needed_);
  variables_.for_each_read(variables_.at(write).variable, end, needed_, [&](std::uint32_t read) {
    return !(is_own_turn(read) || variables_.was_delayed(read)) ||
           try_late_source(read, write, source, out);
  });
}

// Emits the child in which the read is delayed by the write, which needs `needed_`. False: what is
// in the way can not be left out.
template <typename Rules>
bool Children<Rules>::try_late_source(std::uint32_t read, std::uint32_t write, std::uint32_t source,
                                      std::vector<Task>& out) {
  const Execution& execution = trace_.execution();
  const std::uint32_t begin = variables_.turn_of(read);
  from_.assign(needed_.begin(), needed_.end());
  std::uint32_t& reads = from_[trace_.process_of(read)];
  reads = std::max(reads, execution.events[read].index + 1);
  std::uint32_t& writes = from_[trace_.process_of(write)];
  writes = std::max(writes, execution.events[write].index + 1);
  if (!is_settled(begin, from_, trace_.first_events(begin))) return true;
  if (!left_out_.may_be_all_from(begin)) return false;
  before_.assign(needed_.begin(), needed_.end());
  unite(before_, trace_.first_events(begin));
  Task& child = out.emplace_back();
  RunningHash look = add_prefix(begin, child);
  add_look(look, execution.steps[write]);
  child.look = look.value();
  child.turns.assign(task_->turns.begin(),
                     task_->turns.begin() + static_cast<std::ptrdiff_t>(turns_before(begin)));
  place_[write] = static_cast<std::uint32_t>(child.prefix.size());
  child.turns.push_back({begin, place_[write], execution.steps.process(read), true});
  add_decision({execution.steps.process(write), 0}, source, begin, child);
  add_decision({execution.steps.process(read), 0}, write, begin, child);
  return true;
}

}  // namespace mazurka::reverse
