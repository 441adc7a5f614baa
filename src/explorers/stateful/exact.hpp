// First sets, exactly: the oracle of the ideal algorithm, and the judge of all others.
//
// first(u) is the set of actions that can come first in a run equivalent to u. For u = a v it is
// {a} and what is in first(v) and independent of a. The full state space is built and the first
// sets of all maximal runs are computed from its ends backwards; of each state only the minimal
// ones are kept, because every question asked (does a set include one, does a set meet all) is
// answered by those. Exponential, of course: for small systems.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "explorers/stateful/graph.hpp"
#include "explorers/stateful/state_table.hpp"
#include "explorers/stateful/system.hpp"

namespace mazurka::stateful {

class ExactFirstSets {
 public:
  /// Throws NetworkError if the system is too large.
  explicit ExactFirstSets(const System& system, std::size_t max_states = 500'000,
                          std::size_t max_sets_per_state = 20'000);

  /// The minimal first sets of a reachable state, each of system.action_words() words.
  [[nodiscard]] std::span<const std::vector<Word>> of(const Word* state) const;
  /// Whether some maximal run from the state has its first set within `allowed`.
  [[nodiscard]] bool included(const Word* state, std::span<const Word> allowed) const;
  [[nodiscard]] std::size_t states() const { return table_.size(); }

 private:
  struct Step {
    ActionId action;
    StateId target;
  };
  void build(std::size_t max_states);
  void compute(std::size_t max_sets);
  [[nodiscard]] std::vector<StateId> ends_first() const;
  void add(StateId state, std::vector<Word> set);

  const System& system_;
  StateTable table_;
  std::vector<std::vector<Step>> steps_;
  std::vector<std::vector<std::vector<Word>>> sets_;
};

/// Proves a recorded graph complete: every maximal run has an equivalent one in it. For each node,
///  1. the actions considered meet every first set that has nothing asleep, and so do the edges;
///  2. a considered action that was skipped leads only to runs that begin asleep;
///  3. an edge leads to a node of the right state in which nothing else is asleep than what was
///     asleep or considered before, and is independent of the action.
/// Returns what is wrong, or nothing. (That the edges alone, without regard to sleep, meet every
/// first set is not true of a graph with sleep sets, though it is complete.)
[[nodiscard]] std::string certify(const System& system, const Graph& graph,
                                  const ExactFirstSets& exact);

}  // namespace mazurka::stateful
