// Source-DPOR and context-sensitive DPOR, as printed in 2017. Line numbers are those of
// Algorithm 1.
#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "oracle/printed.hpp"
#include "oracle/printed_run.hpp"

namespace mazurka::oracle::printed {

namespace {

/// Sleeping sequences. Those that a comparison of states has put to sleep may announce cuts.
using Sleep = std::map<Processes, bool>;

struct Node {
  Processes backtrack;
  Sleep sleep;
};

class Source {
 public:
  Source(const Model& model, const SourceRules& rules, const Processes& preference)
      : model_(model), rules_(rules), run_(model, Footprints::possible, preference) {}

  Found search() {
    explore({});
    return std::move(found_);
  }

 private:
  void explore(Sleep sleep);
  [[nodiscard]] Processes guided(const Node& node, const Processes& choices) const;
  [[nodiscard]] bool announces_cut(const Node& node) const;
  [[nodiscard]] Objects future_touches(std::size_t process, Objects* written) const;
  [[nodiscard]] Sleep inherited(const Node& node, std::size_t process) const;

  void detect_races();
  void reverse(std::size_t one, const Order& order);
  [[nodiscard]] Processes initials(const Indices& sequence, const Order& order) const;

  const Model& model_;
  const SourceRules& rules_;
  Run run_;
  std::deque<Node> nodes_;
  Found found_;
};

void Source::explore(Sleep sleep) {
  nodes_.push_back({{}, std::move(sleep)});
  Node& node = nodes_.back();
  const auto asleep = [&](std::size_t process) { return node.sleep.contains({process}); };
  Processes able = run_.enabled();
  if (able.empty()) run_.record(found_);
  const bool blocked =
      std::all_of(able.begin(), able.end(), asleep) || (rules_.anticipate && announces_cut(node));
  if (!able.empty() && blocked) ++found_.cuts;
  if (!blocked) {
    std::erase_if(able, asleep);
    node.backtrack = {guided(node, able).front()};
  }
  for (;;) {
    Processes left = node.backtrack;
    std::erase_if(left, asleep);
    if (left.empty()) break;
    const std::size_t process = guided(node, left).front();
    run_.take(process);
    detect_races();
    run_.take_back();
    Sleep below = inherited(node, process);
    run_.take(process);
    explore(std::move(below));
    run_.take_back();
    node.sleep.emplace(Processes{process}, false);
  }
  nodes_.pop_back();
}

// Section 5.3: what the shortest sleeping sequences begin with comes first.
Processes Source::guided(const Node& node, const Processes& choices) const {
  if (!rules_.guide) return choices;
  const auto shortest = [&](std::size_t process) {
    std::size_t length = most_processes * 16;
    for (const auto& [sequence, context] : node.sleep) {
      if (sequence.front() == process) length = std::min(length, sequence.size());
    }
    return length;
  };
  Processes sorted = choices;
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t one, std::size_t other) {
    return shortest(one) < shortest(other);
  });
  return sorted;
}

// Section 5.3: a sequence that the comparison of states put to sleep is consumed but for its last
// step, and no step that may still come is dependent with that.
bool Source::announces_cut(const Node& node) const {
  return std::any_of(node.sleep.begin(), node.sleep.end(), [&](const auto& entry) {
    const auto& [sequence, context] = entry;
    if (!context || sequence.size() != 1) return false;
    const auto path = run_.follow(run_.state(), sequence);
    if (!path) return false;
    const Event& last = path->events.front();
    for (std::size_t process = 0; process < model_.processes.size(); ++process) {
      if (process == last.process) continue;
      Objects written = 0;
      const Objects touched = future_touches(process, &written);
      if ((touched & last.writes) != 0 || (written & last.reads) != 0) return false;
    }
    return true;
  });
}

// All that the process may touch from now on, taking every step that is left to it.
Objects Source::future_touches(std::size_t process, Objects* written) const {
  Objects touched = 0;
  State state = run_.state();
  if (state.statuses[process] != Status::running) return 0;
  const std::size_t steps = model_.processes[process].steps.size();
  for (std::size_t at = state.positions[process]; at < steps; ++at) {
    State there = run_.state();
    there.positions[process] = static_cast<std::uint8_t>(at);
    const Event event = perform(model_, Footprints::possible, there, process);
    touched |= event.reads | event.writes;
    *written |= event.writes;
  }
  return touched;
}

// Lines 15-16.
Sleep Source::inherited(const Node& node, std::size_t process) const {
  Sleep below;
  const auto add = [&](const Processes& sequence, bool context) {
    const auto [entry, fresh] = below.emplace(sequence, context);
    if (!fresh) entry->second |= context;
  };
  for (const auto& [sequence, context] : node.sleep) {
    Processes both{process};
    both.insert(both.end(), sequence.begin(), sequence.end());
    const auto path = run_.follow(run_.state(), both);
    if (path) {
      const Order order(path->events, false);
      bool independent = true;
      for (std::size_t at = 1; at < both.size(); ++at) independent &= !order.before(0, at);
      if (independent) add(sequence, context);
    }
    if (sequence.size() > 1 && sequence.front() == process) {
      add({sequence.begin() + 1, sequence.end()}, context);
    }
  }
  return below;
}

// Lines 6-14, for the latest event.
void Source::detect_races() {
  const Order order(run_.events(), false);
  const std::size_t last = run_.events().size() - 1;
  for (std::size_t one = last; one-- > 0;) {
    if (order.race(one, last)) reverse(one, order);
  }
}

void Source::reverse(std::size_t one, const Order& order) {
  const std::size_t last = run_.events().size() - 1;
  Indices sequence;
  Indices dependent{one};
  for (std::size_t at = one + 1; at < last; ++at) {
    (order.before(one, at) ? dependent : sequence).push_back(at);
  }
  sequence.push_back(last);
  Node& node = nodes_[one];
  Processes reversed = run_.processes(sequence);
  if (!run_.follow(run_.state(one), reversed)) return;  // not reversible
  const Processes first = initials(sequence, order);
  const auto known = [&](std::size_t process) {
    return std::find(node.backtrack.begin(), node.backtrack.end(), process) != node.backtrack.end();
  };
  if (std::none_of(first.begin(), first.end(), known)) {
    node.backtrack.push_back(guided(node, first).front());
  }
  if (!rules_.context) return;
  const Processes rest = run_.processes(dependent);
  reversed.insert(reversed.end(), rest.begin(), rest.end());
  const bool covered = std::any_of(node.sleep.begin(), node.sleep.end(), [&](const auto& entry) {
    const Processes& prefix = entry.first;
    return prefix.size() <= reversed.size() &&
           std::equal(prefix.begin(), prefix.end(), reversed.begin());
  });
  if (covered) return;
  const auto path = run_.follow(run_.state(one), reversed);
  if (path && path->end.bytes() == run_.state().bytes()) node.sleep.emplace(reversed, true);
}

Processes Source::initials(const Indices& sequence, const Order& order) const {
  Processes found;
  for (std::size_t at = 0; at < sequence.size(); ++at) {
    bool first = true;
    for (std::size_t earlier = 0; earlier < at; ++earlier) {
      if (order.before(sequence[earlier], sequence[at])) first = false;
    }
    if (first) found.push_back(run_.events()[sequence[at]].process);
  }
  return found;
}

}  // namespace

Found explore_source(const Model& model, const SourceRules& rules, const Processes& preference) {
  return Source(model, rules, preference).search();
}

}  // namespace mazurka::oracle::printed
