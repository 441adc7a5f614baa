// A row of sets of processes, each of which has few members though there may be many processes: a
// bit for each of the first 64 processes, and a list of the other members, one set behind the
// other.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bit_set.hpp"
#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/process_set.hpp"

namespace mazurka {

class ProcessSets {
 public:
  /// One of the sets; until the row is changed.
  class View {
   public:
    View(Word small, std::span<const ProcessId> large) : small_(small), large_(large) {}
    [[nodiscard]] std::size_t size() const {
      return static_cast<std::size_t>(std::popcount(small_)) + large_.size();
    }
    [[nodiscard]] bool contains(ProcessId process) const {
      if (index(process) < word_bits) return (small_ & bit_of(index(process))) != 0;
      return std::binary_search(large_.begin(), large_.end(), process);
    }
    /// The first member that is not in the other set; no_process if there is none.
    [[nodiscard]] ProcessId first_without(const ProcessSet& without) const {
      const Word rest = small_ & ~without.small_members();
      if (rest != 0) return static_cast<ProcessId>(std::countr_zero(rest));
      const auto found = std::find_if(large_.begin(), large_.end(), [&](ProcessId process) {
        return !without.contains(process);
      });
      return found == large_.end() ? no_process : *found;
    }
    /// In ascending order.
    template <typename Visit>
    void for_each(Visit&& visit) const {
      for_each_bit(small_, [&](std::size_t bit) { visit(static_cast<ProcessId>(bit)); });
      for (const ProcessId process : large_) visit(process);
    }

   private:
    Word small_;
    std::span<const ProcessId> large_;
  };

  [[nodiscard]] std::size_t size() const { return sets_.size(); }
  [[nodiscard]] View operator[](std::size_t at) const {
    MAZURKA_CHECK(at < sets_.size(), "a set is asked for by its place in the row");
    const std::size_t begin = at == 0 ? 0 : sets_[at - 1].end;
    MAZURKA_CHECK(begin <= sets_[at].end, "the members of the sets follow each other");
    return View(sets_[at].small, {large_.data() + begin, sets_[at].end - begin});
  }

  void push_back(const ProcessSet& set) {
    set.for_each_large_member([&](ProcessId process) { large_.push_back(process); });
    sets_.push_back({set.small_members(), large_.size()});
  }
  /// Only the first so many stay.
  void truncate(std::size_t size) {
    if (size >= sets_.size()) return;
    large_.resize(size == 0 ? 0 : sets_[size - 1].end);
    sets_.resize(size);
  }

 private:
  struct Set {
    Word small = 0;
    std::size_t end = 0;  // behind its last member in the list
  };
  std::vector<Set> sets_;
  std::vector<ProcessId> large_;
};

}  // namespace mazurka
