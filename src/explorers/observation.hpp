// Which writes of an execution are observed, and the order that is left when only those count.
//
// The order of two writes to one object matters only if somebody reads what the later one left
// there. A write is observed if a later event reads the object before it is written again. What a
// guard reads is always observed: a step that waits for a value is an observer even while it is
// disabled, and whether it can run changes with every write. That holds for the rest of the search:
// the execution that waits may be one that only another order of the writes leads to.
//
// On top of that, events that commute in the state in which they meet can be set loose.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/execution.hpp"
#include "core/happens_before.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

class Observation final : public LooseOrder {
 public:
  enum class Writes : std::uint8_t { all_count, count_if_observed };

  Observation(const Vocabulary& vocabulary, Writes writes)
      : vocabulary_(vocabulary), writes_(writes) {}

  void update(const Execution& execution);

  /// Pairs of events (first, second) that commute.
  void forget_loose() { loose_pairs_.clear(); }
  /// False: it was loose already.
  bool set_loose(std::uint32_t first, std::uint32_t second);
  [[nodiscard]] bool any_loose() const { return !loose_pairs_.empty(); }

  [[nodiscard]] bool loose(std::uint32_t first, std::size_t first_access, std::uint32_t second,
                           std::size_t second_access) const override;

  /// Writes without reading.
  [[nodiscard]] bool blind(const Access& access) const {
    return !vocabulary_.reads(access) && vocabulary_.writes(access);
  }
  /// Whether a guard has read the object, in any execution so far.
  [[nodiscard]] bool guarded(ObjectId object) const {
    return index(object) < guarded_.size() && guarded_[index(object)];
  }
  /// Whether the two steps conflict in nothing but blind writes.
  [[nodiscard]] bool only_blind_writes(const Step& one, const Step& other) const;
  /// Whether the two steps conflict even if nobody observes their blind writes.
  [[nodiscard]] bool conflict_unobserved(const Step& one, const Step& other) const;

  /// The events that read what `second` wrote over `first`, in order; empty if a guard observes it.
  void observers(const Execution& execution, std::uint32_t first, std::uint32_t second,
                 std::vector<std::uint32_t>& out) const;

 private:
  const Vocabulary& vocabulary_;
  Writes writes_;
  const Execution* execution_ = nullptr;
  std::vector<bool> observed_;             // per access
  std::vector<bool> guarded_;              // per object
  std::vector<std::uint32_t> last_write_;  // per object: access; scratch
  std::vector<std::uint64_t> loose_pairs_;
};

}  // namespace mazurka
