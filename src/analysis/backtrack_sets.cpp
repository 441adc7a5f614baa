#include "analysis/backtrack_sets.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka {

bool BacktrackSets::contains(std::size_t node, Decision decision) const {
  return node < open_.size() &&
         std::find(open_[node].begin(), open_[node].end(), decision) != open_[node].end();
}

void BacktrackSets::add(std::size_t node, Decision decision) {
  MAZURKA_CHECK(!contains(node, decision), "a decision is asked for once at a node");
  if (open_.size() <= node) open_.resize(node + 1);
  open_[node].push_back(decision);
  nodes_.insert(node);
}

Decision BacktrackSets::take(std::size_t node) {
  MAZURKA_CHECK(node < open_.size() && !open_[node].empty(), "there is a decision to take");
  const Decision decision = open_[node].front();
  open_[node].erase(open_[node].begin());
  if (open_[node].empty()) nodes_.erase(node);
  return decision;
}

void BacktrackSets::load(ArchiveReader& archive, std::size_t nodes) {
  archive(open_);
  for (std::size_t node = 0; node < open_.size(); ++node) {
    if (!open_[node].empty()) nodes_.insert(node);
  }
  if (deepest() >= nodes) throw ArchiveError("no decision is open where the path has a node");
}

}  // namespace mazurka
