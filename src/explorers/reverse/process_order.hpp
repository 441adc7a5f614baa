// The order of processes in which they take turns: by their names, each before those it creates.
//
// Not by number: numbers are given as processes are first seen, and that depends on what was
// explored before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/process_names.hpp"

namespace mazurka::reverse {

class ProcessOrder {
 public:
  explicit ProcessOrder(const ProcessNames& names) : names_(names) {}

  /// Takes in the processes that were named since.
  void update() {
    if (ranks_.size() != names_.size()) work_out();
  }
  [[nodiscard]] bool comes_before(ProcessId one, ProcessId other) const {
    return ranks_[index(one)] < ranks_[index(other)];
  }

 private:
  void work_out() {
    std::vector<std::vector<std::pair<std::uint32_t, std::size_t>>> children(names_.size());
    for (std::size_t at = 1; at < names_.size(); ++at) {
      const ProcessNames::Name& name = names_[static_cast<ProcessId>(at)];
      children[index(name.parent)].emplace_back(name.nth, at);
    }
    ranks_.resize(names_.size());
    std::vector<std::size_t> left{0};
    for (std::uint32_t rank = 0; !left.empty(); ++rank) {
      const std::size_t one = left.back();
      left.pop_back();
      ranks_[one] = rank;
      std::sort(children[one].rbegin(), children[one].rend());
      for (const auto& [nth, child] : children[one]) left.push_back(child);
    }
  }

  const ProcessNames& names_;
  std::vector<std::uint32_t> ranks_;  // by process
};

}  // namespace mazurka::reverse
