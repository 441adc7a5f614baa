#include "analysis/wakeup_trees.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mazurka {

template <typename Sequence>
void WakeupTrees::insert_any(std::size_t node, const Sequence& sequence) {
  if (of_node_.size() <= node) of_node_.resize(node + 1);
  left_.reset(sequence.size());

  std::uint32_t parent = none;
  std::uint32_t branch = of_node_[node].first;
  while (branch != none && !left_.empty()) {
    if (!take_out(step(branch), sequence)) {
      branch = pool_[branch].next;
      continue;
    }
    parent = branch;
    branch = pool_[parent].children.first;
    if (branch == none) {  // a leaf: what is left is found after it
      take_in(parent, sequence);
      return;
    }
  }
  for (std::uint32_t at = left_.first(); at != left_.end(); at = left_.next(at)) {
    const std::uint32_t fresh = make(sequence[at]);
    append(parent == none ? of_node_[node] : pool_[parent].children, fresh);
    parent = fresh;
  }
  open_.insert(node);
}
template void WakeupTrees::insert_any(std::size_t, const Reversal&);
template void WakeupTrees::insert_any(std::size_t, const StepList&);

template <typename Sequence>
bool WakeupTrees::take_out(const Step& first, const Sequence& sequence) {
  for (std::uint32_t at = left_.first(); at != left_.end(); at = left_.next(at)) {
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
void WakeupTrees::take_in(std::uint32_t leaf, const Sequence& sequence) {
  if (left_.empty() || !may_do_less(vocabulary_, step(leaf))) return;
  std::vector<StepList>& known = pool_[leaf].taken_in;
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

void WakeupTrees::append(Branches& siblings, std::uint32_t branch) {
  if (siblings.first == none) {
    siblings.first = branch;
  } else {
    pool_[siblings.last].next = branch;
  }
  siblings.last = branch;
}

std::uint32_t WakeupTrees::make(const Step& step) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(pool_.size()));
    pool_.emplace_back();
  }
  const std::uint32_t fresh = free_.back();
  free_.pop_back();
  Branch& branch = pool_[fresh];
  branch.decision = step.decision;
  branch.choices = step.choices;
  branch.awaited = step.awaited;
  branch.exits = step.exits;
  branch.accesses.assign(step.accesses.begin(), step.accesses.end());
  branch.released.assign(step.released.begin(), step.released.end());
  branch.announced.assign(step.announced.begin(), step.announced.end());
  branch.taken_in.clear();
  branch.children = {};
  branch.next = none;
  return fresh;
}

Step WakeupTrees::advance(std::size_t node) {
  assert(!empty(node) && empty(node + 1));
  if (of_node_.size() <= node + 1) of_node_.resize(node + 2);
  const std::uint32_t taken = of_node_[node].first;
  of_node_[node].first = pool_[taken].next;
  if (empty(node)) open_.erase(node);
  of_node_[node + 1] = pool_[taken].children;
  if (!empty(node + 1)) open_.insert(node + 1);
  taken_in_ = std::move(pool_[taken].taken_in);
  pool_[taken].taken_in.clear();
  free_.push_back(taken);
  return step(taken);
}

std::vector<StepList> WakeupTrees::settle_leaf(std::size_t node, const Step& performed) {
  std::vector<StepList> after = std::move(taken_in_);
  taken_in_.clear();
  if (empty(node)) return after;
  way_.clear();
  move_undisturbed(of_node_[node], performed, after);
  if (empty(node)) open_.erase(node);
  return after;
}

void WakeupTrees::move_undisturbed(Branches& siblings, const Step& performed,
                                   std::vector<StepList>& out) {
  Branches kept;
  for (std::uint32_t at = siblings.first; at != none;) {
    const std::uint32_t next = pool_[at].next;
    pool_[at].next = none;
    way_.push_back(at);
    bool moved = false;
    if (pool_[at].children.first == none) {
      left_.reset(way_.size());
      StepList sequence;
      for (const std::uint32_t branch : way_) sequence.push_back(step(branch));
      moved = take_out(performed, sequence);
      if (moved && !left_.empty()) {
        StepList& rest = out.emplace_back();
        for (std::uint32_t one = left_.first(); one != left_.end(); one = left_.next(one)) {
          rest.push_back(sequence[one]);
        }
      }
    } else {
      Branches children = pool_[at].children;
      move_undisturbed(children, performed, out);
      pool_[at].children = children;
      moved = children.first == none;
    }
    way_.pop_back();
    if (moved) {
      free_.push_back(at);
    } else {
      append(kept, at);
    }
    at = next;
  }
  siblings = kept;
}

void WakeupTrees::recycle(std::uint32_t branch) {
  const std::size_t from = free_.size();
  free_.push_back(branch);
  for (std::size_t at = from; at < free_.size(); ++at) {
    for (std::uint32_t child = pool_[free_[at]].children.first; child != none;
         child = pool_[child].next) {
      free_.push_back(child);
    }
  }
}

void WakeupTrees::forget_from(std::size_t node) {
  for (std::size_t deep = deepest(); deep != no_node && deep >= node; deep = deepest()) {
    for (std::uint32_t at = of_node_[deep].first; at != none; at = pool_[at].next) recycle(at);
    of_node_[deep] = {};
    open_.erase(deep);
  }
}

void WakeupTrees::save(ArchiveWriter& archive) const {
  archive(static_cast<std::uint64_t>(of_node_.size()));
  for (std::size_t node = 0; node < of_node_.size(); ++node) {
    save(archive, empty(node) ? Branches{} : of_node_[node]);
  }
}

void WakeupTrees::save(ArchiveWriter& archive, const Branches& siblings) const {
  for (std::uint32_t at = siblings.first; at != none; at = pool_[at].next) {
    const Branch& branch = pool_[at];
    archive(true, branch.decision, branch.choices, branch.awaited, branch.exits, branch.accesses,
            branch.released, branch.announced, branch.taken_in);
    save(archive, branch.children);
  }
  archive(false);
}

void WakeupTrees::load(ArchiveReader& archive, std::size_t nodes) {
  std::uint64_t count = 0;
  archive(count);
  for (std::size_t node = 0; node < count; ++node) {
    const Branches branches = load_branches(archive, 0);
    of_node_.push_back(branches);
    if (!empty(node)) open_.insert(node);
  }
  if (deepest() >= nodes) throw ArchiveError("no wakeup tree is where the path has a node");
}

WakeupTrees::Branches WakeupTrees::load_branches(ArchiveReader& archive, std::size_t depth) {
  constexpr std::size_t deepest_possible = 1U << 20U;
  if (depth > deepest_possible) throw ArchiveError("a wakeup tree is too deep");
  Branches siblings;
  for (bool more = false; archive(more), more;) {
    const std::uint32_t fresh = make(Step{});
    Branch read;
    archive(read.decision, read.choices, read.awaited, read.exits, read.accesses, read.released,
            read.announced, read.taken_in);
    read.children = load_branches(archive, depth + 1);
    pool_[fresh] = std::move(read);
    append(siblings, fresh);
  }
  return siblings;
}

}  // namespace mazurka
