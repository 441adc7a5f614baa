// Which executions are the children of one, in the tree that reverse search walks through.
//
// An execution is a row of turns (task.hpp). Let its process p have taken a step e in a turn of its
// own, after the cut c. Another step d, of process q, makes a child if it could have come first:
//
//  - (reversal) d is an event, in conflict with e and directly after it, and could be taken without
//    it; or
//  - (hindrance) e makes it impossible to take d, an event or left waiting at the end, that could
//    be taken before e: of two locks the first.
//
// In the child p is delayed by d at c: first all that d needs, then d, then p again if it can. But
// each execution is to be found once, from one parent:
//
//  - (ordered) if p was delayed just before, by events that d does not follow, these are of earlier
//    processes than d;
//  - (settled) all turns after c that did not come by themselves belong to e, d and what d needs.
//
// And the next outcome of an event with several, if all turns after it came by themselves.
//
// Only what is new can be a d: the last event of the task, what came after it by itself, and what
// is left waiting. All else was looked at when an ancestor was performed, and stays as it was.
//
// Graphs. Where atomic operations are events of a graph (GraphStep), they are in conflict with
// nothing. Which of the values that are there an operation reads, or goes behind, is its outcome. A
// read e can be delayed to read what is only written later, by d:
//
//  - (source) d writes the variable that e reads, and does not need e. If d reads the variable,
//  too,
//    it also may read what others have read and written over, all of which are left out then.
//
// And in whatever child, what is left out must be maximal (variables.hpp).
//
// `Rules`: each can be taken out, to show in tests that it is needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "core/execution.hpp"
#include "core/hash.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"
#include "explorers/reverse/process_order.hpp"
#include "explorers/reverse/task.hpp"
#include "explorers/reverse/trace.hpp"
#include "explorers/reverse/variables.hpp"

namespace mazurka::reverse {

struct AllRules {
  static constexpr const char* name = "reverse";
  static constexpr bool graphs = false;
  static constexpr bool ordered = true;
  static constexpr bool ordered_through_others = true;  // not only by direct conflict
  static constexpr bool settled = true;
  static constexpr bool delayed_is_next = true;
  static constexpr bool hindrances = true;
  static constexpr bool waiting_at_the_end = true;
  static constexpr bool first_outcomes_only = true;
  static constexpr bool of_first_outcomes_only = true;
};

template <typename Rules = AllRules>
class Children {
 public:
  Children(const Vocabulary& vocabulary, const ProcessOrder& processes, const Trace& trace)
      : vocabulary_(vocabulary), processes_(processes), trace_(trace), variables_(trace) {}

  /// Adds the children of the trace, which was performed as the task asked.
  void find(const Task& task, std::vector<Task>& out);

  /// Of a provisional task whose prefix was performed: whether it is the child that it was taken
  /// for.
  [[nodiscard]] bool belongs_to(const Task& task) const;

 private:
  void begin(const Task& task);
  void find_outcomes(std::vector<Task>& out);
  void find_next_place(std::vector<Task>& out);
  void find_late_sources(std::uint32_t write, std::vector<Task>& out);
  void try_late_sources(std::uint32_t end, std::uint32_t write, std::uint32_t source,
                        std::vector<Task>& out);
  [[nodiscard]] bool try_late_source(std::uint32_t read, std::uint32_t write, std::uint32_t source,
                                     std::vector<Task>& out);
  [[nodiscard]] Prefix first_decisions(std::size_t count);
  RunningHash add_prefix(std::uint32_t first, Task& child);
  void add_decision(Decision decision, std::uint32_t source, std::uint32_t first, Task& child);
  void find_reversals(StepRef second, std::vector<Task>& out);
  void find_hindrances(StepRef second, std::vector<Task>& out);
  void find_ends(std::vector<Task>& out);
  void collect_direct(std::uint32_t event, const Step& step);
  void try_reversal(std::uint32_t first, std::uint32_t second, std::vector<Task>& out);
  [[nodiscard]] bool try_hindrance(std::uint32_t first, StepRef second, bool is_known,
                                   std::vector<Task>& out);
  [[nodiscard]] bool is_own_turn(std::uint32_t event) const {
    return own_turn_[event] &&
           (!Rules::of_first_outcomes_only || trace_.execution().steps.decision(event).choice == 0);
  }
  /// The rule (settled): within the union of the two.
  [[nodiscard]] bool is_settled(std::uint32_t first, Cut one, Cut other);
  [[nodiscard]] Cut to_settle_from(std::size_t turn);
  void delay(std::uint32_t first, const Step& second, std::vector<Task>& out);
  enum class Verdict : std::uint8_t { no, yes, if_it_does_all };
  [[nodiscard]] Verdict is_ordered(std::uint32_t first, const Step& second);
  void collect_past(const Step& second, Footprint accesses, MutableCut& past) const;
  [[nodiscard]] std::size_t turns_before(std::uint32_t position) const;
  template <typename IsBefore>
  [[nodiscard]] bool delays_in_order(const std::vector<Turn>& turns, std::size_t count,
                                     std::uint32_t position, ProcessId delayed, ProcessId by,
                                     const IsBefore& is_before) const;

  const Vocabulary& vocabulary_;
  const ProcessOrder& processes_;
  const Trace& trace_;
  Variables variables_;
  LeftOut left_out_{variables_};
  const Task* task_ = nullptr;
  Prefix::Performed performed_;  // the trace's decisions, once a child begins with them
  std::vector<char> own_turn_;   // per event
  MutableCut to_settle_;         // a row per turn: all that it and the later ones belong to ...
  std::size_t settle_from_ = 0;  // ... as far as it was asked for: the rows from here on
  // Scratch.
  MutableCut needed_;
  MutableCut before_;  // the cut in which a delaying step is taken
  MutableCut from_;
  MutableCut past_;
  std::vector<std::uint32_t> direct_;
  std::vector<std::uint32_t> place_;  // of an event that is moved: where it is in a child
};

// ------------------------------------------------------------------------------------------------

template <typename Rules>
void Children<Rules>::begin(const Task& task) {
  task_ = &task;
  own_turn_.assign(trace_.execution().size(), 1);
  for (const Turn& turn : task.turns) {
    if (!turn.is_delay()) continue;
    const std::size_t end = std::min<std::size_t>(turn.end(), own_turn_.size());
    for (std::size_t at = turn.first; at < end; ++at) own_turn_[at] = 0;
  }
  const std::size_t width = trace_.order().width();
  settle_from_ = task.turns.size();
  to_settle_.resize((settle_from_ + 1) * width);
  std::fill_n(to_settle_.data() + settle_from_ * width, width, 0);
}

template <typename Rules>
Cut Children<Rules>::to_settle_from(std::size_t turn) {
  const std::size_t width = trace_.order().width();
  MAZURKA_CHECK(turn <= task_->turns.size(), "a turn is one of the task's");
  for (; settle_from_ > turn; --settle_from_) {
    const Cut past = trace_.order().past(task_->turns[settle_from_ - 1].last);
    const std::uint32_t* const later = to_settle_.data() + settle_from_ * width;
    std::uint32_t* const row = to_settle_.data() + (settle_from_ - 1) * width;
    for (std::size_t at = 0; at < width; ++at) row[at] = std::max(later[at], past[at]);
  }
  return {to_settle_.data() + turn * width, width};
}

template <typename Rules>
void Children<Rules>::find(const Task& task, std::vector<Task>& out) {
  const Execution& execution = trace_.execution();
  performed_ = nullptr;
  if (Rules::graphs && execution.ending == Ending::impossible) {
    task_ = &task;
    find_next_place(out);
    return;
  }
  if (task.prefix.size() > execution.size()) return;  // it was cut short
  begin(task);
  if constexpr (Rules::graphs) {
    variables_.update(task);
    find_next_place(out);
  }
  find_outcomes(out);
  const std::size_t first_new = Rules::settled && !task.prefix.empty() ? task.prefix.size() - 1 : 0;
  for (std::size_t at = first_new; at < execution.size(); ++at) {
    if (!trace_.touches_something(at)) continue;
    const StepRef second{static_cast<std::uint32_t>(at), true};
    trace_.needed_by(second, needed_);
    find_reversals(second, out);
    if (Rules::hindrances && trace_.can_wait(at)) find_hindrances(second, out);
    if constexpr (Rules::graphs) find_late_sources(second.number, out);
  }
  if constexpr (Rules::waiting_at_the_end && Rules::hindrances) {
    for (std::size_t at = 0; at < execution.pending.size(); ++at) {
      if (!execution.pending_state[at].released) continue;
      const StepRef second{static_cast<std::uint32_t>(at), false};
      trace_.needed_by(second, needed_);
      find_hindrances(second, out);
    }
    find_ends(out);
  }
}

template <typename Rules>
void Children<Rules>::find_outcomes(std::vector<Task>& out) {
  const Execution& execution = trace_.execution();
  std::size_t first = task_->prefix.empty() ? 0 : task_->prefix.size() - 1;
  if (Rules::graphs && !task_->turns.empty() && task_->turns.back().is_delay() &&
      (task_->turns.back().read || variables_.at(first).touches())) {
    ++first;  // what it reads is why it was delayed
  }
  for (std::size_t at = first; at < execution.size(); ++at) {
    const Step step = execution.steps[at];
    if (step.decision.choice + 1 >= step.choices) continue;
    Task& child = out.emplace_back();
    child.prefix = first_decisions(at);
    child.look = trace_.look_of_first(at).value();
    child.prefix.push_back({step.process(), static_cast<std::uint16_t>(step.decision.choice + 1)});
    child.turns = task_->turns;
    const auto position = static_cast<std::uint32_t>(at);
    if (child.turns.empty() || child.turns.back().last != position) {
      child.turns.push_back({position, position, no_process});
    }
  }
}

// The events that the step is in conflict with and directly after.
template <typename Rules>
void Children<Rules>::collect_direct(std::uint32_t event, const Step& step) {
  direct_.clear();
  const HappensBefore& order = trace_.order();
  for (std::size_t at = 0; at < step.accesses.size(); ++at) {
    for (auto one = order.earlier(event, at, event); one.any(); one.go_back()) {
      if (!trace_.contains(needed_, one.event())) direct_.push_back(one.event());
      if (one.is_enough()) break;
    }
  }
  std::sort(direct_.begin(), direct_.end(), std::greater<>());
  direct_.erase(std::unique(direct_.begin(), direct_.end()), direct_.end());
  std::size_t staying = 0;
  for (const std::uint32_t one : direct_) {
    const bool behind =
        std::any_of(direct_.begin(), direct_.begin() + static_cast<std::ptrdiff_t>(staying),
                    [&](std::uint32_t later) { return order.before(one, later); });
    if (!behind) direct_[staying++] = one;
  }
  direct_.resize(staying);
}

template <typename Rules>
void Children<Rules>::find_reversals(StepRef second, std::vector<Task>& out) {
  const Step step = trace_.step(second);
  if (step.exits || (Rules::first_outcomes_only && step.decision.choice != 0)) return;
  collect_direct(second.number, step);
  for (const std::uint32_t first : direct_) {
    if (is_own_turn(first)) try_reversal(first, second.number, out);
  }
}

template <typename Rules>
void Children<Rules>::try_reversal(std::uint32_t first, std::uint32_t second,
                                   std::vector<Task>& out) {
  MAZURKA_CHECK(first < second, "the step that is delayed was taken first");
  const Execution& execution = trace_.execution();
  const Cut upto_first = trace_.first_events(first + std::size_t{1});
  const Cut upto_second = trace_.order().past(second);
  if (!is_settled(first, upto_first, upto_second)) return;
  before_.assign(upto_first.begin(), upto_first.end());
  unite(before_, upto_second);
  before_[trace_.process_of(first)] = execution.events[first].index;
  before_[trace_.process_of(second)] = execution.events[second].index;
  if (!trace_.can_be_taken({second, true}, before_)) return;
  delay(first, execution.steps[second], out);
}

template <typename Rules>
std::size_t Children<Rules>::turns_before(std::uint32_t position) const {
  const auto after = std::partition_point(task_->turns.begin(), task_->turns.end(),
                                          [&](const Turn& turn) { return turn.first < position; });
  return static_cast<std::size_t>(after - task_->turns.begin());
}

template <typename Rules>
bool Children<Rules>::is_settled(std::uint32_t first, Cut one, Cut other) {
  if constexpr (!Rules::settled) return true;
  const Cut open = to_settle_from(turns_before(first + 1));
  for (std::size_t at = 0; at < open.size(); ++at) {
    if (open[at] > std::max(one[at], other[at])) return false;
  }
  return true;
}

// Emits the child in which `second` comes before `first`, after the cut `before_`.
template <typename Rules>
void Children<Rules>::delay(std::uint32_t first, const Step& second, std::vector<Task>& out) {
  const Execution& execution = trace_.execution();
  const Verdict ordered = is_ordered(first, second);
  if (ordered == Verdict::no) return;
  if constexpr (Rules::graphs) {
    const auto end = static_cast<std::uint32_t>(execution.size());
    left_out_.begin(end, before_);
    if (!left_out_.may_be_all_from(first)) return;
  }
  Task& child = out.emplace_back();
  child.provisional = ordered == Verdict::if_it_does_all;
  child.look = add_prefix(first, child).value();
  const auto turns = static_cast<std::ptrdiff_t>(turns_before(first));
  child.turns.reserve(static_cast<std::size_t>(turns) + 1);
  child.turns.assign(task_->turns.begin(), task_->turns.begin() + turns);
  child.turns.push_back(
      {first, static_cast<std::uint32_t>(child.prefix.size()), execution.steps.process(first)});
  child.prefix.push_back({second.process(), 0});
  MAZURKA_CHECK(child.turns.back().end() == child.prefix.size(), "a task ends with its last turn");
}

template <typename Rules>
Prefix Children<Rules>::first_decisions(std::size_t count) {
  if (!performed_) {
    const StepList& steps = trace_.execution().steps;
    std::vector<Decision> all(steps.size());
    for (std::size_t at = 0; at < all.size(); ++at) all[at] = steps.decision(at);
    performed_ = std::make_shared<const std::vector<Decision>>(std::move(all));
  }
  return {performed_, count};
}

// What comes before `first`, and what of the rest is in the cut `before_`; and how that looks.
template <typename Rules>
RunningHash Children<Rules>::add_prefix(std::uint32_t first, Task& child) {
  const Execution& execution = trace_.execution();
  const std::size_t size = std::accumulate(before_.begin(), before_.end(), std::size_t{0});
  child.prefix = first_decisions(first);
  if constexpr (Rules::graphs) place_.resize(execution.size());
  RunningHash look = trace_.look_of_first(first);
  for (std::uint32_t at = first; child.prefix.size() < size; ++at) {
    MAZURKA_CHECK(at < execution.size(), "a cut consists of events of the execution");
    if (!trace_.contains(before_, at)) continue;
    if constexpr (Rules::graphs) place_[at] = static_cast<std::uint32_t>(child.prefix.size());
    add_decision(execution.steps.decision(at),
                 Rules::graphs ? variables_.source_within(at, first, before_) : by_outcome, first,
                 child);
    add_look(look, execution.steps[at]);
  }
  return look;
}

// `source`: an event of the trace; those from `first` on have other places in the child.
template <typename Rules>
void Children<Rules>::add_decision(Decision decision, std::uint32_t source, std::uint32_t first,
                                   Task& child) {
  if (source != by_outcome) decision.choice = 0;
  const bool is_moved = source != by_outcome && source != no_event && source >= first;
  MAZURKA_CHECK(!is_moved || place_[source] < child.prefix.size(),
                "an event reads from one that comes before it");
  child.prefix.push_back(decision, is_moved ? place_[source] : source);
}

}  // namespace mazurka::reverse

#include "core/check.hpp"
#include "explorers/reverse/delay_order.hpp"
#include "explorers/reverse/hindrances.hpp"
#include "explorers/reverse/late_sources.hpp"
