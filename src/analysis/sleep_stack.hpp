// Sleep sets along the current path, without a set per node.
//
// When everything after a decision at some node is explored, its step falls asleep there and stays
// asleep further down the path until an event that is dependent with it wakes it. So a sleeper is
// an interval of nodes, and the sleepers of all nodes of the path are one stack, ordered by where
// they fell asleep. Node i is the state before event i.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/archive.hpp"
#include "core/check.hpp"
#include "core/execution.hpp"
#include "core/ids.hpp"
#include "core/step.hpp"

namespace mazurka {

class SleepStack {
 public:
  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  [[nodiscard]] Step operator[](std::size_t at) const { return steps_[at]; }
  [[nodiscard]] std::uint32_t born(std::size_t at) const { return intervals_[at].born; }
  /// The first event that wakes it on the current path, or no_event.
  [[nodiscard]] std::uint32_t woken(std::size_t at) const { return intervals_[at].woken; }
  [[nodiscard]] bool asleep(std::size_t at, std::size_t node) const {
    return intervals_[at].born <= node && node <= intervals_[at].woken;
  }

  /// The step falls asleep at the node; what fell asleep further down is forgotten.
  void push(const Step& step, std::size_t node) {
    forget_below(node);
    steps_.push_back(step);
    intervals_.push_back({static_cast<std::uint32_t>(node), no_event});
  }

  /// Forgets what fell asleep further down than the node.
  void forget_below(std::size_t node) {
    std::size_t kept = size();
    while (kept > 0 && born(kept - 1) > node) --kept;
    steps_.truncate(kept);
    intervals_.resize(kept);
  }

  /// What is asleep at the node, for the schedule of an execution that leaves the path there.
  void collect(std::size_t node, StepList& collected) {
    collected.clear();
    collected_from_.clear();
    for (std::size_t at = 0; at < size(); ++at) {
      if (!asleep(at, node)) continue;
      collected.push_back(steps_[at]);
      collected_from_.push_back(static_cast<std::uint32_t>(at));
    }
  }
  /// Takes in where the collected sleepers were woken.
  /// Requires: it is the execution of the schedule for which they were collected.
  void absorb(const Execution& execution) {
    MAZURKA_CHECK(collected_from_.empty() || execution.woken.size() == collected_from_.size(),
                  "the execution has told of each step that it found asleep");
    for (std::size_t at = 0; at < collected_from_.size(); ++at) {
      Interval& interval = intervals_[collected_from_[at]];
      MAZURKA_CHECK(execution.woken[at] >= interval.born, "a step wakes after it fell asleep");
      interval.woken = execution.woken[at];
    }
    collected_from_.clear();
  }

  [[nodiscard]] bool contains(Decision decision, std::size_t node) const {
    for (std::size_t at = 0; at < size(); ++at) {
      if (steps_.decision(at) == decision && asleep(at, node)) return true;
    }
    return false;
  }

  /// The smallest outcome of the process's next step that is not asleep at the node, among those
  /// put to sleep at `since` or further down; nothing if all of them are.
  [[nodiscard]] std::optional<std::uint16_t> free_choice(ProcessId process, std::size_t node,
                                                         std::size_t since = 0) const {
    std::uint16_t choice = 0;
    std::uint16_t choices = 1;
    for (std::size_t at = 0; at < size() && choice < choices;) {
      if (steps_.process(at) == process && asleep(at, node) && born(at) >= since) {
        choices = steps_[at].choices;
        if (steps_.decision(at).choice == choice) {
          ++choice;
          at = 0;
          continue;
        }
      }
      ++at;
    }
    if (choice >= choices) return std::nullopt;
    return choice;
  }

  void save(ArchiveWriter& archive) const {
    archive(steps_);
    for (const Interval& interval : intervals_) archive(interval.born, interval.woken);
  }
  /// `nodes`: how many of them the path has. Throws ArchiveError.
  void load(ArchiveReader& archive, std::size_t nodes) {
    archive(steps_);
    intervals_.resize(steps_.size());
    std::uint32_t before = 0;
    for (Interval& interval : intervals_) {
      archive(interval.born, interval.woken);
      if (interval.born < before || interval.born > nodes) {
        throw ArchiveError("a step sleeps where the path has no node");
      }
      before = interval.born;
    }
  }

 private:
  struct Interval {
    std::uint32_t born = 0;
    std::uint32_t woken = 0;
  };
  StepList steps_;
  std::vector<Interval> intervals_;
  std::vector<std::uint32_t> collected_from_;
};

}  // namespace mazurka
