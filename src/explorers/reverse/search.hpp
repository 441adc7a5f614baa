// The walk through the tree of executions: perform a task, find its children, go on with the last.
//
// Every execution tells by itself which its children are, so all that is kept are the tasks that
// are left: at most as many as the tree is deep, times the children of one execution.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/explorer.hpp"
#include "core/guide.hpp"
#include "core/run_state.hpp"
#include "core/session.hpp"
#include "explorers/path.hpp"
#include "explorers/reverse/children.hpp"
#include "explorers/reverse/process_order.hpp"
#include "explorers/reverse/task.hpp"
#include "explorers/reverse/trace.hpp"

namespace mazurka::reverse {

/// Why a step can not be told from what it touches, in a sentence for the user.
[[nodiscard]] std::string refusal(const std::string& technique, const std::string& step);

/// How an execution goes on by itself: after the task's prefix with the process that was delayed,
/// then always with the first that can move.
template <typename Rules>
class InOrder final : public Guide {
 public:
  InOrder(const Vocabulary& vocabulary, ProcessOrder& processes, Trace& trace,
          const Children<Rules>& children)
      : vocabulary_(vocabulary), processes_(processes), trace_(trace), children_(children) {
    decides_ = may_begin_anew_ = true;
  }

  void follow(const Task& task) {
    MAZURKA_CHECK(task.turns.empty() || task.turns.back().end() == task.prefix.size(),
                  "a task ends with its last turn");
    task_ = &task;
  }
  /// So many events of the execution were taken in by the trace already.
  [[nodiscard]] std::size_t kept() const { return kept_; }
  /// The step that could not be taken any more, though not all that it touches was touched by the
  /// one that delays it; empty: there is none.
  [[nodiscard]] const std::string& hindered() const { return hindered_; }

  void started(const RunState& run) override {
    kept_ = run.shared();
    fresh_ = true;
    hindered_.clear();
  }
  [[nodiscard]] Choice choose(const RunState& run) override {
    processes_.update();
    const bool first = std::exchange(fresh_, false);
    const ProcessId then = task_->then();
    if (first && then != no_process) {
      if (task_->provisional && !is_wanted(run)) return {Choice::Kind::nobody};
      if (!run.is_enabled(then)) {
        look_at_hindrance(run, then);
      } else if constexpr (Rules::delayed_is_next) {
        return {Choice::Kind::decision, {then, 0}};
      }
    }
    return {Choice::Kind::decision, {processes_.first_of(run.enabled()), 0}};
  }

 private:
  [[nodiscard]] bool is_wanted(const RunState& run) {
    const Execution& execution = run.so_far();
    if (execution.steps[execution.size() - 1].announced.empty()) return true;
    trace_.update(execution, kept_);
    kept_ = execution.size();
    return children_.belongs_to(*task_);
  }

  // The search is right only if a step that hinders another is in conflict with all that the other
  // one is in conflict with.
  void look_at_hindrance(const RunState& run, ProcessId then) {
    MAZURKA_CHECK(run.so_far().size() > 0, "a step is hindered by one that was taken");
    const Step late = run.next_step(then);
    const Step by = run.so_far().steps[run.so_far().size() - 1];
    if (late.exits || by.exits) return;
    const auto is_covered = [&](const Access& access) {
      return std::any_of(by.accesses.begin(), by.accesses.end(), [&](const Access& other) {
        return other.object == access.object && vocabulary_.covers(other, access);
      });
    };
    const auto open = std::find_if_not(late.accesses.begin(), late.accesses.end(), is_covered);
    if (open == late.accesses.end()) return;
    hindered_ = "a step that waits while it touches a " + vocabulary_.kind_name(open->kind);
  }

  const Vocabulary& vocabulary_;
  ProcessOrder& processes_;
  Trace& trace_;
  const Children<Rules>& children_;
  const Task* task_ = nullptr;
  std::size_t kept_ = 0;
  bool fresh_ = false;
  std::string hindered_;
};

template <typename Rules = AllRules>
class Search {
 public:
  explicit Search(Session& session)
      : session_(session),
        processes_(session.process_names()),
        trace_(session.vocabulary()),
        children_(session.vocabulary(), processes_, trace_),
        guide_(session.vocabulary(), processes_, trace_, children_),
        left_(1) {
    // Whatever makes a step wait must be in conflict with all that the step is in conflict with
    // (InOrder::look_at_hindrance); who shares a lock is not, with others who do.
    schedule_.moves_in_order = true;
  }

  bool explore() {
    while (!left_.empty()) {
      // Of a part that is small enough the weight is 0.
      MAZURKA_CHECK(left_.back().weight >= 0, "a task is a part of the search");
      task_ = std::move(left_.back());
      left_.pop_back();
      if (!perform()) return false;
      if (!left_.empty() && session_.stop()) return false;
    }
    return all_explored(session_);
  }

  void save(ArchiveWriter& archive) const {
    save_tasks(archive, left_);
    archive(explored_);
  }
  [[nodiscard]] bool load(ArchiveReader& archive) {
    left_ = load_tasks(archive);
    archive(explored_);
    return true;
  }
  /// Every so many-th task: what is large is found in all parts.
  /// Requires: there is such a part.
  void keep_part(std::size_t part, std::size_t parts) {
    MAZURKA_CHECK(part < parts, "a part is one of so many");
    std::vector<Task> kept;
    for (std::size_t at = part; at < left_.size(); at += parts) {
      kept.push_back(std::move(left_[at]));
    }
    left_ = std::move(kept);
    explored_ = 0;
  }
  [[nodiscard]] Rest rest() const { return {left_.size(), explored_}; }
  bool resume() { return explore(); }

 private:
  // False: the search can not go on.
  bool perform() {
    task_.prefix.spell_out(schedule_.prefix, schedule_.sources);
    schedule_.shared = shared_with_latest();
    guide_.follow(task_);
    execution_ = &session_.run(schedule_, &guide_);
    const Stop stopped = session_.stopped();
    if (stopped == Stop::diverged || stopped == Stop::cut || stopped == Stop::interrupted) {
      return false;
    }
    if (!guide_.hindered().empty()) {
      session_.refuse(refusal(Rules::name, guide_.hindered()));
      return false;
    }
    processes_.update();
    trace_.update(*execution_, guide_.kept());
    if (const std::string objection = trace_.objection(); !objection.empty()) {
      session_.refuse(refusal(Rules::name, objection));
      return false;
    }
    if (!looks_as_expected()) {
      session_.contradict();
      return false;
    }
    if (execution_->ending == Ending::asleep) {
      explored_ += task_.weight;
    } else {
      add_children();
    }
    return true;
  }

  // The task may come from another process, or from another machine.
  [[nodiscard]] bool looks_as_expected() const {
    if (task_.prefix.empty() || execution_->size() < task_.prefix.size()) return true;
    return trace_.look_of_first(task_.prefix.size() - 1).value() == task_.look;
  }

  // Those that share most with this execution are performed next: less of it is done again.
  void add_children() {
    const auto before = static_cast<std::ptrdiff_t>(left_.size());
    children_.find(task_, left_);
    std::stable_sort(left_.begin() + before, left_.end(), [](const Task& one, const Task& other) {
      return one.turns.back().first < other.turns.back().first;
    });
    const std::size_t children = left_.size() - static_cast<std::size_t>(before);
    const double share = task_.weight / static_cast<double>(children + 1);
    for (std::size_t at = left_.size() - children; at < left_.size(); ++at)
      left_[at].weight = share;
    explored_ += share;
    MAZURKA_CHECK(explored_ <= 1.001, "the weights of all tasks add up to the whole search");
  }

  [[nodiscard]] std::size_t shared_with_latest() const {
    if (execution_ == nullptr) return 0;
    const std::size_t most = std::min(schedule_.prefix.size(), execution_->size());
    std::size_t shared = 0;
    while (shared < most && execution_->steps.decision(shared) == schedule_.prefix[shared] &&
           (shared >= schedule_.sources.size() || schedule_.sources[shared] == by_outcome)) {
      ++shared;
    }
    return shared;
  }

  Session& session_;
  ProcessOrder processes_;
  Trace trace_;
  Children<Rules> children_;
  InOrder<Rules> guide_;
  const Execution* execution_ = nullptr;
  Schedule schedule_;
  Task task_;               // the latest
  std::vector<Task> left_;  // the next one is the last
  double explored_ = 0;     // the weight of what was performed
};

}  // namespace mazurka::reverse
