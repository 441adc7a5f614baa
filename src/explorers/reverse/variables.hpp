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
//
// What was added before an event is the same whatever is left out, so it is worked out once for
// each execution. The rest is what is kept: of each process its first events, so the last of what
// they have written to a variable is looked up in a row for the two (LeftOut). Who asks meets only
// events that are to be left out, the last one first, and mostly few of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
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
    const std::vector<GraphStep>& graph = trace_.execution().graph;
    return event < graph.size() ? graph[event] : nothing_;
  }
  /// Where the turn of its process began.
  [[nodiscard]] std::uint32_t turn_of(std::uint32_t event) const { return event_[event].turn; }
  /// Whether it was delayed, to read what the event before it has written.
  [[nodiscard]] bool was_delayed(std::uint32_t event) const { return event_[event].delayed; }
  /// Who has read that of this variable and written over it, or no_event.
  [[nodiscard]] std::uint32_t taker_of(std::uint64_t variable, std::uint32_t source) const;

  /// Calls `visit(read)` for the reads of the variable that come before `end` and are not in the
  /// cut, the last one first, until it returns false.
  template <typename Visit>
  void for_each_read(std::uint64_t variable, std::uint32_t end, Cut cut, const Visit& visit);

  /// The source of an event if only what is in the cut, or before `first`, had been there.
  [[nodiscard]] std::uint32_t source_within(std::uint32_t event, std::uint32_t first,
                                            Cut kept) const;

 private:
  friend class LeftOut;
  static constexpr std::uint32_t none = no_event;
  inline static const GraphStep nothing_{};

  struct Event {
    std::uint32_t variable = none;       // its number
    std::uint32_t turn = 0;              // where the turn of its process began
    std::uint32_t rank = 0;              // of a write, in the order of modification
    std::uint32_t previous = none;       // of a write, the one before it there, ...
    std::uint32_t next = none;           // ... and the one behind
    std::uint32_t taker = none;          // who has read it and written over it
    std::uint32_t last_before = 0;       // the last rank among what was added before
    std::uint32_t delayed_read = none;   // of its turn, if there is one
    std::uint32_t previous_read = none;  // of the same row
    std::uint32_t row = none;
    bool delayed = false;
  };
  struct Variable {
    std::uint32_t first = none;  // in the order of modification
    std::uint32_t last = none;
    std::uint32_t taker = none;  // of what was there before all of them
    std::uint32_t rank = 0;      // the last among what was added
    std::uint32_t row = none;    // the first of its rows
  };
  /// The events of a process that touch a variable, a piece of touches_.
  struct Row {
    std::size_t process = 0;
    std::uint32_t next = none;  // of the same variable
    std::uint32_t last_read = none;
    std::uint32_t count = 0;
    std::uint32_t begin = 0;
  };
  struct Touch {
    std::uint32_t event = 0;
    std::uint32_t best = 0;  // the last rank that the row has written so far
  };
  void number_variables();
  void find_turns(const Task& task);
  void order_writes();
  void write(std::uint32_t event, std::uint32_t behind);
  void follow_additions();
  void add(std::uint32_t event);
  [[nodiscard]] std::uint32_t row_of(std::uint32_t variable, std::size_t process);
  void fill_rows();
  [[nodiscard]] std::span<const Touch> touches(const Row& row) const {
    return std::span(touches_).subspan(row.begin, row.count);
  }
  /// The last rank that is written to the variable in the cut.
  [[nodiscard]] std::uint32_t last_rank_in(Cut cut, std::uint32_t variable) const;
  /// The last read of the row that comes before `end`.
  [[nodiscard]] std::uint32_t last_read_before(const Row& row, std::uint32_t end) const;
  [[nodiscard]] std::uint32_t number_of(std::uint64_t variable) const {
    const auto found = numbers_.find(variable);
    return found == numbers_.end() ? none : found->second;
  }

  const Trace& trace_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // of all that were ever met
  std::vector<std::uint64_t> names_;                          // per event: its variable
  std::vector<Variable> variables_;
  std::vector<Event> event_;  // per event
  std::vector<Row> rows_;
  std::vector<Touch> touches_;
  std::vector<std::vector<std::uint32_t>> touching_;  // per process: its events that touch any
  std::vector<std::uint32_t> heads_;                  // scratch: a read of each process
};

/// Whether events can be left out: all from somewhere on and before an end, but for those in a cut,
/// which has all that it needs.
class LeftOut {
 public:
  explicit LeftOut(const Variables& variables) : variables_(variables) {}

  void begin(std::uint32_t end, Cut kept);
  /// Whether all of them from `first` on are maximal, as seen from the cut and from all that comes
  /// before `first`. The next question is about one that is not greater.
  [[nodiscard]] bool may_be_all_from(std::uint32_t first);

 private:
  [[nodiscard]] bool is_maximal(std::uint32_t event);
  [[nodiscard]] std::uint32_t last_kept(std::uint32_t variable);
  [[nodiscard]] std::uint32_t latest();

  static constexpr std::uint32_t not_known = no_event;

  const Variables& variables_;
  std::uint32_t end_ = 0;
  bool all_maximal_ = true;
  Cut kept_;
  std::vector<std::size_t> left_;         // of each process, so many were not gone through yet
  std::vector<std::uint32_t> last_kept_;  // per variable, if it is known: of these ...
  std::vector<std::uint32_t> met_;
};

template <typename Visit>
void Variables::for_each_read(std::uint64_t variable, std::uint32_t end, Cut cut,
                              const Visit& visit) {
  const std::uint32_t number = number_of(variable);
  if (number == none) return;
  heads_.clear();
  for (std::uint32_t row = variables_[number].row; row != none; row = rows_[row].next) {
    heads_.push_back(last_read_before(rows_[row], end));
  }
  for (;;) {
    std::uint32_t* latest = nullptr;
    for (std::uint32_t& read : heads_) {
      if (read != none && trace_.contains(cut, read)) read = none;
      if (read != none && (latest == nullptr || read > *latest)) latest = &read;
    }
    if (latest == nullptr || !visit(*latest)) return;
    *latest = event_[*latest].previous_read;
  }
}

}  // namespace mazurka::reverse
