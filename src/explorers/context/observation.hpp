// Which writes of an execution are observed, and the order that is left when only those count.
//
// The order of two writes to one object matters only if somebody reads what the later one left
// there. A write is observed if a later event reads the object before it is written again. What a
// guard reads is always observed: a step that waits for a value is an observer even while it is
// disabled, and whether it can run changes with every write. The execution that waits may be one
// that only another order of the writes leads to: so if an object turns out to be waited for after
// the order of two writes to it was taken for irrelevant, the search has to begin again.
//
// On top of that, events that commute in the state in which they meet can be set loose.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/happens_before.hpp"
#include "core/execution.hpp"
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

  [[nodiscard]] bool loose(std::uint32_t first, std::uint32_t second) override;
  [[nodiscard]] bool irrelevant(const Access& first, const Access& second,
                                std::size_t at) override {
    return writes_ == Writes::count_if_observed && !observed_[at] && neglect(first, second);
  }
  [[nodiscard]] bool strict(ObjectId object) const override {
    return loose_pairs_.empty() && (writes_ == Writes::all_count || guarded(object));
  }

  /// Writes without reading.
  [[nodiscard]] bool blind(const Access& access) const {
    return !vocabulary_.reads(access) && vocabulary_.writes(access);
  }
  /// Whether a guard has read the object, in any execution so far.
  [[nodiscard]] bool guarded(ObjectId object) const {
    return index(object) < guarded_.size() && guarded_[index(object)];
  }
  /// The objects that guards have read, for a search that begins again.
  using Guarded = std::vector<bool>;
  void know_guarded(const Guarded& objects) { guarded_ = objects; }
  [[nodiscard]] const Guarded& all_guarded() const { return guarded_; }
  /// Whether the order of two writes was taken for irrelevant, and then a guard read the object.
  [[nodiscard]] bool was_mistaken() const { return mistaken_; }

  /// Whether the two steps conflict in nothing but blind writes.
  [[nodiscard]] bool only_blind_writes(const Step& one, const Step& other);
  /// Whether the two steps conflict even if nobody observes their blind writes.
  [[nodiscard]] bool conflict_unobserved(const Step& one, const Step& other);

  /// The events that read what `second` wrote over `first`, in order; empty if a guard observes it.
  void observers(const Execution& execution, std::uint32_t first, std::uint32_t second,
                 std::vector<std::uint32_t>& out) const;

 private:
  /// Whether the order of two writes to the object does not matter. If so, that is relied on.
  [[nodiscard]] bool neglect(const Access& a, const Access& b);

  const Vocabulary& vocabulary_;
  Writes writes_;
  std::vector<bool> observed_;   // per access
  Guarded guarded_;              // per object
  std::vector<bool> neglected_;  // per object: the order of two writes to it
  bool mistaken_ = false;
  std::vector<std::uint32_t> last_write_;  // per object: access; scratch
  std::vector<std::uint64_t> loose_pairs_;
};

}  // namespace mazurka
