// Optimal DPOR, alone, with observers, with don't-do sets, and with both, as printed in 2023.
//
// Line numbers are those of Algorithm 1 (ODPOR_cs) and Algorithm 2 (ODPOR_cs^ob).
#include <algorithm>
#include <deque>
#include <utility>

#include "oracle/printed.hpp"
#include "oracle/printed_run.hpp"

namespace mazurka::oracle::printed {

namespace {

struct Tree {
  std::size_t process = 0;
  std::vector<Tree> children;
};

struct Node {
  Tree wakeup;
  std::vector<Event> done;  // the first events of what was explored from here
  std::set<Processes> dont;
};

bool contains(const Indices& all, std::size_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool forbidden(const Node& node, std::size_t process) { return node.dont.contains({process}); }

class Optimal {
 public:
  Optimal(const Model& model, const OptimalRules& rules, const Processes& preference)
      : model_(model), rules_(rules), run_(model, rules.footprints, preference) {}

  Found search() {
    explore({}, {});
    return std::move(found_);
  }

 private:
  void explore(Tree wakeup, std::set<Processes> dont);
  void explore_children(Node& node);
  void detect_races_after(std::size_t forbidden_process);
  [[nodiscard]] std::set<Processes> inherited(const Node& node, std::size_t process) const;
  [[nodiscard]] std::optional<Processes> inherited(const Processes& dont,
                                                   std::size_t process) const;
  [[nodiscard]] bool passes(const Path& path, std::size_t earlier, std::size_t at) const;

  void detect_races();
  void reverse(std::size_t one, std::size_t other, const Order& order);
  [[nodiscard]] bool reversible(std::size_t one, std::size_t other, const Order& order) const;
  [[nodiscard]] Indices reversed(std::size_t one, std::size_t other, const Order& order,
                                 const Indices& observers) const;
  void add_future_initials(Indices& sequence, std::size_t one, const Order& order) const;
  [[nodiscard]] bool same_state(const Indices& sequence, std::size_t one, std::size_t other,
                                const Order& order) const;
  [[nodiscard]] bool same_involved(const Indices& sequence, std::size_t one,
                                   std::size_t other) const;
  [[nodiscard]] bool same_observed(const Indices& sequence, std::size_t one,
                                   const Indices& observers) const;

  [[nodiscard]] bool redundant(std::size_t from, const Processes& sequence) const;
  [[nodiscard]] bool weak_initial(const Event& event, const std::vector<Event>& events) const;
  void insert(Tree& tree, State state, Processes sequence, bool root);

  const Model& model_;
  const OptimalRules& rules_;
  Run run_;
  std::deque<Node> nodes_;
  Found found_;
};

// --- Explore -------------------------------------------------------------------------------------

void Optimal::explore(Tree wakeup, std::set<Processes> dont) {
  nodes_.push_back({std::move(wakeup), {}, std::move(dont)});
  Node& node = nodes_.back();
  const Processes able = run_.enabled();
  if (able.empty()) {
    run_.record(found_);
    detect_races();
  } else if (node.wakeup.children.empty()) {
    const auto allowed = std::find_if_not(
        able.begin(), able.end(), [&](std::size_t process) { return forbidden(node, process); });
    if (allowed == able.end()) {
      for (const std::size_t process : able) detect_races_after(process);
    } else {
      node.wakeup.children.push_back({*allowed, {}});
    }
  }
  explore_children(node);
  nodes_.pop_back();
}

void Optimal::explore_children(Node& node) {
  while (!node.wakeup.children.empty()) {
    const std::size_t process = node.wakeup.children.front().process;
    State state = run_.state();
    const Event event = perform(model_, rules_.footprints, state, process);
    if (forbidden(node, process)) {
      detect_races_after(process);
    } else {
      std::set<Processes> dont = inherited(node, process);
      run_.take(process);
      explore({0, node.wakeup.children.front().children}, std::move(dont));
      run_.take_back();
    }
    node.done.push_back(event);
    node.wakeup.children.erase(node.wakeup.children.begin());
  }
}

void Optimal::detect_races_after(std::size_t forbidden_process) {
  ++found_.cuts;
  run_.take(forbidden_process);
  detect_races();
  run_.take_back();
}

// Lines 19-20, 61-62.
std::set<Processes> Optimal::inherited(const Node& node, std::size_t process) const {
  std::set<Processes> all;
  for (const Processes& dont : node.dont) {
    const auto rest = inherited(dont, process);
    if (rest && !rest->empty()) all.insert(*rest);
  }
  return all;
}

std::optional<Processes> Optimal::inherited(const Processes& dont, std::size_t process) const {
  const auto at =
      static_cast<std::size_t>(std::find(dont.begin(), dont.end(), process) - dont.begin());
  Processes sequence = dont;
  if (at == dont.size()) {
    sequence.insert(sequence.begin(), process);
    const auto path = run_.follow(run_.state(), sequence);
    if (!path) return std::nullopt;
    const Order order(path->events, rules_.observers);
    for (std::size_t later = 1; later < sequence.size(); ++later) {
      if (order.before(0, later)) return std::nullopt;
    }
    return dont;
  }
  sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(at));
  if (at == 0) return sequence;
  const auto path = run_.follow(run_.state(), dont);
  if (!rules_.inherit_within || !path) return std::nullopt;
  for (std::size_t earlier = 0; earlier < at; ++earlier) {
    if (!passes(*path, earlier, at)) return std::nullopt;
  }
  return sequence;
}

// Section 4.4: independent, or both write only what is overwritten before anybody reads it.
bool Optimal::passes(const Path& path, std::size_t earlier, std::size_t at) const {
  const Event& one = path.events[earlier];
  const Event& other = path.events[at];
  if (read_write(one, other)) return false;
  const Objects both = one.writes & other.writes;
  if (both == 0) return true;
  if (!rules_.observers) return false;
  for (std::size_t later = at + 1; later < path.events.size(); ++later) {
    if ((path.events[later].reads & both) != 0) return false;
    if ((both & ~path.events[later].writes) == 0) return true;
  }
  return false;
}

// --- RaceDetection -------------------------------------------------------------------------------

void Optimal::detect_races() {
  const Order order(run_.events(), rules_.observers);
  for (std::size_t other = 0; other < run_.events().size(); ++other) {
    for (std::size_t one = other; one-- > 0;) {
      if (order.race(one, other) && reversible(one, other, order)) reverse(one, other, order);
    }
  }
}

bool Optimal::reversible(std::size_t one, std::size_t other, const Order& order) const {
  Indices sequence;
  for (std::size_t at = one + 1; at < other; ++at) {
    if (order.before(at, other)) sequence.push_back(at);
  }
  sequence.push_back(other);
  return run_.follow(run_.state(one), run_.processes(sequence)).has_value();
}

// Lines 26-32, 68-81.
void Optimal::reverse(std::size_t one, std::size_t other, const Order& order) {
  const Indices observers = order.observers(one, other);
  const Indices events = reversed(one, other, order, observers);
  const Processes sequence = run_.processes(events);
  std::optional<Processes> dont;
  if (rules_.context && !observers.empty()) {
    if (same_observed(events, one, observers)) {
      dont = sequence;
      for (const std::size_t at : observers) {
        if (at != observers.back()) dont->push_back(run_.events()[at].process);
      }
    }
  } else if (rules_.context && (rules_.involved ? same_involved(events, one, other)
                                                : same_state(events, one, other, order))) {
    dont = sequence;
    dont->push_back(run_.events()[one].process);
  }
  if (redundant(one, sequence)) return;
  insert(nodes_[one].wakeup, run_.state(one), sequence, true);
  if (dont) nodes_[one].dont.insert(*dont);
}

// Line 27; lines 70-72, 76 and Fig. 5: notdep.e', or notdep.e'.e.notobs.o with the last observer o.
Indices Optimal::reversed(std::size_t one, std::size_t other, const Order& order,
                          const Indices& observers) const {
  Indices sequence;
  for (std::size_t at = one + 1; at < run_.events().size(); ++at) {
    const bool taken = rules_.ancestors ? order.before(at, other) : !order.before(one, at);
    if (at != other && taken) sequence.push_back(at);
  }
  sequence.push_back(other);
  if (!observers.empty()) {
    sequence.push_back(one);
    for (std::size_t at = one + 1; at < run_.events().size(); ++at) {
      if (contains(sequence, at) || contains(observers, at)) continue;
      const auto leads_to = [&](std::size_t observer) { return order.before(at, observer); };
      const auto follows = [&](std::size_t observer) { return order.before(observer, at); };
      const bool taken = rules_.ancestors
                             ? std::any_of(observers.begin(), observers.end(), leads_to)
                             : std::none_of(observers.begin(), observers.end(), follows);
      if (taken) sequence.push_back(at);
    }
    sequence.push_back(observers.back());
  }
  if (rules_.ancestors) add_future_initials(sequence, one, order);
  return sequence;
}

// What happens after nothing from the race on.
void Optimal::add_future_initials(Indices& sequence, std::size_t one, const Order& order) const {
  for (std::size_t at = one + 1; at < run_.events().size(); ++at) {
    if (contains(sequence, at)) continue;
    bool initial = true;
    for (std::size_t earlier = one; earlier < at; ++earlier) {
      if (order.before(earlier, at)) initial = false;
    }
    if (initial) sequence.push_back(at);
  }
}

// Line 28: what follows the first event is run after the reversed race, as far as the second.
bool Optimal::same_state(const Indices& sequence, std::size_t one, std::size_t other,
                         const Order& order) const {
  Indices alternative;
  for (const std::size_t at : sequence) {
    if (at <= other) alternative.push_back(at);
  }
  alternative.push_back(one);
  for (std::size_t at = one + 1; at < other; ++at) {
    if (order.before(one, at)) alternative.push_back(at);
  }
  const auto path = run_.follow(run_.state(one), run_.processes(alternative));
  return path && path->end.bytes() == run_.state(other + 1).bytes();
}

// Section 3.4, and line 77.
bool Optimal::same_involved(const Indices& sequence, std::size_t one, std::size_t other) const {
  Indices alternative;
  std::size_t second = 0;
  for (const std::size_t at : sequence) {
    if (at == other) second = alternative.size();
    if (at <= other) alternative.push_back(at);
  }
  alternative.push_back(one);
  const auto path = run_.follow(run_.state(one), run_.processes(alternative));
  if (!path) return false;
  const Event& e = run_.events()[one];
  const Event& e2 = run_.events()[other];
  const Event& reversed_e = path->events.back();
  const Event& reversed_e2 = path->events[second];
  const Objects here = e.writes | e2.writes;
  const Objects there = reversed_e.writes | reversed_e2.writes;
  Objects involved = (e.writes & e2.writes) | (here & ~there) | (there & ~here);
  if ((e.writes & e2.reads) != 0) involved |= e2.writes;
  if ((reversed_e2.writes & reversed_e.reads) != 0) involved |= reversed_e.writes;
  return equal_on(run_.state(other + 1), path->end, involved);
}

// Line 73.
bool Optimal::same_observed(const Indices& sequence, std::size_t one,
                            const Indices& observers) const {
  Indices alternative;
  for (const std::size_t at : sequence) {
    if (at <= observers.back()) alternative.push_back(at);
  }
  for (const std::size_t at : observers) {
    if (at != observers.back() && !contains(alternative, at)) alternative.push_back(at);
  }
  const auto path = run_.follow(run_.state(one), run_.processes(alternative));
  if (!path) return false;
  return std::all_of(observers.begin(), observers.end(), [&](std::size_t at) {
    return equal_on(run_.state(at + 1), path->end, run_.events()[at].writes);
  });
}

// --- wakeup trees --------------------------------------------------------------------------------

bool Optimal::redundant(std::size_t from, const Processes& sequence) const {
  const auto path = run_.follow(run_.state(from), sequence);
  if (!path) return true;  // no execution; only if footprints are actual ones
  for (std::size_t at = 0; at <= from; ++at) {
    std::vector<Event> rest(run_.events().begin() + static_cast<std::ptrdiff_t>(at),
                            run_.events().begin() + static_cast<std::ptrdiff_t>(from));
    rest.insert(rest.end(), path->events.begin(), path->events.end());
    const auto covers = [&](const Event& done) { return weak_initial(done, rest); };
    const auto& done = nodes_[at].done;
    if (std::any_of(done.begin(), done.end(), covers)) return true;
  }
  return false;
}

// The event is the next one of its process.
bool Optimal::weak_initial(const Event& event, const std::vector<Event>& events) const {
  std::vector<Event> all = events;
  all.push_back(event);
  std::size_t at = 0;
  while (all[at].process != event.process) ++at;
  all.resize(std::max(events.size(), at + 1));
  return Order(all, rules_.observers).first(at);
}

void Optimal::insert(Tree& tree, State state, Processes sequence, bool root) {
  const auto path = run_.follow(state, sequence);
  if (!path) return;
  for (Tree& child : tree.children) {
    State after = state;
    if (!enabled(model_, after, child.process)) continue;
    const Event event = perform(model_, rules_.footprints, after, child.process);
    if (!weak_initial(event, path->events)) continue;
    const auto first = std::find(sequence.begin(), sequence.end(), child.process);
    if (first != sequence.end()) sequence.erase(first);
    insert(child, after, std::move(sequence), false);
    return;
  }
  if (!root && tree.children.empty()) return;  // what is asked for is covered by this leaf
  Tree* end = &tree;
  for (const std::size_t process : sequence) {
    end->children.push_back({process, {}});
    end = &end->children.back();
  }
}

}  // namespace

Found explore_optimal(const Model& model, const OptimalRules& rules, const Processes& preference) {
  return Optimal(model, rules, preference).search();
}

}  // namespace mazurka::oracle::printed
