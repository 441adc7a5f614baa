// All executions of a small search, one after the other, with the states in which they end.
//
// The tree of the search (exploration_tree.hpp) has them already, as paths: here each is told on
// its own, and those that end in the same state are brought together. Executions that were given
// up, because what would follow is explored elsewhere, have no final state and are not listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/model/exploration_tree.hpp"

namespace mazurka {

struct ListedExecution {
  std::uint64_t number = 0;          // it was the n-th that was begun
  std::uint32_t leaf = 0;            // the node of the tree in which it ends
  std::vector<std::uint32_t> steps;  // the nodes on the way there
};

struct FinalState {
  std::string state;
  bool state_known = true;  // else `state` says why these executions were not looked at
  TreeEnd end = TreeEnd::none;
  std::vector<std::uint64_t> executions;  // their numbers
};

struct ExecutionList {
  std::vector<ListedExecution> executions;  // in the order in which they were explored
  std::vector<FinalState> final_states;     // in the order in which they were come to
  std::uint64_t given_up = 0;               // executions that are not listed
};

/// Of a whole tree; of any other an empty list.
[[nodiscard]] ExecutionList listed(const ExplorationTree& tree);

}  // namespace mazurka
