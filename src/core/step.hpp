// A step as everyone sees it: who takes it and what it touches.
//
// A Step is a view; a StepList owns a row of them in three flat arrays. Executions, the sequences
// that a reversed race asks for, and sleeping steps are all step lists, so one function,
// dependent(), decides for all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

struct Step {
  Decision decision;
  std::uint16_t choices = 1;       // how many outcomes the step has
  ProcessId awaited = no_process;  // joins this process: depends on all its steps
  bool exits = false;              // ends the whole program: depends on every step
  Footprint accesses;
  std::span<const ProcessId> released;  // processes that could not move before this step (created,
                                        // signalled): their next steps depend on it

  [[nodiscard]] ProcessId process() const { return decision.process; }
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
    const Row& row = rows_[at];
    return {row.decision,
            row.choices,
            row.awaited,
            row.exits,
            {accesses_.data() + row.first_access, row.access_count},
            {released_.data() + row.first_released, row.released_count}};
  }
  [[nodiscard]] Decision decision(std::size_t at) const { return rows_[at].decision; }
  [[nodiscard]] ProcessId process(std::size_t at) const { return rows_[at].decision.process; }
  [[nodiscard]] std::size_t first_access(std::size_t at) const { return rows_[at].first_access; }
  [[nodiscard]] std::size_t access_count() const { return accesses_.size(); }

  void push_back(const Step& step) {
    rows_.push_back({step.decision, step.choices, step.awaited,
                     static_cast<std::uint32_t>(accesses_.size()),
                     static_cast<std::uint32_t>(released_.size()),
                     static_cast<std::uint16_t>(step.accesses.size()),
                     static_cast<std::uint16_t>(step.released.size()), step.exits});
    accesses_.insert(accesses_.end(), step.accesses.begin(), step.accesses.end());
    released_.insert(released_.end(), step.released.begin(), step.released.end());
  }
  /// Forgets every step from `size` on. Only for lists from which nothing was erased.
  void truncate(std::size_t size) {
    if (size >= rows_.size()) return;
    accesses_.resize(rows_[size].first_access);
    released_.resize(rows_[size].first_released);
    rows_.resize(size);
  }
  void erase(std::size_t at) { rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(at)); }
  void clear() {
    rows_.clear();
    accesses_.clear();
    released_.clear();
  }

 private:
  struct Row {
    Decision decision;
    std::uint16_t choices;
    ProcessId awaited;
    std::uint32_t first_access;
    std::uint32_t first_released;
    std::uint16_t access_count;
    std::uint16_t released_count;
    bool exits;
  };
  std::vector<Row> rows_;
  std::vector<Access> accesses_;
  std::vector<ProcessId> released_;
};

}  // namespace mazurka
