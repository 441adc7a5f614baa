// The backtrack sets of the nodes on a path: decisions that are still to be taken there.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/open_nodes.hpp"
#include "core/archive.hpp"
#include "core/ids.hpp"

namespace mazurka {

/// Decisions to be taken, per node, in the order in which they were asked for.
class BacktrackSets {
 public:
  [[nodiscard]] bool contains(std::size_t node, Decision decision) const;
  void add(std::size_t node, Decision decision);
  [[nodiscard]] std::span<const Decision> decisions(std::size_t node) const {
    if (node >= open_.size()) return {};
    return open_[node];
  }
  [[nodiscard]] std::size_t deepest() const { return nodes_.last(); }
  /// Removes and returns the node's first decision.
  Decision take(std::size_t node);

  void save(ArchiveWriter& archive) const { archive(open_); }
  /// `nodes`: how many of them the path has. Throws ArchiveError.
  void load(ArchiveReader& archive, std::size_t nodes);

 private:
  std::vector<std::vector<Decision>> open_;
  OpenNodes nodes_;
};

}  // namespace mazurka
