// What a race asks for: a continuation in which it is reversed.
//
// A race of the events e and e' is reversed at the node before e by v = the events that do not
// happen after e, then e'. The same holds for a step that was still disabled at the end, in place
// of e'. An event that could have had another outcome is followed by the events that do not happen
// after it.
//
// v comes in two lengths. The short one stops where e' stands in the execution (or where the
// disabled step was announced): it is all that the reversed race needs. The whole one has the
// events after that too, and so depends on how the execution went on.
//
// v need not be explored if a step that is asleep at the node is an initial of v: it could come
// first in v, and all that begins with it was explored. An explorer that follows all of v may also
// go by the weak initials, which v does not touch.
//
// The events of v do what they did, since all that they depend on still comes before them. e' may
// not: a compare-exchange that failed after e may succeed before it. So e' counts with all that it
// may do (Step::widest), whatever it did after e.
//
// A reversed e' may find other outcomes than it had: it is asked for with its first outcome that is
// not asleep, and the others follow as alternatives once it has run.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/backtrack_sets.hpp"
#include "analysis/happens_before.hpp"
#include "analysis/sleep_stack.hpp"
#include "core/check.hpp"
#include "core/execution.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

class Reversal {
 public:
  enum class Need : std::uint8_t {
    covered,          // a sleeping step is an initial of v, by the event settled_by()
    covered_for_now,  // a sleeping step is independent of v: true of this execution's v only
    whole,            // v must be explored, and only the whole v keeps all sleeping steps awake
    brief,            // v must be explored; the short v does
  };

  Reversal(const Vocabulary& vocabulary, const HappensBefore& happens_before,
           const SleepStack& sleepers)
      : vocabulary_(vocabulary), happens_before_(happens_before), sleepers_(sleepers) {}

  /// Judges v by the weak initials.
  [[nodiscard]] Need judge(const Execution& execution, const Race& race);
  /// The judgement `covered` holds for every execution that has the same events up to this one.
  [[nodiscard]] std::uint32_t settled_by() const { return settled_by_; }

  /// Judges the short v by the initials: whether a sleeping step is one.
  [[nodiscard]] bool begins_asleep(const Execution& execution, const Race& race);

  /// Builds the v that was judged.
  void build_brief() { build(end_of_brief_); }
  void build_whole() { build(execution_->size()); }

  /// The node at which v starts.
  [[nodiscard]] std::size_t node() const { return race_.first; }

  [[nodiscard]] std::size_t size() const { return events_.size() + 1; }
  [[nodiscard]] Step operator[](std::size_t at) const {
    if (at == added_at_) return added_;
    return execution_->steps[events_[at > added_at_ ? at - 1 : at]];
  }
  [[nodiscard]] Decision decision(std::size_t at) const {
    if (at == added_at_) return added_.decision;
    return execution_->steps.decision(events_[at > added_at_ ? at - 1 : at]);
  }
  [[nodiscard]] bool is_event(std::size_t at) const { return at != added_at_; }
  /// The event that the step `at` of v is in the execution; not for e' itself.
  [[nodiscard]] std::uint32_t event(std::size_t at) const {
    MAZURKA_CHECK(is_event(at) && at < size(), "the reversed step is no event in its new place");
    return events_[at > added_at_ ? at - 1 : at];
  }
  /// Whether the step `at` of v could come first in it.
  [[nodiscard]] bool initial(std::size_t at) const;

 private:
  enum class Meets : std::uint8_t { itself, dependent, nothing };

  void start(const Execution& execution, const Race& race);
  [[nodiscard]] bool comes_later(std::size_t event) const;
  [[nodiscard]] bool alternative() const { return race_.kind == Race::Kind::alternative; }
  [[nodiscard]] std::size_t announced(const Race& race) const;
  /// What the sleeping step meets first in the short v, and in the events of v from there on.
  [[nodiscard]] Meets meets_in_brief(const Step& sleeper, std::uint32_t woken);
  [[nodiscard]] Meets meets_in_events(const Step& sleeper, std::size_t from, std::size_t end);
  void build(std::size_t end);

  const Vocabulary& vocabulary_;
  const HappensBefore& happens_before_;
  const SleepStack& sleepers_;
  const Execution* execution_ = nullptr;
  Race race_;
  std::size_t end_of_brief_ = 0;
  std::uint32_t settled_by_ = 0;
  Step added_;                // the step that is not an event of the execution in its place
  std::size_t added_at_ = 0;  // where it stands in v: last, or first for an alternative
  std::vector<std::uint32_t> events_;
  std::vector<std::uint32_t> left_out_;  // HappensBefore::left_out_with()
};

/// Puts the first step of v into its node's backtrack set, unless an initial of v is there already.
void ask_for_an_initial(BacktrackSets& backtrack, const Reversal& reversal);

}  // namespace mazurka
