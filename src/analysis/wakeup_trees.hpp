// What is to be explored at the nodes of the current path: an ordered tree of steps for each.
//
// A sequence is inserted by following the leftmost branch whose steps are weak initials of what is
// left of it. If that ends at a leaf, exploring the branch finds what the sequence asks for, and
// nothing is added; where no branch goes on, the rest becomes a new, rightmost branch. The leftmost
// branch is explored first, and its subtree is handed down to the next node.
//
// The last step of a sequence counts with all that it may do (reversal.hpp), and so does its
// branch, which is a leaf. If it then does less, a step further left that sleeps may still be
// asleep, and what the leaf has taken in would not be found after it. So such a leaf keeps what it
// took in, to be followed after it (settle_leaf).
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "analysis/open_nodes.hpp"
#include "analysis/remainder.hpp"
#include "analysis/reversal.hpp"
#include "analysis/sequence_index.hpp"
#include "analysis/step_pool.hpp"
#include "core/ids.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

class WakeupTrees {
 public:
  explicit WakeupTrees(const Vocabulary& vocabulary)
      : vocabulary_(vocabulary), index_(vocabulary) {}

  void insert(const Reversal& reversal) { insert_any(reversal.node(), reversal); }
  void insert(std::size_t node, const StepList& sequence) { insert_any(node, sequence); }

  [[nodiscard]] bool empty(std::size_t node) const {
    return node >= of_node_.size() || of_node_[node] == none;
  }
  [[nodiscard]] std::size_t deepest() const { return open_.last(); }

  /// Takes the leftmost branch of the node's tree; its subtree becomes the next node's tree. The
  /// step is valid until something is inserted.
  Step advance(std::size_t node);

  /// The leaf that was taken last was performed at the node, and did less than it might have done:
  /// what is to be explored after it, because it was taken in or does not disturb it after all.
  [[nodiscard]] std::vector<StepList> settle_leaf(std::size_t node, const Step& performed);

  /// Only that many events of the path are repeated by the execution that was performed. To be said
  /// of each, before what it asks for is inserted.
  void keep_events(std::size_t kept);

  /// Drops the trees of this node and of those further down, beyond where an execution was cut.
  void forget_from(std::size_t node);

  void save(ArchiveWriter& archive) const;
  /// Only into empty trees. `nodes`: how many of them the path has. Throws ArchiveError.
  void load(ArchiveReader& archive, std::size_t nodes);

 private:
  static constexpr std::uint32_t none = no_event;
  static constexpr unsigned few = 16;  // steps that are looked through sooner than indexed

  /// There is one for nearly every execution that is still to be performed: it is kept small.
  struct Branch {
    StepPool::Number step = 0;
    std::uint32_t child = none;  // the leftmost
    std::uint32_t next = none;   // to the right; of a free one: another free one
  };
  /// Siblings that are looked at from left to right, and those that stay.
  struct Level {
    std::uint32_t next = none;
    std::uint32_t first_kept = none;
    std::uint32_t last_kept = none;
  };

  [[nodiscard]] Step step(std::uint32_t branch) const { return steps_[pool_[branch].step]; }
  template <typename Sequence>
  void insert_any(std::size_t node, const Sequence& sequence);
  /// The step's number in the pool, which has a user more.
  [[nodiscard]] StepPool::Number use(const Reversal& sequence, std::size_t at);
  [[nodiscard]] StepPool::Number use(const StepList& sequence, std::size_t at) {
    return steps_.use(sequence[at]);
  }
  /// Whether the step is a weak initial of what is left; if so it is taken out of it.
  template <typename Sequence>
  [[nodiscard]] bool take_out(const Step& first, const Sequence& sequence);
  template <typename Sequence>
  [[nodiscard]] bool take_out_by_index(const Step& first, const Sequence& sequence);
  void begin_sequence(std::size_t length) {
    left_.reset(length);
    indexed_ = false;
  }
  template <typename Sequence>
  void take_in(std::uint32_t leaf, const Sequence& sequence);
  /// Takes the sequences of which the step is a weak initial out of the node's tree.
  void move_undisturbed(std::size_t node, const Step& performed, std::vector<StepList>& out);
  /// The same for one of them, `way_`, and what its leaf has taken in.
  [[nodiscard]] bool undisturbed(const Step& performed, std::vector<StepList>& out);
  /// Whether the step is a weak initial of the sequence; what is left of it then goes to `out`.
  [[nodiscard]] bool is_initial_of(const StepList& sequence, const Step& performed,
                                   std::vector<StepList>& out);
  void keep(Level& level, std::uint32_t branch);
  [[nodiscard]] std::uint32_t make(StepPool::Number step);
  void recycle(std::uint32_t branch);
  void recycle_all(std::uint32_t first);
  void save(ArchiveWriter& archive, std::uint32_t first) const;
  [[nodiscard]] std::uint32_t load_branches(ArchiveReader& archive);

  const Vocabulary& vocabulary_;
  StepPool steps_;
  std::vector<StepPool::Number> of_event_;  // by event of the path, if it was asked for
  std::deque<Branch> pool_;                 // grows without being copied
  std::uint32_t free_ = none;
  std::vector<std::uint32_t> of_node_;  // the leftmost branch
  OpenNodes open_;
  // By leaves that may do less than they announce.
  std::unordered_map<std::uint32_t, std::vector<StepList>> taken_in_by_;
  std::vector<StepList> taken_in_;  // by the leaf that was taken last
  Remainder left_;                  // scratch: what is left of the sequence
  SequenceIndex index_;             // scratch: of the sequence
  bool indexed_ = false;            // it is that of the sequence
  std::vector<std::uint32_t> way_;  // scratch: the branches from a node on
  std::vector<Level> levels_;       // scratch
  std::vector<StepList> stays_;     // scratch: taken in by leaves that are moved, but not with them
};

}  // namespace mazurka
