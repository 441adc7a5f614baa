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
#include "core/process_set.hpp"

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
  /// Of these processes the one whose turn it is first; no_process: there are none.
  [[nodiscard]] ProcessId first_of(const ProcessSet& some) const {
    if (by_number_) return some.first_that([](ProcessId) { return true; });
    ProcessId first = no_process;
    some.for_each([&](ProcessId one) {
      if (first == no_process || comes_before(one, first)) first = one;
    });
    return first;
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
    by_number_ = std::is_sorted(ranks_.begin(), ranks_.end());
  }

  const ProcessNames& names_;
  std::vector<std::uint32_t> ranks_;  // by process
  bool by_number_ = false;            // that is the order of their numbers, too
};

}  // namespace mazurka::reverse
