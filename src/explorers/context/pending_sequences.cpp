#include "explorers/context/pending_sequences.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mazurka {

Wanted& PendingSequences::append(std::size_t node, std::uint32_t plan) {
  make_room(node);
  Wanted& wanted = of_node_[node].emplace_back();
  wanted.plan = plan;
  ++plans_[plan].users;
  if (!spare_.empty()) {
    wanted.left = std::move(spare_.back());
    spare_.pop_back();
    wanted.left.clear();
  }
  return wanted;
}

void PendingSequences::release(std::size_t node, Wanted& wanted) {
  if (wanted.trace != Fingerprint{}) known_.erase(wish(node, wanted.trace));
  wanted.trace = {};
  if (--plans_[wanted.plan].users == 0) free_plans_.push_back(wanted.plan);
  spare_.push_back(std::move(wanted.left));
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
  Wanted& wanted = append_new(node, sequence);
  wanted.trace = trace;
  known->second = wanted.plan;
}

void PendingSequences::add_an_initial(std::size_t node, const StepList& sequence) {
  make_room(node);
  for (const Wanted& known : of_node_[node]) {
    std::size_t at = 0;
    if (known.whole) continue;  // it may be handed down along another step
    if (initials_.judge(selection(known)[0], sequence, at) == Initial::strict) return;
  }
  StepList first;
  first.push_back(sequence[0]);
  append_new(node, first).whole = false;
}

Wanted& PendingSequences::append_new(std::size_t node, const StepList& sequence) {
  if (free_plans_.empty()) {
    free_plans_.push_back(static_cast<std::uint32_t>(plans_.size()));
    plans_.emplace_back();
  }
  const std::uint32_t plan = free_plans_.back();
  free_plans_.pop_back();
  plans_[plan].steps = sequence;
  plans_[plan].asked_again = false;
  Wanted& wanted = append(node, plan);
  wanted.left.resize(sequence.size());
  std::iota(wanted.left.begin(), wanted.left.end(), 0U);
  return wanted;
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
    for (Wanted& wanted : ahead_) {
      std::size_t at = 0;
      const Initial initial = initials_.judge(step, selection(wanted), at);
      if (initial == Initial::no || (initial == Initial::weak && !wanted.whole)) continue;
      if (initial == Initial::strict) {
        wanted.left.erase(wanted.left.begin() + static_cast<std::ptrdiff_t>(at));
      }
      if (!wanted.left.empty()) std::swap(ahead_[kept++], wanted);
    }
    ahead_.resize(kept);
  }
}

void PendingSequences::hand_down(std::size_t node, const Step& event) {
  make_room(node + 1);
  for (std::size_t number = 0; number < of_node_[node].size(); ++number) {
    Wanted& wanted = of_node_[node][number];
    std::size_t at = 0;
    const Initial initial = initials_.judge(event, selection(wanted), at);
    wanted.given = Wanted::Given::no;
    if (wanted.trace != Fingerprint{}) plans_[wanted.plan].asked_again = false;
    if (initial == Initial::no || (initial == Initial::weak && !wanted.whole)) continue;
    wanted.given = initial == Initial::strict ? Wanted::Given::strictly : Wanted::Given::weakly;
    if (initial == Initial::strict && wanted.left.size() == 1) continue;
    Wanted& below = append(node + 1, wanted.plan);
    below.left.assign(wanted.left.begin(), wanted.left.end());
    if (initial == Initial::strict) {
      below.left.erase(below.left.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
}

void PendingSequences::take_back(std::size_t node) {
  for (Wanted& wanted : of_node_[node]) {
    if (wanted.given == Wanted::Given::weakly) wanted.given = Wanted::Given::no;
  }
  settle(node);
}

// Whoever asks for a sequence knows that the node's event does disturb it. That may have turned out
// only after it was handed down.
void PendingSequences::settle_some(std::size_t node) {
  std::vector<Wanted>& list = of_node_[node];
  std::size_t kept = 0;
  for (Wanted& wanted : list) {
    if (wanted.given == Wanted::Given::weakly && wanted.trace != Fingerprint{} &&
        plans_[wanted.plan].asked_again) {
      wanted.given = Wanted::Given::no;
    }
    if (wanted.given == Wanted::Given::no) {
      std::swap(list[kept++], wanted);
    }
  }
  for (std::size_t at = kept; at < list.size(); ++at) release(node, list[at]);
  list.resize(kept);
}

void PendingSequences::drop_first(std::size_t node) {
  const Step step = first(node);
  for (Wanted& wanted : of_node_[node]) {
    std::size_t at = 0;
    const bool begins = initials_.judge(step, selection(wanted), at) == Initial::strict;
    wanted.given = begins ? Wanted::Given::strictly : Wanted::Given::no;
  }
  settle(node);
}

void PendingSequences::give_up(std::size_t node, const Step& step) {
  if (node >= of_node_.size()) return;
  for (Wanted& wanted : of_node_[node]) {
    const bool begins = same_step(selection(wanted)[0], step);
    wanted.given = begins ? Wanted::Given::strictly : Wanted::Given::no;
  }
  settle(node);
}

void PendingSequences::clear_some(std::size_t node) {
  for (Wanted& wanted : of_node_[node]) release(node, wanted);
  of_node_[node].clear();
}

}  // namespace mazurka
