#include "demands.hpp"

#include <algorithm>
#include <set>

namespace certify {
namespace {

constexpr std::size_t most_cuts = 100'000;  // gone through for one step

bool is_within(const Cut& one, const Cut& other) {
  for (std::size_t at = 0; at < one.size(); ++at) {
    if (one[at] > other[at]) return false;
  }
  return true;
}

Cut intersection(const Cut& one, const Cut& other) {
  Cut both(one.size());
  for (std::size_t at = 0; at < one.size(); ++at) both[at] = std::min(one[at], other[at]);
  return both;
}

// A step of one execution: an event, or what a process waits to do at its end.
struct Candidate {
  std::uint32_t process = 0;
  std::uint32_t event = none;
  const Operation* operation = nullptr;
  Cut past;
};

// A cut at which the step might be taken, and the last event that was left out for it.
struct Reached {
  Cut cut;
  std::uint32_t earlier = none;
  std::uint32_t left_out = 0;  // events left out because the step was not enabled
};

class Search {
 public:
  Search(const Histories& history, Weakening weakening,
         const std::function<void(const Demand&)>& visit)
      : history_(history), weakening_(weakening), visit_(visit), removed_(history.size()) {}

  bool run() {
    for (std::uint32_t event = 0; event < history_.size(); ++event) {
      if (!of_event(event)) return false;
    }
    if (weakening_ == Weakening::no_waiting) return true;
    for (std::uint32_t process = 0; process < history_.processes(); ++process) {
      if (!history_.is_born(process) || history_.operation_at_end(process).end) continue;
      if (!of_waiting(process)) return false;
    }
    return true;
  }

 private:
  bool of_event(std::uint32_t event) {
    const Event& taken = history_[event];
    const Operation& operation = history_.operation(taken);
    if (taken.choices > 1 && weakening_ != Weakening::no_choices) {
      for (std::uint32_t choice = 0; choice < taken.choices; ++choice) {
        const std::uint32_t chosen = history_.certificate().nodes[taken.after].outcome.choice;
        if (choice == chosen) continue;
        visit_({without(event), taken.process, choice, Reason::choice, event, none});
      }
    }
    // The end of the program comes last in any case, and a join is possible ever after.
    if (operation.ending == Ending::exit) return true;
    std::vector<Reached> starts;
    for (const std::uint32_t earlier : history_.directs(event)) {
      starts.push_back({without(earlier), earlier, 0});
      if (weakening_ == Weakening::one_race) break;
    }
    if (starts.empty()) return true;
    return cut_back({taken.process, event, &operation, history_.past(event)}, std::move(starts));
  }

  bool of_waiting(std::uint32_t process) {
    const Operation& operation = history_.operation_at_end(process);
    const Cut all = history_.all();
    if (operation.ending == Ending::exit) {
      const std::uint32_t last = history_.size() - 1;
      if (!history_.is_stopped() || history_.operation(history_[last]).ending != Ending::exit) {
        return true;
      }
      visit_({without(last), process, none, Reason::exit, none, last});
      return true;
    }
    if (operation.joins != none && !history_.has_ended(operation.joins)) return true;
    return cut_back({process, none, &operation, history_.past_at_end(process)},
                    {Reached{all, none, 0}});
  }

  // Leaves out what keeps the step from being taken, in every way, and keeps the largest cuts.
  bool cut_back(const Candidate& step, std::vector<Reached> todo) {
    std::set<Cut> seen;
    std::vector<Reached> found;
    while (!todo.empty()) {
      Reached reached = std::move(todo.back());
      todo.pop_back();
      if (can_be_taken(step, reached.cut)) {
        found.push_back(std::move(reached));
        continue;
      }
      const bool weak =
          weakening_ == Weakening::one_left_out || weakening_ == Weakening::immediate_only;
      if (weak && reached.left_out > 0) continue;
      if (weakening_ == Weakening::immediate_only && step.event != none) continue;
      leave_out_one(step, reached, seen, todo);
      if (seen.size() > most_cuts) return false;
    }
    report(step, found);
    return true;
  }

  void leave_out_one(const Candidate& step, const Reached& reached, std::set<Cut>& seen,
                     std::vector<Reached>& todo) {
    const auto try_without = [&](std::uint32_t event) {
      if (!history_.contains(reached.cut, event) || history_.contains(step.past, event)) return;
      Cut cut = intersection(reached.cut, without(event));
      if (seen.insert(cut).second) todo.push_back({std::move(cut), event, reached.left_out + 1});
    };
    for (const Part& part : step.operation->parts) {
      for (const std::uint32_t event : history_.of_object(part.object)) try_without(event);
    }
    if (history_.is_stopped()) try_without(history_.size() - 1);
  }

  // The values of the step's objects after the cut alone.
  [[nodiscard]] bool can_be_taken(const Candidate& step, const Cut& cut) {
    if (history_.is_stopped() && history_.contains(cut, history_.size() - 1)) return false;
    for (const Part& part : step.operation->parts) {
      if (!is_guarded(part.action)) continue;
      Value value;
      value.number = history_.certificate().objects[part.object].initial;
      for (const std::uint32_t event : history_.of_object(part.object)) {
        if (history_.contains(cut, event)) perform_on(part.object, event, value);
      }
      if (!enabled(part, step.process, value)) return false;
    }
    return true;
  }

  void perform_on(std::uint32_t object, std::uint32_t event, Value& value) const {
    const Event& performed = history_[event];
    const Outcome& outcome = history_.certificate().nodes[performed.after].outcome;
    const std::vector<Part>& parts = history_.operation(performed).parts;
    for (std::size_t at = 0; at < parts.size(); ++at) {
      if (parts[at].object != object) continue;
      perform(parts[at], performed.process, outcome.choice, outcome.parts[at], value);
    }
  }

  void report(const Candidate& step, const std::vector<Reached>& found) {
    for (const Reached& one : found) {
      const bool covered = std::any_of(found.begin(), found.end(), [&](const Reached& other) {
        return one.cut != other.cut && is_within(one.cut, other.cut);
      });
      if (covered) continue;
      visit_({weakened(step, one), step.process, none,
              step.event == none ? Reason::waits : Reason::race, step.event, one.earlier});
      if (weakening_ == Weakening::one_cut) return;
    }
  }

  [[nodiscard]] Cut weakened(const Candidate& step, const Reached& reached) const {
    Cut cut = reached.cut;
    if (weakening_ == Weakening::short_context) {
      const std::uint32_t end = step.event == none ? reached.earlier : step.event;
      for (std::uint32_t at = end; at < history_.size(); ++at) {
        const Event& event = history_[at];
        if (history_.contains(step.past, at)) continue;
        cut[event.process] = std::min(cut[event.process], event.index);
      }
    }
    if (weakening_ != Weakening::needed_context) return cut;
    cut = step.past;
    for (const Part& part : step.operation->parts) {
      for (const std::uint32_t event : history_.of_object(part.object)) {
        if (!history_.contains(reached.cut, event)) continue;
        const auto before = history_.before(event);
        for (std::size_t at = 0; at < cut.size(); ++at) cut[at] = std::max(cut[at], before[at]);
        std::uint32_t& own = cut[history_[event].process];
        own = std::max(own, history_[event].index + 1);
      }
    }
    return cut;
  }

  const Cut& without(std::uint32_t event) {
    if (removed_[event].empty()) removed_[event] = history_.without(event);
    return removed_[event];
  }

  const Histories& history_;
  Weakening weakening_;
  const std::function<void(const Demand&)>& visit_;
  std::vector<Cut> removed_;
};

}  // namespace

bool for_each_demand(const Histories& history, Weakening weakening,
                     const std::function<void(const Demand&)>& visit) {
  return Search(history, weakening, visit).run();
}

Key name(const Histories& history, const Demand& demand) {
  return Hasher(history.secret())
      .add(history.name(demand.cut))
      .add(demand.process)
      .add(demand.choice)
      .value();
}

}  // namespace certify
