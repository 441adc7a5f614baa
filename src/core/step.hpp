// A step as everyone sees it: who takes it and what it touches.
//
// A Step is a view; a StepList owns a row of them in three flat arrays. Executions, the sequences
// that a reversed race asks for, and sleeping steps are all step lists, so one function,
// dependent(), decides for all of them.
//
// What a step announces before it is performed may be more than what it then does: a
// compare-exchange announces that it may write, and one that failed has only read. The steps of an
// execution, and those that fell asleep, say what was done; the widest footprint, as announced, is
// kept beside it, for whoever asks what the step might do in another place. The objects are the
// same in both.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

struct Step {
  Decision decision;
  std::uint16_t choices = 1;       // how many outcomes the step has
  ProcessId awaited = no_process;  // joins this process: depends on all its steps
  bool exits = false;              // ends the whole program, after every other step
  Footprint accesses;
  std::span<const ProcessId> released;  // processes that could not move before this step (created,
                                        // signalled): their next steps depend on it
  Footprint announced;                  // where the step did less than it had announced; else empty

  [[nodiscard]] ProcessId process() const { return decision.process; }
  /// All that the step may do, wherever it is taken.
  [[nodiscard]] Footprint widest() const { return announced.empty() ? accesses : announced; }
  /// The step as it is before it is performed.
  [[nodiscard]] Step widened() const {
    return {decision, choices, awaited, exits, widest(), released, {}};
  }
};

[[nodiscard]] inline bool footprints_conflict(const Vocabulary& vocabulary, Footprint one,
                                              Footprint other) {
  for (const Access& a : one) {
    for (const Access& b : other) {
      if (vocabulary.dependent(a, b)) return true;
    }
  }
  return false;
}

[[nodiscard]] inline bool same_accesses(Footprint one, Footprint other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

/// Whether they are taken by the same process, with the same outcome, and touch the same.
[[nodiscard]] inline bool same_step(const Step& one, const Step& other) {
  return one.decision == other.decision && same_accesses(one.accesses, other.accesses);
}

/// Whether the step may turn out to have done less than it announces.
[[nodiscard]] inline bool may_do_less(const Vocabulary& vocabulary, const Step& step) {
  return std::any_of(step.accesses.begin(), step.accesses.end(),
                     [&](const Access& access) { return vocabulary.attempts(access); });
}

/// Whether `one` touches the same objects as `other`, in the same order, and depends on all that
/// `other` depends on.
[[nodiscard]] inline bool covers(const Vocabulary& vocabulary, Footprint one, Footprint other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [&](const Access& wide, const Access& narrow) {
                      return wide.object == narrow.object && wide.kind == narrow.kind &&
                             vocabulary.covers(wide, narrow);
                    });
}

[[nodiscard]] inline bool releases(const Step& one, const Step& other) {
  return std::find(one.released.begin(), one.released.end(), other.process()) != one.released.end();
}

[[nodiscard]] inline bool dependent(const Vocabulary& vocabulary, const Step& one,
                                    const Step& other) {
  if (one.process() == other.process() || one.exits || other.exits) return true;
  if (one.awaited == other.process() || other.awaited == one.process()) return true;
  return footprints_conflict(vocabulary, one.accesses, other.accesses) || releases(one, other) ||
         releases(other, one);
}

class StepList {
 public:
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }

  [[nodiscard]] Step operator[](std::size_t at) const {
    MAZURKA_CHECK(at < rows_.size(), "a step is asked for by its place in the list");
    const Row& row = rows_[at];
    return {row.decision,
            row.choices,
            row.awaited,
            row.exits,
            {accesses_.data() + row.first_access, row.access_count},
            {released_.data() + row.first_released, row.released_count},
            {announced_.data() + row.first_announced,
             static_cast<std::size_t>(row.narrowed ? row.access_count : 0)}};
  }
  [[nodiscard]] Decision decision(std::size_t at) const { return rows_[at].decision; }
  [[nodiscard]] ProcessId process(std::size_t at) const { return rows_[at].decision.process; }
  [[nodiscard]] std::size_t first_access(std::size_t at) const { return rows_[at].first_access; }
  [[nodiscard]] std::size_t access_count() const { return accesses_.size(); }

  /// Requires: what was announced names the same objects as what was done, or is empty.
  void push_back(const Step& step) {
    MAZURKA_CHECK(step.announced.empty() || step.announced.size() == step.accesses.size(),
                  "a step does as many accesses as it announced");
    MAZURKA_CHECK(step.accesses.size() <= most_in_a_step && step.released.size() <= most_in_a_step,
                  "the accesses of a step can be counted in 16 bits");
    rows_.push_back(
        {step.decision, step.choices, step.awaited, static_cast<std::uint32_t>(accesses_.size()),
         static_cast<std::uint32_t>(released_.size()),
         static_cast<std::uint32_t>(announced_.size()),
         static_cast<std::uint16_t>(step.accesses.size()),
         static_cast<std::uint16_t>(step.released.size()), step.exits, !step.announced.empty()});
    accesses_.insert(accesses_.end(), step.accesses.begin(), step.accesses.end());
    announced_.insert(announced_.end(), step.announced.begin(), step.announced.end());
    released_.insert(released_.end(), step.released.begin(), step.released.end());
  }
  /// Forgets every step from `size` on.
  /// Requires: nothing was erased since the list was empty, so that rows and accesses have one
  /// order.
  void truncate(std::size_t size) {
    if (size >= rows_.size()) return;
    MAZURKA_CHECK(!has_gaps_, "a list from which a step was erased can not be cut");
    accesses_.resize(rows_[size].first_access);
    released_.resize(rows_[size].first_released);
    announced_.resize(rows_[size].first_announced);
    rows_.resize(size);
  }
  void erase(std::size_t at) {
    MAZURKA_CHECK(at < rows_.size(), "only a step that is in the list can be erased");
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(at));
    has_gaps_ = true;
  }
  void clear() {
    has_gaps_ = false;
    rows_.clear();
    accesses_.clear();
    released_.clear();
    announced_.clear();
  }

 private:
  struct Row {
    Decision decision;
    std::uint16_t choices;
    ProcessId awaited;
    std::uint32_t first_access;
    std::uint32_t first_released;
    std::uint32_t first_announced;
    std::uint16_t access_count;
    std::uint16_t released_count;
    bool exits;
    bool narrowed;  // has as many announced accesses as accesses
  };
  static constexpr std::size_t most_in_a_step = 0xffff;

  bool has_gaps_ = false;  // a step was erased
  std::vector<Row> rows_;
  std::vector<Access> accesses_;
  std::vector<ProcessId> released_;
  std::vector<Access> announced_;  // of the steps that did less
};

}  // namespace mazurka
