// The atomic variables of an execution that is explored as a graph: in which order they were
// written, and which events would be what they are in any case.
//
// Events are *added* to a graph in some order: that in which they came by themselves, except that
// a read which was delayed, to read what is only written later, keeps its place (Turn::read). An
// event is *maximal*, as seen from a part of the graph, if it reads what is last, or writes behind
// what is last, among all that was added before it or is in that part, and none of these reads from
// it. Of graphs that differ only in what is left out, exactly one has nothing but maximal events
// there: that one is the parent (TruSt: Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL
// 2022).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/execution.hpp"
#include "explorers/reverse/task.hpp"
#include "explorers/reverse/trace.hpp"

namespace mazurka::reverse {

class Variables {
 public:
  explicit Variables(const Trace& trace) : trace_(trace) {}

  /// Takes in the trace, which was performed as the task asked.
  void update(const Task& task);

  [[nodiscard]] const GraphStep& at(std::size_t event) const {
    static const GraphStep nothing;
    const std::vector<GraphStep>& graph = trace_.execution().graph;
    return event < graph.size() ? graph[event] : nothing;
  }
  /// The events that touch the variable, in the order of the execution.
  [[nodiscard]] const std::vector<std::uint32_t>& all_of(std::uint64_t variable) const {
    return variables_.at(variable).events;
  }
  /// Where the turn of its process began.
  [[nodiscard]] std::uint32_t turn_of(std::uint32_t event) const { return added_[event] / 2; }
  /// Whether it was delayed, to read what the event before it has written.
  [[nodiscard]] bool was_delayed(std::uint32_t event) const { return added_[event] % 2 == 0; }
  /// Who has read that of this variable and written over it, or no_event.
  [[nodiscard]] std::uint32_t taker_of(std::uint64_t variable, std::uint32_t source) const;

  /// Whether all events from `first` on and before `end` that are not in the cut are maximal, as
  /// seen from the cut.
  [[nodiscard]] bool may_be_left_out(std::uint32_t first, std::uint32_t end, Cut kept) const;

  /// The source of an event if only what is in the cut, or before `first`, had been there.
  [[nodiscard]] std::uint32_t source_within(std::uint32_t event, std::uint32_t first,
                                            Cut kept) const;

 private:
  struct Variable {
    std::vector<std::uint32_t> events;
    std::vector<std::uint32_t> written;  // in the order of modification
  };
  [[nodiscard]] bool is_maximal(std::uint32_t event, std::uint32_t end, Cut kept) const;
  void write(Variable& variable, std::uint32_t event, std::uint32_t behind);

  const Trace& trace_;
  std::unordered_map<std::uint64_t, Variable> variables_;
  std::vector<std::uint32_t> rank_;   // of a write, in the order of modification
  std::vector<std::uint32_t> added_;  // when
};

}  // namespace mazurka::reverse
