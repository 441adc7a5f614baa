#include "explorers/context/pending_sequences.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/check.hpp"

namespace mazurka {

PendingSequence& PendingSequences::append(std::size_t node, std::uint32_t plan) {
  make_room(node);
  PendingSequence& pending = of_node_[node].emplace_back();
  pending.plan = plan;
  ++plans_[plan].users;
  return pending;
}

void PendingSequences::release(std::size_t node, PendingSequence& pending) {
  if (pending.trace != Fingerprint{}) known_.erase(wish(node, pending.trace));
  pending.trace = {};
  Plan& plan = plans_[pending.plan];
  MAZURKA_CHECK(plan.users > 0, "a plan has as many users as places where it is pending");
  if (pending.taken_out != no_event) plan.left.put_back(pending.taken_out);
  if (--plan.users == 0) free_plans_.push_back(pending.plan);
}

void PendingSequences::add(std::size_t node, const StepList& sequence) {
  MAZURKA_CHECK(!sequence.empty(), "a sequence that is asked for has a step");
  make_room(node);
  const Fingerprint trace = traces_.name(sequence);
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
    if (initials_.judge(first_of(known), sequence, at) == Initial::strict) return;
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
  plans_[plan].left.reset(sequence.size());
  return append(node, plan);
}

void PendingSequences::plan_ahead(std::size_t node, StepList& steps) {
  steps.clear();
  const std::vector<PendingSequence>& list = of_node_[node];
  if (list.size() == 1) {
    const Selection all = selection(list.front());
    for (std::size_t at = all.begin(); at != all.end(); at = all.next(at)) steps.push_back(all[at]);
    return;
  }
  ahead_.resize(list.size());
  std::iota(ahead_.begin(), ahead_.end(), 0U);
  removed_.clear();
  while (!ahead_.empty()) {
    MAZURKA_CHECK(!plans_[list[ahead_.front()].plan].left.empty(), "something of it is left");
    const Step step = first_of(list[ahead_.front()]);
    steps.push_back(step);
    std::size_t kept = 0;
    for (const std::uint32_t number : ahead_) {
      const PendingSequence& pending = list[number];
      std::size_t at = 0;
      const Initial initial = initials_.judge(step, selection(pending), at);
      if (initial == Initial::no || (initial == Initial::weak && !pending.whole)) continue;
      if (initial == Initial::strict) {
        plans_[pending.plan].left.take_out(at);
        removed_.emplace_back(pending.plan, static_cast<std::uint32_t>(at));
      }
      if (!plans_[pending.plan].left.empty()) ahead_[kept++] = number;
    }
    ahead_.resize(kept);
  }
  for (; !removed_.empty(); removed_.pop_back()) {
    plans_[removed_.back().first].left.put_back(removed_.back().second);
  }
}

void PendingSequences::hand_down(std::size_t node, const Step& event) {
  make_room(node + 1);
  MAZURKA_CHECK(of_node_[node + 1].empty(), "what was pending below was cleared");
  for (std::size_t number = 0; number < of_node_[node].size(); ++number) {
    PendingSequence& pending = of_node_[node][number];
    Remainder& left = plans_[pending.plan].left;
    std::size_t at = 0;
    const Initial initial = initials_.judge(event, selection(pending), at);
    pending.given = PendingSequence::Given::no;
    if (pending.trace != Fingerprint{}) plans_[pending.plan].asked_again = false;
    if (initial == Initial::no || (initial == Initial::weak && !pending.whole)) continue;
    pending.given = initial == Initial::strict ? PendingSequence::Given::strictly
                                               : PendingSequence::Given::weakly;
    if (initial == Initial::strict && left.size() == 1) continue;
    PendingSequence& below = append(node + 1, pending.plan);
    if (initial == Initial::strict) {
      left.take_out(at);
      below.taken_out = static_cast<std::uint32_t>(at);
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
    const bool begins = same_step(first_of(pending), step);
    pending.given = begins ? PendingSequence::Given::strictly : PendingSequence::Given::no;
  }
  settle(node);
}

void PendingSequences::clear_some(std::size_t node) {
  for (PendingSequence& pending : of_node_[node]) release(node, pending);
  of_node_[node].clear();
}

}  // namespace mazurka
