#include "driver/tree_recorder.hpp"

#include <algorithm>
#include <numeric>

#include "core/check.hpp"

namespace mazurka {

namespace {

TreeEnd end_of(const Execution& execution, bool found) {
  switch (execution.ending) {
    case Ending::deadlock: return TreeEnd::deadlock;
    case Ending::asleep: return execution.reached_known_state ? TreeEnd::known : TreeEnd::asleep;
    case Ending::failed: return TreeEnd::failed;
    case Ending::cut: return TreeEnd::cut;
    case Ending::stalled: return TreeEnd::stalled;
    case Ending::impossible: return TreeEnd::impossible;
    case Ending::complete:
    case Ending::diverged: break;
  }
  if (found || execution.failed_at != no_event) return TreeEnd::failed;
  if (execution.in_vain) return TreeEnd::in_vain;
  return execution.assumption_failed ? TreeEnd::assumed : TreeEnd::complete;
}

bool is_in_vain(const Execution& execution) {
  return execution.ending == Ending::asleep || execution.ending == Ending::impossible ||
         execution.in_vain;
}

}  // namespace

void TreeRecorder::begin() {
  nodes_.assign(1, {});
  leaves_.clear();
  reversals_.clear();
  path_.clear();
  previous_.clear();
  deepest_ = none;
  begun_ = partings_ = 0;
  findings_ = 0;
  parted_.clear();
}

std::uint32_t TreeRecorder::child(std::uint32_t node, Decision decision) const {
  std::uint32_t at = nodes_[node].first_child;
  while (at != none && nodes_[at].decision != decision) at = nodes_[at].next;
  return at;
}

std::uint32_t TreeRecorder::grow(std::uint32_t node, Decision decision) {
  MAZURKA_CHECK(child(node, decision) == none, "a decision is one child of its node");
  const auto grown = static_cast<std::uint32_t>(nodes_.size());
  Kept& fresh = nodes_.emplace_back();
  Kept& parent = nodes_[node];
  fresh.parent = node;
  fresh.depth = parent.depth + 1;
  fresh.decision = decision;
  (parent.first_child == none ? parent.first_child : nodes_[parent.last_child].next) = grown;
  parent.last_child = grown;
  return grown;
}

std::size_t TreeRecorder::follow(const Execution& execution) {
  path_.clear();
  const std::size_t kept = std::min<std::size_t>(execution.size(), deepest_);
  std::size_t fresh = execution.size();
  std::uint32_t at = 0;
  for (std::size_t step = 0; step < kept; ++step) {
    const Decision decision = execution.steps.decision(step);
    std::uint32_t next = child(at, decision);
    if (next == none) {
      next = grow(at, decision);
      fresh = std::min(fresh, step);
    }
    path_.push_back(at = next);
  }
  return fresh;
}

std::size_t TreeRecorder::shared_with_previous(const Execution& execution) const {
  const std::size_t most = std::min(previous_.size(), execution.size());
  std::size_t at = 0;
  while (at < most && previous_.decision(at) == execution.steps.decision(at)) ++at;
  return at;
}

void TreeRecorder::add(const Session& session, const Execution& execution) {
  if (execution.ending == Ending::diverged) return;
  if (names_.size() != session.names().size()) names_ = session.names();
  std::size_t fresh = follow(execution);
  const std::size_t shared = shared_with_previous(execution);
  // Below what is kept a search goes on from where it was.
  if (fresh == execution.size() && shared >= path_.size()) fresh = shared;
  if (begun_++ > 0 && fresh < execution.size()) {
    note_parting(execution, fresh);
    if (fresh <= shared) note_reversal(session.vocabulary(), execution, fresh);
  }
  const bool vain = is_in_vain(execution);
  const auto count = [&](std::uint32_t node) {
    ++nodes_[node].executions;
    if (vain) ++nodes_[node].in_vain;
  };
  count(0);
  for (const std::uint32_t node : path_) count(node);
  if (path_.size() == execution.size()) end(session, execution);
  findings_ = session.findings().size();
  previous_ = execution.steps;
  if (nodes_.size() > limits_.kept) give_up_depths();
}

/// One of a sample in which every parting has the same chance to be.
void TreeRecorder::note_parting(const Execution& execution, std::size_t at) {
  if (at >= longest_parted) return;
  ++partings_;
  std::size_t place = parted_.size();
  if (place < limits_.parted) {
    parted_.emplace_back();
  } else {
    place = std::uniform_int_distribution<std::uint64_t>(0, partings_ - 1)(chance_);
    if (place >= limits_.parted) return;
  }
  std::vector<Decision>& decisions = parted_[place];
  decisions.clear();
  for (std::size_t step = 0; step <= at; ++step) {
    decisions.push_back(execution.steps.decision(step));
  }
}

/// What the execution before did at this point comes after something that depends on it now.
void TreeRecorder::note_reversal(const Vocabulary& vocabulary, const Execution& execution,
                                 std::size_t at) {
  if (at >= previous_.size() || at >= path_.size()) return;
  const Step first = previous_[at];
  const std::uint32_t parent = nodes_[path_[at]].parent;
  const std::uint32_t after = child(parent, first.decision);
  if (after == none || execution.steps.process(at) == first.process()) return;
  for (std::size_t step = at; step < path_.size(); ++step) {
    if (execution.steps.process(step) == first.process()) return;
    if (!dependent(vocabulary, execution.steps[step], first)) continue;
    reversals_[path_[at]] = {path_[step], after};
    return;
  }
}

/// For everyone who could go on: where that was explored before.
std::vector<std::uint32_t> TreeRecorder::where_explored(const Execution& execution) const {
  std::vector<std::uint32_t> nodes;
  for (std::size_t at = 0; at < execution.pending.size(); ++at) {
    if (!execution.pending_state[at].enabled) continue;
    const ProcessId sleeper = execution.pending.process(at);
    for (std::size_t step = path_.size(); step-- > 0;) {
      const std::uint32_t parent = nodes_[path_[step]].parent;
      std::uint32_t earlier = nodes_[parent].first_child;
      while (earlier != path_[step] && nodes_[earlier].decision.process != sleeper) {
        earlier = nodes_[earlier].next;
      }
      if (earlier == path_[step]) continue;
      nodes.push_back(earlier);
      break;
    }
  }
  return nodes;
}

void TreeRecorder::end(const Session& session, const Execution& execution) {
  MAZURKA_CHECK(session.findings().size() >= findings_, "what was found stays found");
  const bool found = session.findings().size() > findings_;
  Leaf& leaf = leaves_[path_.empty() ? 0 : path_.back()];
  leaf.end = end_of(execution, found);
  leaf.number = begun_;
  if (found) leaf.finding = session.findings().size() - 1;
  if (leaf.end == TreeEnd::asleep) leaf.explored_at = where_explored(execution);
}

void TreeRecorder::give_up_depths() {
  std::vector<std::size_t> at_depth;
  for (const Kept& node : nodes_) {
    if (at_depth.size() <= node.depth) at_depth.resize(node.depth + 1, 0);
    ++at_depth[node.depth];
  }
  std::size_t kept = 0;
  std::uint32_t depth = 0;
  while (depth < at_depth.size() && kept + at_depth[depth] <= limits_.kept / 2) {
    kept += at_depth[depth++];
  }
  keep_nodes(std::max<std::uint32_t>(depth, 2) - 1);
}

void TreeRecorder::keep_nodes(std::uint32_t deepest) {
  std::vector<std::uint32_t> number(nodes_.size(), none);
  std::vector<Kept> kept;
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    if (nodes_[at].depth > deepest) continue;
    number[at] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(nodes_[at]);
  }
  const auto renamed = [&](std::uint32_t node) { return node == none ? none : number[node]; };
  for (Kept& node : kept) {
    node.parent = renamed(node.parent);
    MAZURKA_CHECK(node.parent != none, "a node that is kept has its parent kept");
    node.first_child = renamed(node.first_child);
    node.last_child = renamed(node.last_child);
    node.next = renamed(node.next);
  }
  nodes_ = std::move(kept);
  leaves_.clear();  // nobody looks at the single executions of a summary
  reversals_.clear();
  path_.clear();
  deepest_ = deepest;
}

/// All, or those where executions part that most of them go through.
std::vector<std::uint32_t> TreeRecorder::shown_nodes(bool whole) const {
  std::vector<std::uint32_t> all(nodes_.size());
  std::iota(all.begin(), all.end(), 0U);
  if (whole) return all;
  std::erase_if(all, [&](std::uint32_t node) {
    const Kept& parent = nodes_[nodes_[node].parent];
    return node != 0 && parent.first_child == parent.last_child;
  });
  std::stable_sort(all.begin(), all.end(), [&](std::uint32_t one, std::uint32_t other) {
    return nodes_[one].executions > nodes_[other].executions;
  });
  all.resize(std::min(all.size(), limits_.summary));
  std::sort(all.begin(), all.end());
  return all;
}

TreeNode TreeRecorder::shown(std::uint32_t node, const std::vector<std::uint32_t>& number) const {
  const Kept& kept = nodes_[node];
  TreeNode result;
  std::uint32_t parent = kept.parent;
  while (number[parent] == none) parent = nodes_[parent].parent;
  result.parent = number[parent];
  MAZURKA_CHECK(result.parent <= number[node], "parents come before their children");
  result.depth = kept.depth;
  result.step.process = static_cast<std::uint32_t>(index(kept.decision.process));
  result.executions = kept.executions;
  result.in_vain = kept.in_vain;
  if (const auto reversal = reversals_.find(node); reversal != reversals_.end()) {
    const std::uint32_t before = number[reversal->second.before];
    const std::uint32_t after = number[reversal->second.after];
    if (before != none && after != none) {
      result.before = before;
      result.after = after;
    }
  }
  const auto leaf = leaves_.find(node);
  if (leaf == leaves_.end()) return result;
  result.end = leaf->second.end;
  result.number = leaf->second.number;
  result.finding = leaf->second.finding;
  for (const std::uint32_t one : leaf->second.explored_at) {
    if (number[one] != none) result.explored_at.push_back(number[one]);
  }
  return result;
}

TreePath TreeRecorder::path_to(std::uint32_t node) const {
  TreePath path;
  for (; node != 0; node = nodes_[node].parent) {
    path.decisions.push_back(nodes_[node].decision);
    path.nodes.push_back(node);
  }
  std::reverse(path.decisions.begin(), path.decisions.end());
  std::reverse(path.nodes.begin(), path.nodes.end());
  return path;
}

UntoldTree TreeRecorder::tree() const {
  UntoldTree untold;
  untold.names = names_;
  if (begun_ == 0) return untold;
  const bool whole = deepest_ == none && nodes_.size() <= limits_.whole;
  untold.tree.whole = whole;
  const std::vector<std::uint32_t> chosen = shown_nodes(whole);
  std::vector<std::uint32_t> number(nodes_.size(), none);
  for (std::size_t at = 0; at < chosen.size(); ++at) {
    number[chosen[at]] = static_cast<std::uint32_t>(at);
  }
  std::vector<bool> has_children(chosen.size(), false);
  for (const std::uint32_t node : chosen) {
    untold.tree.nodes.push_back(shown(node, number));
    if (node != 0) has_children[untold.tree.nodes.back().parent] = true;
  }
  std::vector<bool> told(chosen.size(), false);
  for (std::size_t at = 0; at < chosen.size(); ++at) {
    if (has_children[at] || at == 0) continue;
    TreePath& path = untold.paths.emplace_back(path_to(chosen[at]));
    for (std::uint32_t& node : path.nodes) {
      node = number[node];
      if (node == none) continue;
      if (told[node]) {
        node = none;
      } else {
        told[node] = true;
      }
    }
  }
  if (!whole) untold.parted = parted_;
  return untold;
}

}  // namespace mazurka
