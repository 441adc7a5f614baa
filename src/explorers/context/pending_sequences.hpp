// Sequences that are to be explored at the nodes of a path: a plain ordered list for each.
//
// The first step of the first sequence is explored first. Every sequence of which that step is a
// weak initial is handed down to the next node, without the step; the others stay. This does what
// a wakeup tree (wakeup_trees.hpp) does, but never merges two sequences: merging is wrong for the
// context techniques, where a step that one sequence begins with may turn out to lead where the
// exploration has been, and must then not take the other sequence with it.
//
// A step is an *initial* of a sequence if it is in there and could come first, a *weak* one if it
// is not in there and disturbs nothing. With observers, writes that nobody in the sequence reads
// do not disturb each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/remainder.hpp"
#include "core/execution.hpp"
#include "core/ids.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"
#include "explorers/context/observation.hpp"
#include "explorers/context/trace_names.hpp"

namespace mazurka {

enum class Initial : std::uint8_t { no, weak, strict };

/// The steps of a list that are left of it.
struct Selection {
  const StepList& steps;
  const Remainder& left;

  [[nodiscard]] std::size_t begin() const { return left.first(); }
  [[nodiscard]] std::size_t next(std::size_t at) const { return left.next(at); }
  [[nodiscard]] std::size_t end() const { return left.end(); }
  [[nodiscard]] Step operator[](std::size_t at) const { return steps[at]; }
};

/// Positions in a sequence, which may be one that has gaps.
template <typename Sequence>
[[nodiscard]] std::size_t first_in(const Sequence& sequence) {
  if constexpr (requires { sequence.begin(); }) return sequence.begin();
  return 0;
}
template <typename Sequence>
[[nodiscard]] std::size_t next_in(const Sequence& sequence, std::size_t at) {
  if constexpr (requires { sequence.next(at); }) return sequence.next(at);
  return at + 1;
}
template <typename Sequence>
[[nodiscard]] std::size_t end_of(const Sequence& sequence) {
  if constexpr (requires { sequence.end(); }) {
    return sequence.end();
  } else {
    return sequence.size();
  }
}

class Initials {
 public:
  /// `observation`: null if all writes count.
  Initials(const Vocabulary& vocabulary, Observation* observation)
      : vocabulary_(vocabulary), observation_(observation) {}

  /// What the step is to the sequence; `at`: where in it, if it is a strict initial.
  template <typename Sequence>
  [[nodiscard]] Initial judge(const Step& step, const Sequence& sequence, std::size_t& at) const {
    const std::size_t end = end_of(sequence);
    for (at = first_in(sequence); at != end; at = next_in(sequence, at)) {
      const Step other = sequence[at];
      if (other.process() == step.process()) {
        if (other.decision != step.decision) return Initial::no;
        return could_come_first(step, sequence, at) ? Initial::strict : Initial::no;
      }
      if (observation_ == nullptr ? dependent(vocabulary_, other, step) : false) return Initial::no;
    }
    if (observation_ == nullptr) return Initial::weak;
    for (std::size_t other = first_in(sequence); other != end; other = next_in(sequence, other)) {
      if (observation_->conflict_unobserved(sequence[other], step)) return Initial::no;
    }
    return Initial::weak;
  }

  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  template <typename Sequence>
  [[nodiscard]] bool could_come_first(const Step& step, const Sequence& sequence,
                                      std::size_t at) const {
    if (observation_ == nullptr) return true;  // nothing before it was dependent
    for (std::size_t earlier = first_in(sequence); earlier != at;
         earlier = next_in(sequence, earlier)) {
      const Step other = sequence[earlier];
      if (observation_->conflict_unobserved(other, step)) return false;
      for (const Access& a : other.accesses) {
        for (const Access& b : step.accesses) {
          if (vocabulary_.dependent(a, b) && observed_in(sequence, at, b.object)) return false;
        }
      }
    }
    return true;
  }

  template <typename Sequence>
  [[nodiscard]] bool observed_in(const Sequence& sequence, std::size_t write,
                                 ObjectId object) const {
    const std::size_t end = end_of(sequence);
    for (std::size_t at = next_in(sequence, write); at != end; at = next_in(sequence, at)) {
      bool written = false;
      for (const Access& access : sequence[at].accesses) {
        if (access.object != object) continue;
        if (vocabulary_.reads(access)) return true;
        if (vocabulary_.writes(access)) written = true;
      }
      if (written) return false;
    }
    return false;
  }

  const Vocabulary& vocabulary_;
  Observation* observation_;
};

/// What is left, at some node, of a sequence that is to be explored: the plan, without what was
/// taken out of it on the way from the node where it was asked for.
struct PendingSequence {
  enum class Given : std::uint8_t { no, weakly, strictly };

  std::uint32_t plan = 0;
  Given given = Given::no;  // handed down along the node's current event
  bool whole = true;        // all that is asked for, not the first step of something longer
  Fingerprint trace;        // the same for equivalent sequences; zero if it was handed down
  std::uint32_t taken_out = no_event;  // the step of the plan that it lacks from here on
};

/// The lists of all nodes of the current path. What is handed down from node to node is one plan,
/// from which a step is taken out; when the path goes back, it is put back. So only the deepest
/// node at which a plan is pending can be asked for what is left of it.
class PendingSequences {
 public:
  explicit PendingSequences(const Initials& initials)
      : initials_(initials), traces_(initials.vocabulary()) {}

  /// Adds the sequence, unless an equivalent one is there already.
  void add(std::size_t node, const StepList& sequence);

  /// Adds the first step of the sequence, unless some step that could come first in it is there.
  /// What does not disturb that step may disturb the rest, so it is never handed down.
  void add_an_initial(std::size_t node, const StepList& sequence);

  /// The steps that lead through all that is pending at the node, as far as can be told now.
  void plan_ahead(std::size_t node, StepList& steps);

  /// The path goes on from the node with this event: hands down what it is an initial of.
  void hand_down(std::size_t node, const Step& event);
  /// The event reached a known state: takes back all but what really began with it.
  void take_back(std::size_t node);
  /// All after the node's current event is explored: what was handed down is done.
  void settle(std::size_t node) {
    if (!empty(node)) settle_some(node);
  }
  /// The first step of the first sequence.
  [[nodiscard]] Step first(std::size_t node) const { return first_of(of_node_[node].front()); }
  /// It is known that the first step of the first sequence reaches a known state: forgets all
  /// sequences that really begin with it.
  void drop_first(std::size_t node);
  /// The step cannot be taken at the node: forgets the sequences that begin with it.
  void give_up(std::size_t node, const Step& step);

  [[nodiscard]] bool empty(std::size_t node) const {
    return node >= of_node_.size() || of_node_[node].empty();
  }
  void clear(std::size_t node) {
    if (!empty(node)) clear_some(node);
  }

 private:
  struct Plan {
    StepList steps;
    Remainder left;
    std::uint32_t users = 0;
    bool asked_again = false;  // since it was handed down last
  };

  [[nodiscard]] Selection selection(const PendingSequence& pending) const {
    return {plans_[pending.plan].steps, plans_[pending.plan].left};
  }
  [[nodiscard]] Step first_of(const PendingSequence& pending) const {
    const Selection left = selection(pending);
    return left[left.begin()];
  }
  PendingSequence& append_new(std::size_t node, const StepList& sequence);
  PendingSequence& append(std::size_t node, std::uint32_t plan);
  [[nodiscard]] static Fingerprint wish(std::size_t node, const Fingerprint& trace) {
    return trace ^ fingerprint_of(node, 0);
  }
  void release(std::size_t node, PendingSequence& pending);
  void settle_some(std::size_t node);
  void clear_some(std::size_t node);
  void make_room(std::size_t node) {
    if (of_node_.size() <= node) of_node_.resize(node + 1);
  }

  const Initials& initials_;
  std::vector<Plan> plans_;
  std::vector<std::uint32_t> free_plans_;
  std::vector<std::vector<PendingSequence>> of_node_;
  std::vector<std::uint32_t> ahead_;                              // scratch: numbers of a list
  std::vector<std::pair<std::uint32_t, std::uint32_t>> removed_;  // scratch: plan, step
  TraceNames traces_;
  // Of a node and a trace that is pending there: the plan.
  std::unordered_map<Fingerprint, std::uint32_t, FingerprintHash> known_;
};

}  // namespace mazurka
