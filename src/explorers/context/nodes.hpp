// What a context-sensitive search knows of the nodes on its path, besides what is pending there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/check.hpp"
#include "core/execution.hpp"
#include "core/ids.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"
#include "explorers/context/avoidance.hpp"

namespace mazurka {

/// Node i is the state before event i.
class ContextNodes {
 public:
  struct Node {
    std::vector<Avoided> avoided;     // what is left here of the sequences that need not be done
    std::vector<std::uint32_t> born;  // the sequences that begin here
    std::vector<ProcessId> cut;       // who completed such a sequence here
    bool explored = false;            // some event here was followed further
    bool wish_was_cut = false;        // an event that was asked for completed a sequence
  };

  explicit ContextNodes(const Vocabulary& vocabulary) : sequences_(vocabulary) {}

  [[nodiscard]] Node& operator[](std::size_t at) { return nodes_[at]; }
  [[nodiscard]] AvoidedSequences& sequences() { return sequences_; }

  void make_room(std::size_t size) {
    if (nodes_.size() < size) nodes_.resize(size);
  }
  void clear(std::size_t at) {
    Node& node = nodes_[at];
    node.explored = node.wish_was_cut = false;
    if (node.born.empty() && node.avoided.empty() && node.cut.empty()) return;
    for (const std::uint32_t sequence : node.born) sequences_.recycle(sequence);
    node.born.clear();
    node.avoided.clear();
    node.cut.clear();
  }

  /// What the event leaves of the node's sequences to the next node.
  void inherit(std::size_t at, const Step& event, const Fingerprint& change) {
    MAZURKA_CHECK(at + 1 < nodes_.size() && nodes_[at + 1].born.empty(),
                  "the next node was cleared");
    std::vector<Avoided>& below = nodes_[at + 1].avoided;
    below.clear();
    for (Avoided entry : nodes_[at].avoided) {
      const auto followed = sequences_.follow(entry, event);
      if (followed == AvoidedSequences::Follow::forgotten) continue;
      if (followed == AvoidedSequences::Follow::shortened) {
        (void)sequences_.arrived(entry, event, change);
      }
      if (entry.complete()) continue;
      const bool known = std::any_of(below.begin(), below.end(), [&](const Avoided& other) {
        return other.sequence == entry.sequence && other.left == entry.left;
      });
      if (!known) below.push_back(entry);
    }
  }

  [[nodiscard]] bool forbidden(std::size_t at, ProcessId process) const {
    return std::any_of(nodes_[at].avoided.begin(), nodes_[at].avoided.end(),
                       [&](const Avoided& entry) { return sequences_.forbids(entry) == process; });
  }

  /// The sequence (..., e', e) need not be done at the node. `first_order`: what e and then e' have
  /// changed. `proven`: it is known that the other order changes the same.
  void avoid(std::size_t at, const StepList& sequence, const Fingerprint& first_order,
             bool proven) {
    MAZURKA_CHECK(!sequence.empty() && at < nodes_.size(), "a sequence begins at a node");
    if (sequence.size() > longest_avoided) return;
    Node& node = nodes_[at];
    for (const std::uint32_t known : node.born) {
      if (same(sequences_[known].steps, sequence)) return;
    }
    const std::uint32_t fresh = sequences_.make();
    sequences_[fresh].steps = sequence;
    sequences_[fresh].first_order = first_order;
    if (proven) sequences_[fresh].belief = AvoidedSequence::Belief::proven;
    node.born.push_back(fresh);
    node.avoided.push_back(sequences_.all_of(fresh));
  }

  /// The event led from the node to a known state. It still does after steps that it does not
  /// depend on: so it is a sequence of its own that need not be done.
  void cut(std::size_t at, const Step& event, const Fingerprint& change) {
    nodes_[at].cut.push_back(event.process());
    if (forbidden(at, event.process())) return;
    cut_.clear();
    cut_.push_back(event);
    avoid(at, cut_, change, true);
  }

 private:
  static bool same(const StepList& one, const StepList& other) {
    if (one.size() != other.size()) return false;
    for (std::size_t at = 0; at < one.size(); ++at) {
      if (one.decision(at) != other.decision(at)) return false;
    }
    return true;
  }

  AvoidedSequences sequences_;
  std::vector<Node> nodes_;
  StepList cut_;  // scratch
};

}  // namespace mazurka
