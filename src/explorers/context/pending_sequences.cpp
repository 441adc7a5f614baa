#include "explorers/context/pending_sequences.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mazurka {

PendingSequence& PendingSequences::append(std::size_t node, std::uint32_t plan) {
  make_room(node);
  PendingSequence& pending = of_node_[node].emplace_back();
  pending.plan = plan;
  ++plans_[plan].users;
  if (!spare_.empty()) {
    pending.left = std::move(spare_.back());
    spare_.pop_back();
    pending.left.clear();
  }
  return pending;
}

void PendingSequences::release(std::size_t node, PendingSequence& pending) {
  if (pending.trace != Fingerprint{}) known_.erase(wish(node, pending.trace));
  pending.trace = {};
  if (--plans_[pending.plan].users == 0) free_plans_.push_back(pending.plan);
  spare_.push_back(std::move(pending.left));
}

// A step is known by what it is and by the steps before it that it depends on; a trace by its
// steps.
Fingerprint PendingSequences::trace_of(const StepList& sequence) {
  Fingerprint trace;
  past_.clear();
  for (std::size_t at = 0; at < sequence.size(); ++at) {
    const Step step = sequence[at];
    Fingerprint known = fingerprint_of(index(step.process()), step.decision.choice);
    for (const Access& access : step.accesses) {
      known = fingerprint_of(known.low, (std::uint64_t{index(access.object)} << 32) |
                                            (std::uint64_t{access.operand} << 16) |
                                            (std::uint64_t{access.kind} << 8) | access.mode);
    }
    Fingerprint before;
    for (std::size_t earlier = 0; earlier < at; ++earlier) {
      if (dependent(initials_.vocabulary(), sequence[earlier], step)) before ^= past_[earlier];
    }
    past_.push_back(fingerprint_of(known.low, before.low) ^
                    fingerprint_of(before.high, known.high));
    trace ^= past_.back();
  }
  return trace;
}

void PendingSequences::add(std::size_t node, const StepList& sequence) {
  make_room(node);
  const Fingerprint trace = trace_of(sequence);
  const auto [known, fresh] = known_.try_emplace(wish(node, trace), 0);
  if (!fresh) {
    plans_[known->second].asked_again = true;
    return;
  }
  PendingSequence& pending = append_new(node, sequence);
  pending.trace = trace;
  known->second = pending.plan;
}

void PendingSequences::add_an_initial(std::size_t node, const StepList& sequence) {
  make_room(node);
  for (const PendingSequence& known : of_node_[node]) {
    std::size_t at = 0;
    if (known.whole) continue;  // it may be handed down along another step
    if (initials_.judge(selection(known)[0], sequence, at) == Initial::strict) return;
  }
  StepList first;
  first.push_back(sequence[0]);
  append_new(node, first).whole = false;
}

PendingSequence& PendingSequences::append_new(std::size_t node, const StepList& sequence) {
  if (free_plans_.empty()) {
    free_plans_.push_back(static_cast<std::uint32_t>(plans_.size()));
    plans_.emplace_back();
  }
  const std::uint32_t plan = free_plans_.back();
  free_plans_.pop_back();
  plans_[plan].steps = sequence;
  plans_[plan].asked_again = false;
  PendingSequence& pending = append(node, plan);
  pending.left.resize(sequence.size());
  std::iota(pending.left.begin(), pending.left.end(), 0U);
  return pending;
}

void PendingSequences::plan_ahead(std::size_t node, StepList& steps) {
  steps.clear();
  if (of_node_[node].size() == 1) {
    const Selection all = selection(of_node_[node].front());
    for (std::size_t at = 0; at < all.size(); ++at) steps.push_back(all[at]);
    return;
  }
  ahead_ = of_node_[node];
  while (!ahead_.empty()) {
    const Step step = selection(ahead_.front())[0];
    steps.push_back(step);
    std::size_t kept = 0;
    for (PendingSequence& pending : ahead_) {
      std::size_t at = 0;
      const Initial initial = initials_.judge(step, selection(pending), at);
      if (initial == Initial::no || (initial == Initial::weak && !pending.whole)) continue;
      if (initial == Initial::strict) {
        pending.left.erase(pending.left.begin() + static_cast<std::ptrdiff_t>(at));
      }
      if (!pending.left.empty()) std::swap(ahead_[kept++], pending);
    }
    ahead_.resize(kept);
  }
}

void PendingSequences::hand_down(std::size_t node, const Step& event) {
  make_room(node + 1);
  for (std::size_t number = 0; number < of_node_[node].size(); ++number) {
    PendingSequence& pending = of_node_[node][number];
    std::size_t at = 0;
    const Initial initial = initials_.judge(event, selection(pending), at);
    pending.given = PendingSequence::Given::no;
    if (pending.trace != Fingerprint{}) plans_[pending.plan].asked_again = false;
    if (initial == Initial::no || (initial == Initial::weak && !pending.whole)) continue;
    pending.given = initial == Initial::strict ? PendingSequence::Given::strictly
                                               : PendingSequence::Given::weakly;
    if (initial == Initial::strict && pending.left.size() == 1) continue;
    PendingSequence& below = append(node + 1, pending.plan);
    below.left.assign(pending.left.begin(), pending.left.end());
    if (initial == Initial::strict) {
      below.left.erase(below.left.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
}

void PendingSequences::take_back(std::size_t node) {
  for (PendingSequence& pending : of_node_[node]) {
    if (pending.given == PendingSequence::Given::weakly) pending.given = PendingSequence::Given::no;
  }
  settle(node);
}

// Whoever asks for a sequence knows that the node's event does disturb it. That may have turned out
// only after it was handed down.
void PendingSequences::settle_some(std::size_t node) {
  std::vector<PendingSequence>& list = of_node_[node];
  std::size_t kept = 0;
  for (PendingSequence& pending : list) {
    if (pending.given == PendingSequence::Given::weakly && pending.trace != Fingerprint{} &&
        plans_[pending.plan].asked_again) {
      pending.given = PendingSequence::Given::no;
    }
    if (pending.given == PendingSequence::Given::no) {
      std::swap(list[kept++], pending);
    }
  }
  for (std::size_t at = kept; at < list.size(); ++at) release(node, list[at]);
  list.resize(kept);
}

void PendingSequences::drop_first(std::size_t node) {
  const Step step = first(node);
  for (PendingSequence& pending : of_node_[node]) {
    std::size_t at = 0;
    const bool begins = initials_.judge(step, selection(pending), at) == Initial::strict;
    pending.given = begins ? PendingSequence::Given::strictly : PendingSequence::Given::no;
  }
  settle(node);
}

void PendingSequences::give_up(std::size_t node, const Step& step) {
  if (node >= of_node_.size()) return;
  for (PendingSequence& pending : of_node_[node]) {
    const bool begins = same_step(selection(pending)[0], step);
    pending.given = begins ? PendingSequence::Given::strictly : PendingSequence::Given::no;
  }
  settle(node);
}

void PendingSequences::clear_some(std::size_t node) {
  for (PendingSequence& pending : of_node_[node]) release(node, pending);
  of_node_[node].clear();
}

}  // namespace mazurka
