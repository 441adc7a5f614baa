// The executions of a search as a tree: what they have in common is a path from the root, and where
// they part is a node with several children.
//
// Of a small search every step is a node. Of a large one the tree is a summary: only nodes that
// many executions go through, a chain of steps without a branch as one of them; where the
// executions part is then known of a sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive.hpp"

namespace mazurka {

/// How an execution ended. Their names are those of docs/json.md, in the same order.
enum class TreeEnd : std::uint8_t {
  none,  // executions go on from here, or it is not known
  complete,
  failed,
  deadlock,
  asleep,      // all that could follow is explored elsewhere
  known,       // it came to a state that is explored elsewhere
  in_vain,     // somebody only waited
  assumed,     // an assumption does not hold
  cut,         // the bound on events was reached
  stalled,     // somebody computes without end
  impossible,  // the outcome that was tried can not be
};

[[nodiscard]] constexpr std::string_view name(TreeEnd end) {
  constexpr std::string_view names[] = {"none",   "complete", "failed",    "deadlock",
                                        "asleep", "known",    "in vain",   "assumption",
                                        "cut",    "stalled",  "impossible"};
  const auto at = static_cast<std::size_t>(end);
  return at < std::size(names) ? names[at] : names[0];
}

/// What would follow is explored elsewhere, or nothing does: such an execution has no final state.
[[nodiscard]] constexpr bool is_given_up(TreeEnd end) {
  return end == TreeEnd::asleep || end == TreeEnd::known || end == TreeEnd::in_vain ||
         end == TreeEnd::impossible;
}

/// What was done in a step, in words.
struct TreeStep {
  std::uint32_t process = 0;  // index into ExplorationTree::processes
  std::string action;         // empty: not known
  std::string place;          // "bank.cpp:14", or empty
};

/// Nodes are indices into ExplorationTree::nodes; parents come before their children, and children
/// in the order in which they were explored.
struct TreeNode {
  std::uint32_t parent = 0;      // of the root: itself
  std::uint32_t depth = 0;       // steps up to and with this one
  TreeStep step;                 // that leads here; the root has none
  std::uint64_t executions = 0;  // that go through it, those in vain included
  std::uint64_t in_vain = 0;     // of these: asleep, impossible, or in vain
  // A race is reversed: the step of the node `before` comes before that of `after` now, which was
  // explored first in the place of this node.
  std::optional<std::size_t> before;
  std::optional<std::size_t> after;
  TreeEnd end = TreeEnd::none;
  std::uint64_t number = 0;            // the execution that ends here is the n-th that was begun
  std::optional<std::size_t> finding;  // ... and came to this one of the outcome's
  std::string state;                   // what the variables that matter hold in the end ...
  bool state_known = true;             // ... or why nobody has looked; empty: an interruption
  // Asleep: who could go on would take the steps of these nodes, and what follows was explored
  // there.
  std::vector<std::uint32_t> explored_at;
};

struct ExplorationTree {
  std::vector<std::string> processes;
  std::vector<TreeNode> nodes;  // the first is the root; none: there is no tree
  bool whole = true;            // every step of every execution is there
  // Of a summary: the steps at which some executions, taken by chance, left the ones before.
  std::vector<TreeStep> parted;

  [[nodiscard]] bool empty() const { return nodes.empty(); }
  /// The number of the process with this name, which is added if it is new.
  std::uint32_t process_named(const std::string& name);
};

/// A line of the program, and the part of the executions that begin with a step of it in another
/// order than before.
struct TreeLine {
  std::string place;
  std::string action;  // one of its steps
  std::uint64_t executions = 0;
  double share = 0;  // 0 to 1
};

/// The most frequent first. Of a whole tree they are exact, of a summary those of its sample.
[[nodiscard]] std::vector<TreeLine> lines_of(const ExplorationTree& tree);

template <typename Archive>
void members(Archive& archive, Same<TreeStep> auto& v) {
  archive(v.process, v.action, v.place);
}
template <typename Archive>
void members(Archive& archive, Same<TreeNode> auto& v) {
  archive(v.parent, v.depth, v.step, v.executions, v.in_vain, v.before, v.after, v.end, v.number,
          v.finding, v.state, v.state_known, v.explored_at);
}
template <typename Archive>
void members(Archive& archive, Same<ExplorationTree> auto& v) {
  archive(v.processes, v.nodes, v.whole, v.parted);
}

/// Whether all that it names is there: it may come from another process.
[[nodiscard]] bool is_consistent(const ExplorationTree& tree);

}  // namespace mazurka
