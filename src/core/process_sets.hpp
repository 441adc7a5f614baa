// A row of sets of processes, each of which has few members though there may be many processes: the
// members are kept, one set behind the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/process_set.hpp"

namespace mazurka {

class ProcessSets {
 public:
  /// One of the sets; until the row is changed.
  class View {
   public:
    explicit View(std::span<const ProcessId> members) : members_(members) {}
    [[nodiscard]] std::size_t size() const { return members_.size(); }
    [[nodiscard]] bool contains(ProcessId process) const {
      return std::binary_search(members_.begin(), members_.end(), process);
    }
    /// In ascending order.
    template <typename Visit>
    void for_each(Visit&& visit) const {
      for (const ProcessId process : members_) visit(process);
    }

   private:
    std::span<const ProcessId> members_;
  };

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] View operator[](std::size_t at) const {
    const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
    return View({members_.data() + begin, ends_[at] - begin});
  }

  void push_back(const ProcessSet& set) {
    set.for_each([&](ProcessId process) { members_.push_back(process); });
    ends_.push_back(members_.size());
  }
  /// Only the first so many stay.
  void truncate(std::size_t size) {
    if (size >= ends_.size()) return;
    members_.resize(size == 0 ? 0 : ends_[size - 1]);
    ends_.resize(size);
  }

 private:
  std::vector<ProcessId> members_;
  std::vector<std::size_t> ends_;  // per set: behind its last member
};

}  // namespace mazurka
