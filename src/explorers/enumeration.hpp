// The search that asks for everything enabled: common to exhaustive.cpp, sleep.cpp and bounded.cpp.
#pragma once

#include <optional>
#include <vector>

#include "core/check.hpp"
#include "core/session.hpp"
#include "explorers/path.hpp"
#include "explorers/resumable.hpp"

namespace mazurka {

enum class Preemptions : std::uint8_t { any, bounded };

class Enumeration {
 public:
  Enumeration(Session& session, Path::Sleepers mode, Preemptions preemptions)
      : session_(session), mode_(mode), path_(session, mode, true) {
    if (preemptions == Preemptions::any) return;
    bound_ = session.limits().preemption_bound();
  }

  [[nodiscard]] bool explore() {
    while (path_.perform()) {
      count_preemptions();
      std::optional<Decision> next;
      node_ = path_.execution().size();
      while (!next && node_ > 0) {
        path_.put_to_sleep(--node_);
        next = next_decision();
      }
      if (!next) return all_explored(session_);
      next_ = *next;
      if (session_.stop()) return false;
      go_on();
    }
    return false;
  }

  void save(ArchiveWriter& archive) const {
    path_.save(archive);
    archive(node_, next_);
  }
  [[nodiscard]] bool load(ArchiveReader& archive) {
    if (!path_.load(archive)) return false;
    archive(node_, next_);
    path_.require_event(node_);
    return true;
  }
  bool resume() {
    go_on();
    return explore();
  }

 private:
  void go_on() {
    MAZURKA_CHECK(path_.execution().enabled[node_].contains(next_.process),
                  "a process is tried where it is enabled");
    path_.leave(node_);
    path_.decide(next_);
  }

  [[nodiscard]] bool preempts(std::size_t node, ProcessId process) const {
    if (node == 0) return false;
    const ProcessId before = path_.execution().steps.process(node - 1);
    return process != before && path_.execution().enabled[node].contains(before);
  }

  void count_preemptions() {
    if (!bound_) return;
    MAZURKA_CHECK(*bound_ >= 0, "a bound on preemptions is a number of them");
    preemptions_.assign(1, 0);
    for (std::size_t at = 0; at < path_.execution().size(); ++at) {
      const bool one = preempts(at, path_.execution().steps.process(at));
      preemptions_.push_back(preemptions_.back() + (one ? 1 : 0));
    }
  }

  [[nodiscard]] bool forbidden(ProcessId process) const {
    return bound_ && preempts(node_, process) && preemptions_[node_] >= *bound_;
  }

  /// A decision at the node that is enabled and not asleep there (or, with sleepers that are only
  /// remembered, was not taken there yet), and that the bound allows.
  [[nodiscard]] std::optional<Decision> next_decision() {
    std::optional<Decision> found;
    std::uint64_t skipped = 0;
    const std::size_t since = mode_ == Path::Sleepers::kept_asleep ? 0 : node_;
    path_.execution().enabled[node_].for_each([&](ProcessId process) {
      if (found) return;
      const auto choice = path_.sleepers().free_choice(process, node_, since);
      if (!choice) return;
      if (forbidden(process)) {
        ++skipped;
      } else {
        found = Decision{process, *choice};
      }
    });
    if (!found) session_.skip(skipped);  // the node is done with
    return found;
  }

  Session& session_;
  Path::Sleepers mode_;
  std::optional<std::int32_t> bound_;
  Path path_;
  std::vector<std::int32_t> preemptions_;  // per node of the path: on the way there
  std::size_t node_ = 0;                   // where the path is left, and with what
  Decision next_;
};

/// An explorer that enumerates.
using Enumerator = ResumableExplorer<Enumeration, Path::Sleepers, Preemptions>;

}  // namespace mazurka
