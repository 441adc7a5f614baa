// A complete execution as a partial order, and what could be done after a part of it.
//
// A *cut* is a part of the execution that is closed under happens-before: of each process, so many
// of its first events. Whether a step could be taken after a cut is known without performing
// anything: all that it must follow (Trace::needed_by) is in the cut, and its guard holds for the
// value that the object has after it.
//
// Values. The steps that change an object are ordered among themselves, or only their number
// matters (Vocabulary::Mode::counted); either way the object has, after a cut with k of them, the
// value that it had after the first k of them here, which the next one has found. After a cut with
// all of them it has the value of the end: for that the step was taken if it is an event, and was
// not if it is left waiting.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/happens_before.hpp"
#include "core/check.hpp"
#include "core/execution.hpp"
#include "core/hash.hpp"
#include "core/vocabulary.hpp"
#include "explorers/reverse/task.hpp"

namespace mazurka::reverse {

using Cut = std::span<const std::uint32_t>;
using MutableCut = std::vector<std::uint32_t>;

/// `one` becomes the union of the two.
inline void unite(MutableCut& one, Cut other) {
  MAZURKA_CHECK(one.size() == other.size(), "cuts of one execution have a number for each process");
  for (std::size_t at = 0; at < other.size(); ++at) one[at] = std::max(one[at], other[at]);
}

/// A step of the execution, or one that is left waiting at its end.
struct StepRef {
  std::uint32_t number = 0;
  bool is_event = true;
};

class Trace {
 public:
  explicit Trace(const Vocabulary& vocabulary);

  /// Takes in an execution whose first `kept` events are those of the previous one. It must stay.
  void update(const Execution& execution, std::size_t kept);

  [[nodiscard]] const Execution& execution() const { return *execution_; }
  [[nodiscard]] const HappensBefore& order() const { return order_; }
  [[nodiscard]] Step step(StepRef which) const {
    return which.is_event ? execution_->steps[which.number] : execution_->pending[which.number];
  }
  [[nodiscard]] std::size_t process_of(std::size_t event) const {
    return index(execution_->steps.process(event));
  }
  [[nodiscard]] bool contains(Cut cut, std::size_t event) const {
    return execution_->events[event].index < cut[process_of(event)];
  }

  /// The cut of the first `count` events.
  [[nodiscard]] Cut first_events(std::size_t count) const {
    MAZURKA_CHECK(count <= size_, "only events that were taken in are in a cut");
    return {counts_.data() + count * width_, width_};
  }
  /// All that the step follows without a race: what its process did before, who created or released
  /// it, and all of the process that it joins.
  void needed_by(StepRef which, MutableCut& cut) const;

  /// Whether the step's guard holds after the cut, which has all that the step needs.
  [[nodiscard]] bool can_be_taken(StepRef which, Cut after) const;

  [[nodiscard]] bool touches_something(std::size_t event) const { return events_[event].touches; }
  /// Whether there are values with which the event would have had to wait.
  [[nodiscard]] bool can_wait(std::size_t event) const { return events_[event].can_wait; }
  /// How the first `count` events look (add_look).
  [[nodiscard]] RunningHash look_of_first(std::size_t count) const {
    return count == 0 ? RunningHash{} : RunningHash{events_[count - 1].look};
  }

  /// An event that may have changed an object that steps wait for.
  struct Change {
    std::uint32_t event = 0;
    std::uint64_t before = 0;  // the value that it found
  };
  /// In the order of the execution.
  [[nodiscard]] std::span<const Change> changes(ObjectId object) const {
    return index(object) < objects_.size() ? std::span(objects_[index(object)].changes)
                                           : std::span<const Change>{};
  }

  /// All changes of the object before this one, by number, are in the cut.
  [[nodiscard]] std::size_t first_change_outside(ObjectId object, Cut cut) const;

  /// Whether of the changes of an object that steps wait for, every cut has the first so many.
  [[nodiscard]] bool come_in_order(ObjectId object) const {
    return index(object) >= objects_.size() ||
           objects_[index(object)].counted + objects_[index(object)].unordered == 0;
  }
  /// Of an object whose changes come in order: whether the guard of this access to it, of the step,
  /// holds after the first `count` of them.
  [[nodiscard]] bool guard_holds_after(StepRef which, const Access& access,
                                       std::size_t count) const {
    const std::span<const Change> all = changes(access.object);
    MAZURKA_CHECK(come_in_order(access.object) && count <= all.size(),
                  "so many changes of the object come first in every order");
    return count == all.size() ? is_taken_at_the_end(which)
                               : vocabulary_.allows(access, all[count].before);
  }

  /// Why steps of this execution can not be judged in this way; empty: they can.
  [[nodiscard]] std::string objection() const;

 private:
  struct Object {
    std::vector<Change> changes;
    std::size_t counted = 0;    // of these, only the number matters
    std::size_t unordered = 0;  // of these, the order does not matter, but more than the number
    // By process, as numbers of changes; where there are modes of which only the number matters.
    std::vector<std::vector<std::uint32_t>> of_process;
  };
  enum class Sort : std::uint8_t { none, ordered, counted, unordered };
  struct Noted {
    std::uint32_t event;
    ObjectId object;
    Sort sort;
  };

  struct Event {
    std::uint64_t look = 0;  // of all up to this one
    bool touches = false;
    bool can_wait = false;
  };

  void make_room();
  void forget_from(std::size_t kept);
  void add(std::uint32_t event);
  [[nodiscard]] Sort sort_of(const Access& access) const;
  void take_in(std::uint32_t event, const Access& access, std::uint64_t before);
  [[nodiscard]] std::size_t changes_within(ObjectId object, Cut cut) const;
  [[nodiscard]] bool guard_holds(const Access& access, Cut after, bool at_the_end) const;
  [[nodiscard]] bool is_taken_at_the_end(StepRef which) const {
    return which.is_event || execution_->pending_state[which.number].enabled;
  }
  [[nodiscard]] std::string objection_to(const Step& step) const;

  const Vocabulary& vocabulary_;
  std::array<std::uint16_t, max_kinds> changing_{};  // the modes that may change a value
  std::array<bool, max_kinds> is_counted_{};         // there is a mode of which the number matters
  HappensBefore order_;
  const Execution* execution_ = nullptr;
  std::size_t width_ = 0;
  std::size_t size_ = 0;               // events taken in
  std::size_t new_from_ = 0;           // the first that was not there before
  std::vector<std::uint32_t> counts_;  // a row per number of events
  std::vector<Event> events_;
  std::vector<Object> objects_;
  std::vector<Noted> noted_;  // all changes, in order
};

}  // namespace mazurka::reverse
