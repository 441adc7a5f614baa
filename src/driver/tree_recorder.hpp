// Keeps the tree of a search while it goes on, if somebody wants to see it.
//
// An execution adds the part of its path that no other one has had. When the tree grows beyond what
// is kept, its deepest levels are given up: how many executions went through a node stays exact,
// what they did further down is known of a sample. What the steps are in words, the front-end finds
// out afterwards by performing some paths again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <unordered_map>
#include <vector>

#include "core/execution.hpp"
#include "core/process_names.hpp"
#include "core/session.hpp"
#include "core/step.hpp"
#include "report/model/exploration_tree.hpp"

namespace mazurka {

/// Decisions that lead to nodes of the tree. To be performed again, so as to tell their steps.
struct TreePath {
  static constexpr std::uint32_t not_wanted = std::numeric_limits<std::uint32_t>::max();
  std::vector<Decision> decisions;
  std::vector<std::uint32_t> nodes;  // per decision: the node that wants its step, or not_wanted
};

/// The tree without words, and what is to be performed to find these.
struct UntoldTree {
  ExplorationTree tree;
  ProcessNames names;
  std::vector<TreePath> paths;
  /// Of a summary: each ends in the step with which an execution left the ones before it.
  std::vector<std::vector<Decision>> parted;
};

struct TreeLimits {
  std::size_t kept = std::size_t{1} << 17U;  // nodes, while the search goes on
  std::size_t whole = 4000;                  // nodes of a tree that is shown as it is
  std::size_t summary = 1000;                // nodes of one that is not
  std::size_t parted = 300;                  // size of the sample
};

class TreeRecorder {
 public:
  explicit TreeRecorder(TreeLimits limits = {}) : limits_(limits) { begin(); }

  /// A search begins, or begins anew.
  void begin();
  void add(const Session& session, const Execution& execution);

  [[nodiscard]] UntoldTree tree() const;

 private:
  static constexpr std::uint32_t none = TreePath::not_wanted;
  static constexpr std::size_t longest_parted = 10'000;

  struct Kept {
    std::uint32_t parent = 0;
    std::uint32_t depth = 0;
    std::uint32_t first_child = none;
    std::uint32_t last_child = none;
    std::uint32_t next = none;  // of its parent's children
    Decision decision{};
    std::uint64_t executions = 0;
    std::uint64_t in_vain = 0;
  };
  struct Leaf {
    TreeEnd end = TreeEnd::none;
    std::uint64_t number = 0;
    std::optional<std::size_t> finding;
    std::vector<std::uint32_t> explored_at;
  };
  struct Reversal {
    std::uint32_t before = 0;
    std::uint32_t after = 0;
  };

  [[nodiscard]] std::uint32_t child(std::uint32_t node, Decision decision) const;
  std::uint32_t grow(std::uint32_t node, Decision decision);
  /// Fills path_ in. Returns the position of the first step that is new, or the number of steps.
  std::size_t follow(const Execution& execution);
  [[nodiscard]] std::size_t shared_with_previous(const Execution& execution) const;
  void note_parting(const Execution& execution, std::size_t at);
  void note_reversal(const Vocabulary& vocabulary, const Execution& execution, std::size_t at);
  [[nodiscard]] std::vector<std::uint32_t> where_explored(const Execution& execution) const;
  void end(const Session& session, const Execution& execution);
  void give_up_depths();
  void keep_nodes(std::uint32_t deepest);

  [[nodiscard]] std::vector<std::uint32_t> shown_nodes(bool whole) const;
  [[nodiscard]] TreeNode shown(std::uint32_t node, const std::vector<std::uint32_t>& number) const;
  [[nodiscard]] TreePath path_to(std::uint32_t node) const;

  TreeLimits limits_;
  ProcessNames names_;
  std::vector<Kept> nodes_;
  std::unordered_map<std::uint32_t, Leaf> leaves_;
  std::unordered_map<std::uint32_t, Reversal> reversals_;
  std::vector<std::uint32_t> path_;  // of the latest execution: its nodes, per step
  StepList previous_;
  std::uint32_t deepest_ = none;  // nodes below are not kept; none: all are
  std::uint64_t begun_ = 0;
  std::size_t findings_ = 0;
  std::vector<std::vector<Decision>> parted_;
  std::uint64_t partings_ = 0;
  std::mt19937_64 chance_{1};
};

}  // namespace mazurka
