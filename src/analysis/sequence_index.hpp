// Where in what is left of a sequence a step would be disturbed.
//
// Looking through the sequence takes longer the longer it is, and the more processes move in it
// before the one that is looked for. Here each process has a list of its steps and of those that
// wait for it or release it, and each object one of the accesses to it, in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/remainder.hpp"
#include "core/check.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

class SequenceIndex {
 public:
  explicit SequenceIndex(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  /// Of what is left. From then on steps may be taken out, but not put back.
  template <typename Sequence>
  void build(const Sequence& sequence, const Remainder& left) {
    MAZURKA_CHECK(left.end() == sequence.size(), "what is left is left of this sequence");
    ++current_;
    entries_.clear();
    for (auto at = static_cast<std::uint32_t>(sequence.size()); at-- > 0;) {
      if (left.contains(at)) add(sequence[at], at);
    }
  }

  /// The first step of the process that is left, or left.end().
  [[nodiscard]] std::uint32_t first_of(ProcessId process, const Remainder& left) {
    const std::uint32_t found = first(steps_of_, index(process), left);
    return found == none ? left.end() : entries_[found].at;
  }

  /// Whether one that is left is dependent with the step, before its process moves first.
  [[nodiscard]] bool disturbs(const Step& step, const Remainder& left);

 private:
  static constexpr std::uint32_t none = no_event;

  struct Entry {
    std::uint32_t at = 0;       // in the sequence
    std::uint32_t next = none;  // entry of the same list, further back
    std::uint8_t mode = 0;      // of an access
  };
  struct List {
    std::uint64_t of = 0;  // the rest is of this sequence
    std::uint32_t first = none;
  };
  using Lists = std::vector<List>;

  void add(const Step& step, std::uint32_t at);
  void put_first(Lists& lists, std::size_t which, std::uint32_t at, std::uint8_t mode);
  [[nodiscard]] std::uint32_t begin(const Lists& lists, std::size_t which) const {
    if (lists.size() <= which || lists[which].of != current_) return none;
    return lists[which].first;
  }
  /// The first entry of the list that is left, or none. Forgets those before it.
  [[nodiscard]] std::uint32_t first(Lists& lists, std::size_t which, const Remainder& left);

  const Vocabulary& vocabulary_;
  std::uint64_t current_ = 0;  // how many there were
  std::vector<Entry> entries_;
  Lists steps_of_;        // per process
  Lists connected_with_;  // per process: those that wait for its end, or release it
  Lists accesses_to_;     // per object
  Lists exits_;           // one
};

}  // namespace mazurka
