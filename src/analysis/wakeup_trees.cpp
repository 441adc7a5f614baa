#include "analysis/wakeup_trees.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"

namespace mazurka {

template <typename Sequence>
void WakeupTrees::insert_any(std::size_t node, const Sequence& sequence) {
  if (of_node_.size() <= node) of_node_.resize(node + 1, none);
  begin_sequence(sequence.size());

  std::uint32_t parent = none;
  std::uint32_t sibling = none;  // to the left of the branch
  std::uint32_t branch = of_node_[node];
  while (branch != none && !left_.empty()) {
    if (!take_out(step(branch), sequence)) {
      sibling = branch;
      branch = pool_[branch].next;
      continue;
    }
    parent = branch;
    sibling = none;
    branch = pool_[parent].child;
    if (branch == none) {  // a leaf: what is left is found after it
      take_in(parent, sequence);
      return;
    }
  }
  for (std::uint32_t at = left_.first(); at != left_.end(); at = left_.next(at)) {
    const std::uint32_t fresh = make(use(sequence, at));
    if (sibling != none) {
      pool_[sibling].next = fresh;
    } else if (parent != none) {
      pool_[parent].child = fresh;
    } else {
      of_node_[node] = fresh;
    }
    parent = fresh;
    sibling = none;
  }
  MAZURKA_CHECK(of_node_[node] != none, "a sequence that is inserted has a step");
  open_.insert(node);
}
template void WakeupTrees::insert_any(std::size_t, const Reversal&);
template void WakeupTrees::insert_any(std::size_t, const StepList&);

StepPool::Number WakeupTrees::use(const Reversal& sequence, std::size_t at) {
  if (!sequence.is_event(at)) return steps_.use(sequence[at]);
  const std::uint32_t event = sequence.event(at);
  if (of_event_.size() <= event) of_event_.resize(event + 1, none);
  StepPool::Number& number = of_event_[event];
  if (number == none) number = steps_.use(sequence[at]);
  steps_.use_again(number);
  return number;
}

void WakeupTrees::keep_events(std::size_t kept) {
  for (; of_event_.size() > kept; of_event_.pop_back()) {
    if (of_event_.back() != none) steps_.release(of_event_.back());
  }
}

template <typename Sequence>
bool WakeupTrees::take_out(const Step& first, const Sequence& sequence) {
  unsigned to_look_at = indexed_ ? 1 : few;
  for (std::uint32_t at = left_.first(); at != left_.end(); at = left_.next(at)) {
    if (to_look_at-- == 0) return take_out_by_index(first, sequence);
    const Decision decision = sequence.decision(at);
    if (decision.process == first.process()) {
      if (decision != first.decision) return false;
      left_.take_out(at);
      return true;
    }
    if (dependent(vocabulary_, sequence[at], first)) return false;
  }
  return true;
}

template <typename Sequence>
bool WakeupTrees::take_out_by_index(const Step& first, const Sequence& sequence) {
  if (!indexed_) index_.build(sequence, left_);
  indexed_ = true;
  const std::uint32_t at = index_.first_of(first.process(), left_);
  if (at != left_.end() && sequence.decision(at) != first.decision) return false;
  if (index_.disturbs(first, left_)) return false;
  if (at != left_.end()) left_.take_out(at);
  return true;
}

template <typename Sequence>
void WakeupTrees::take_in(std::uint32_t leaf, const Sequence& sequence) {
  if (left_.empty() || !may_do_less(vocabulary_, step(leaf))) return;
  std::vector<StepList>& known = taken_in_by_[leaf];
  const auto same = [&](const StepList& other) {
    if (other.size() != left_.size()) return false;
    std::size_t number = 0;
    for (std::uint32_t at = left_.first(); at != left_.end(); at = left_.next(at)) {
      if (other.decision(number++) != sequence.decision(at)) return false;
    }
    return true;
  };
  if (std::any_of(known.begin(), known.end(), same)) return;
  StepList& rest = known.emplace_back();
  for (std::uint32_t at = left_.first(); at != left_.end(); at = left_.next(at)) {
    rest.push_back(sequence[at]);
  }
}

std::uint32_t WakeupTrees::make(StepPool::Number step) {
  if (free_ == none) {
    free_ = static_cast<std::uint32_t>(pool_.size());
    pool_.emplace_back();
  }
  const std::uint32_t fresh = free_;
  free_ = pool_[fresh].next;
  pool_[fresh] = {step, none, none};
  return fresh;
}

void WakeupTrees::recycle(std::uint32_t branch) {
  MAZURKA_CHECK(branch < pool_.size() && branch != free_, "a branch is given back once");
  steps_.release(pool_[branch].step);
  if (!taken_in_by_.empty()) taken_in_by_.erase(branch);
  pool_[branch].next = free_;
  free_ = branch;
}

void WakeupTrees::recycle_all(std::uint32_t first) {
  way_.clear();
  if (first != none) way_.push_back(first);
  while (!way_.empty()) {
    const std::uint32_t at = way_.back();
    way_.pop_back();
    for (const std::uint32_t other : {pool_[at].next, pool_[at].child}) {
      if (other != none) way_.push_back(other);
    }
    recycle(at);
  }
}

Step WakeupTrees::advance(std::size_t node) {
  MAZURKA_CHECK(!empty(node), "there is a branch to take");
  MAZURKA_CHECK(empty(node + 1), "what is below a node is explored before its next branch");
  if (of_node_.size() <= node + 1) of_node_.resize(node + 2, none);
  const std::uint32_t taken = of_node_[node];
  const Step step = this->step(taken);
  of_node_[node] = pool_[taken].next;
  if (empty(node)) open_.erase(node);
  of_node_[node + 1] = pool_[taken].child;
  if (!empty(node + 1)) open_.insert(node + 1);
  taken_in_.clear();
  if (const auto by = taken_in_by_.find(taken); by != taken_in_by_.end()) {
    taken_in_ = std::move(by->second);
  }
  recycle(taken);
  return step;
}

std::vector<StepList> WakeupTrees::settle_leaf(std::size_t node, const Step& performed) {
  std::vector<StepList> after = std::move(taken_in_);
  taken_in_.clear();
  if (empty(node)) return after;
  stays_.clear();
  move_undisturbed(node, performed, after);
  if (empty(node)) open_.erase(node);
  for (const StepList& sequence : stays_) insert(node, sequence);
  return after;
}

void WakeupTrees::move_undisturbed(std::size_t node, const Step& performed,
                                   std::vector<StepList>& out) {
  const auto end = [&](std::uint32_t branch, bool moved) {
    if (moved) {
      recycle(branch);
    } else {
      keep(levels_.back(), branch);
    }
  };
  way_.clear();
  levels_.assign(1, {of_node_[node]});
  while (true) {
    const std::uint32_t at = levels_.back().next;
    if (at != none) {
      levels_.back().next = std::exchange(pool_[at].next, none);
      way_.push_back(at);
      if (pool_[at].child != none) {
        levels_.push_back({pool_[at].child});
        continue;
      }
      const bool moved = undisturbed(performed, out);
      way_.pop_back();
      end(at, moved);
      continue;
    }
    const std::uint32_t kept = levels_.back().first_kept;
    levels_.pop_back();
    if (levels_.empty()) {
      of_node_[node] = kept;
      return;
    }
    const std::uint32_t above = way_.back();
    way_.pop_back();
    pool_[above].child = kept;
    end(above, kept == none);
  }
}

bool WakeupTrees::undisturbed(const Step& performed, std::vector<StepList>& out) {
  StepList sequence;
  for (const std::uint32_t branch : way_) sequence.push_back(step(branch));
  if (!is_initial_of(sequence, performed, out)) return false;
  const auto taken_in = taken_in_by_.find(way_.back());
  if (taken_in == taken_in_by_.end()) return true;
  for (const StepList& rest : taken_in->second) {  // goes where the leaf goes, or stays by itself
    StepList whole = sequence;
    for (std::size_t at = 0; at < rest.size(); ++at) whole.push_back(rest[at]);
    if (!is_initial_of(whole, performed, out)) stays_.push_back(std::move(whole));
  }
  return true;
}

bool WakeupTrees::is_initial_of(const StepList& sequence, const Step& performed,
                                std::vector<StepList>& out) {
  begin_sequence(sequence.size());
  if (!take_out(performed, sequence)) return false;
  if (left_.empty()) return true;
  StepList& rest = out.emplace_back();
  for (std::uint32_t at = left_.first(); at != left_.end(); at = left_.next(at)) {
    rest.push_back(sequence[at]);
  }
  return true;
}

void WakeupTrees::keep(Level& level, std::uint32_t branch) {
  if (level.last_kept == none) {
    level.first_kept = branch;
  } else {
    pool_[level.last_kept].next = branch;
  }
  level.last_kept = branch;
}

void WakeupTrees::forget_from(std::size_t node) {
  for (std::size_t deep = deepest(); deep != no_node && deep >= node; deep = deepest()) {
    recycle_all(of_node_[deep]);
    of_node_[deep] = none;
    open_.erase(deep);
  }
  MAZURKA_CHECK(deepest() == no_node || deepest() < node, "no tree is left beyond a cut");
}

void WakeupTrees::save(ArchiveWriter& archive) const {
  steps_.save(archive);
  archive(static_cast<std::uint64_t>(of_node_.size()));
  for (const std::uint32_t first : of_node_) save(archive, first);
}

// Each branch is followed by those below it, and these by an end.
void WakeupTrees::save(ArchiveWriter& archive, std::uint32_t first) const {
  std::vector<std::uint32_t> way;
  for (std::uint32_t at = first;;) {
    if (at != none) {
      const auto taken_in = taken_in_by_.find(at);
      const bool took_in = taken_in != taken_in_by_.end();
      archive(true, pool_[at].step, took_in);
      if (took_in) archive(taken_in->second);
      way.push_back(at);
      at = pool_[at].child;
      continue;
    }
    archive(false);
    if (way.empty()) return;
    at = pool_[way.back()].next;
    way.pop_back();
  }
}

void WakeupTrees::load(ArchiveReader& archive, std::size_t nodes) {
  MAZURKA_CHECK(pool_.empty() && of_node_.empty(), "trees are loaded where there are none");
  steps_.load(archive);
  std::uint64_t count = 0;
  archive(count);
  for (std::size_t node = 0; node < count; ++node) {
    of_node_.push_back(load_branches(archive));
    if (!empty(node)) open_.insert(node);
  }
  if (deepest() >= nodes) throw ArchiveError("no wakeup tree is where the path has a node");
}

std::uint32_t WakeupTrees::load_branches(ArchiveReader& archive) {
  way_.clear();
  levels_.assign(1, {});
  while (true) {
    bool more = false;
    archive(more);
    if (more) {
      StepPool::Number step = 0;
      bool took_in = false;
      archive(step, took_in);
      steps_.use_loaded(step);
      const std::uint32_t fresh = make(step);
      if (took_in) archive(taken_in_by_[fresh]);
      keep(levels_.back(), fresh);
      way_.push_back(fresh);
      levels_.emplace_back();
      continue;
    }
    const std::uint32_t first = levels_.back().first_kept;
    levels_.pop_back();
    if (levels_.empty()) return first;
    pool_[way_.back()].child = first;
    way_.pop_back();
  }
}

}  // namespace mazurka
