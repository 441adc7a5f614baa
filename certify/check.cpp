#include "check.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "words.hpp"

namespace certify {
namespace {

// A demand that is looked for in every execution: the cut, told by the last events in it.
struct Open {
  struct Last {
    std::uint32_t process = 0;
    std::uint32_t events = 0;
    Key id;
  };
  Demand demand;
  Key name;
  std::vector<Last> last;
  std::uint32_t schedule = 0;
  bool met = false;
};

// Leaves the check with what is wrong.
struct Refused {
  std::string why;
};

class Check {
 public:
  Check(const Certificate& certificate, const CheckOptions& options)
      : options_(options), history_(certificate, options.secret) {}

  void run() {
    collect();
    strike_out();
    if (!needed_.empty()) look_for_the_rest();
  }

  [[nodiscard]] const Statistics& statistics() const { return statistics_; }

 private:
  [[nodiscard]] bool next() {
    try {
      return history_.next();
    } catch (const NoExecution& wrong) {
      throw Refused{words_for_log(history_, wrong)};
    }
  }

  void collect() {
    std::unordered_set<Key, KeyHash> traces;
    while (next()) {
      ++statistics_.executions;
      statistics_.events += history_.size();
      traces.insert(history_.name(history_.all()));
      check_determinism();
      const bool all = for_each_demand(history_, options_.weakening, [&](const Demand& demand) {
        needed_.insert(name(history_, demand));
      });
      if (!all) throw Refused{words_for_too_many_cuts(history_)};
    }
    if (statistics_.executions == 0) throw Refused{"it has no executions\n"};
    statistics_.traces = traces.size();
    statistics_.demands = needed_.size();
  }

  // The same past has to be followed by the same operation, and the same operation that observes
  // the same by the same values written.
  void check_determinism() {
    for (std::uint32_t at = history_.shared(); at < history_.size(); ++at) {
      const Event& event = history_[at];
      hold_to(event.before, history_.certificate().nodes[event.node].operation, event.process, at);
      const Outcome& outcome = history_.certificate().nodes[event.after].outcome;
      Hasher input(options_.secret);
      Hasher result(options_.secret);
      input.add(event.before).add(outcome.choice);
      const Operation& operation = history_.operation(event);
      for (std::size_t part = 0; part < outcome.parts.size(); ++part) {
        input.add(outcome.parts[part].observed);
        result.add(outcome.parts[part].written);
        const bool decides = operation.parts[part].action == Action::compare_exchange;
        (decides ? result : input).add(outcome.parts[part].succeeded ? 1 : 0);
      }
      const auto known = results_.emplace(input.value(), result.value().low).first;
      if (known->second != result.value().low) {
        throw Refused{words_for_nondeterminism(history_, event.process, at)};
      }
    }
    for (std::uint32_t process = 0; process < history_.processes(); ++process) {
      if (!history_.is_born(process)) continue;
      const std::uint32_t node = history_.node_at_end(process);
      hold_to(history_.known_at_end(process), history_.certificate().nodes[node].operation, process,
              none);
    }
  }

  void hold_to(const Key& known, std::uint32_t operation, std::uint32_t process,
               std::uint32_t event) {
    const auto [entry, fresh] = next_operations_.emplace(known, operation);
    if (!fresh && entry->second != operation) {
      throw Refused{words_for_nondeterminism(history_, process, event)};
    }
  }

  // An execution meets what it has before any of its events and goes on to with that event.
  void strike_out() {
    next_operations_.clear();
    results_.clear();
    history_.rewind();
    while (!needed_.empty() && next()) {
      Demand demand;
      for (std::uint32_t at = 0; at < history_.size(); ++at) {
        const Event& event = history_[at];
        demand.cut = history_.without(at);
        demand.process = event.process;
        demand.choice = none;
        needed_.erase(name(history_, demand));
        if (event.choices == 1) continue;
        demand.choice = history_.certificate().nodes[event.after].outcome.choice;
        needed_.erase(name(history_, demand));
      }
    }
    statistics_.looked_for = needed_.size();
  }

  void look_for_the_rest() {
    std::vector<Open> open = demands_that_are_left();
    std::unordered_map<Key, std::vector<std::size_t>, KeyHash> by_event;
    std::vector<std::size_t> without_events;
    for (std::size_t at = 0; at < open.size(); ++at) {
      if (open[at].last.empty()) {
        without_events.push_back(at);
      } else {
        by_event[open[at].last.back().id].push_back(at);
      }
    }
    history_.rewind();
    while (next()) {
      for (const std::size_t at : without_events) try_to_meet(open[at]);
      for (std::uint32_t event = 0; event < history_.size(); ++event) {
        const auto found = by_event.find(history_[event].id);
        if (found == by_event.end()) continue;
        for (const std::size_t at : found->second) try_to_meet(open[at]);
      }
    }
    for (const Open& one : open) {
      if (!one.met) refuse_for(one);
    }
  }

  std::vector<Open> demands_that_are_left() {
    std::vector<Open> open;
    history_.rewind();
    while (next()) {
      (void)for_each_demand(history_, options_.weakening, [&](const Demand& demand) {
        const Key key = name(history_, demand);
        if (needed_.erase(key) == 0) return;
        Open one{demand, key, {}, history_.number(), false};
        for (std::uint32_t process = 0; process < history_.processes(); ++process) {
          const std::uint32_t events = demand.cut[process];
          if (events == 0) continue;
          const std::uint32_t last = history_.of_process(process)[events - 1];
          one.last.push_back({process, events, history_[last].id});
        }
        open.push_back(std::move(one));
      });
    }
    return open;
  }

  void try_to_meet(Open& open) const {
    if (open.met) return;
    for (const Open::Last& last : open.last) {
      const auto& own = history_.of_process(last.process);
      if (own.size() < last.events || history_[own[last.events - 1]].id != last.id) return;
    }
    const std::uint32_t process = open.demand.process;
    const auto& own = history_.of_process(process);
    if (own.size() <= open.demand.cut[process]) return;
    const std::uint32_t next = own[open.demand.cut[process]];
    const auto before = history_.before(next);
    for (std::uint32_t at = 0; at < history_.processes(); ++at) {
      if (before[at] > open.demand.cut[at]) return;
    }
    const Event& event = history_[next];
    const std::uint32_t choice = history_.certificate().nodes[event.after].outcome.choice;
    open.met = open.demand.choice == none || open.demand.choice == choice;
  }

  [[noreturn]] void refuse_for(const Open& open) {
    history_.rewind();
    while (next() && history_.number() != open.schedule) {
    }
    throw Refused{words_for_demand(history_, open.demand)};
  }

  CheckOptions options_;
  Histories history_;
  Statistics statistics_;
  std::unordered_set<Key, KeyHash> needed_;
  std::unordered_map<Key, std::uint32_t, KeyHash> next_operations_;
  std::unordered_map<Key, std::uint64_t, KeyHash> results_;
};

}  // namespace

Judgement check(const Certificate& certificate, const CheckOptions& options) {
  if (certificate.not_covered) {
    return {Verdict::incomplete, "not covered: " + *certificate.not_covered + "\n", {}};
  }
  if (certificate.incomplete) {
    return {Verdict::incomplete,
            "the search did not see everything: " + *certificate.incomplete + "\n",
            {}};
  }
  Check check(certificate, options);
  try {
    check.run();
  } catch (const Refused& refused) {
    return {Verdict::refused, refused.why, check.statistics()};
  }
  return {Verdict::accepted, "", check.statistics()};
}

}  // namespace certify
