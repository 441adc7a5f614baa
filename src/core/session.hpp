// All that an explorer sees of the program: it hands in a schedule and reads an execution.
//
// The session counts, collects findings (each with the schedule that replays it), verifies that
// the program is deterministic once the schedule is fixed, and says when to stop: a budget is
// spent, the user interrupted, the first finding was made.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/check.hpp"
#include "core/execution.hpp"
#include "core/finding.hpp"
#include "core/program.hpp"
#include "core/run.hpp"
#include "core/schedule.hpp"

namespace mazurka {

struct Limits {
  std::uint64_t max_executions = 0;    // 0: none
  double max_seconds = 0;              // 0: none
  std::uint64_t max_events = 100'000;  // per execution
  bool keep_going = false;             // go on after a finding
  std::uint64_t seed = 0;
  bool sleep_sets = true;         // off: for techniques that can do without (dpor, trans)
  std::int32_t preemptions = -1;  // most preemptions in one execution; negative: not told
  bool stop_when_cut = false;     // an execution that reaches max_events ends the search
  bool record_values = false;     // of all accesses, before and after (Execution::after)
  double reserved_seconds = 0;    // of max_seconds: not for a search that will not end in them

  /// For techniques that have such a bound in any case.
  [[nodiscard]] std::int32_t preemption_bound() const { return preemptions < 0 ? 2 : preemptions; }
};

struct Statistics {
  std::uint64_t executions = 0;   // that ran to an end (complete, deadlock, failed, cut, stalled)
  std::uint64_t repeated = 0;     // of these: before the search began anew; it repeats their traces
  std::uint64_t assumed = 0;      // that an assumption ended; not among the executions
  std::uint64_t asleep = 0;       // sleep-set blocked: begun, found redundant, abandoned
  std::uint64_t in_vain = 0;      // that only waited: the same without the waiting is one of them
  std::uint64_t impossible = 0;   // begun, with an outcome that turned out to be impossible
  std::uint64_t events = 0;       // performed in all of these, replayed ones included
  std::uint64_t spared = 0;       // of these, not performed: the program was put back to after them
  std::uint64_t transitions = 0;  // without the replayed ones: edges of the tree of executions
  std::uint64_t deepest = 0;      // events of the longest execution
  std::uint64_t processes = 0;    // most processes in one exploration
  std::uint64_t cut = 0;          // executions that reached the bound on events
  std::uint64_t stalled = 0;      // executions in which a process computed without end
  std::uint64_t stored = 0;       // unfolding: most events that were kept at one time
  double explored = 0;            // estimate of the part that is done, 0..1; 0: not known
  std::uint64_t skipped = 0;      // decisions that a bound forbade
  std::uint64_t digest = 0;       // of the decisions of all executions, in whatever order
  std::uint64_t bad_exits = 0;    // executions at whose end the program told of a failure ...
  std::uint64_t exit_code = 0;    // ... the first time with this code
  std::uint64_t left_waiting = 0;  // executions whose end found somebody who would wait for ever

  /// Adds those of another part of the same search.
  void add(const Statistics& other);

  /// Executions of whatever kind.
  [[nodiscard]] std::uint64_t begun() const {
    return executions + assumed + asleep + in_vain + impossible;
  }
};

template <typename Archive>
void members(Archive& archive, Same<Statistics> auto& v) {
  archive(v.executions, v.asleep, v.in_vain, v.events, v.transitions, v.deepest, v.processes, v.cut,
          v.stalled, v.stored, v.explored, v.skipped, v.digest, v.repeated, v.assumed, v.bad_exits,
          v.exit_code, v.spared, v.impossible, v.left_waiting);
}

/// Why the search ended before everything was explored.
enum class Stop : std::uint8_t {
  none,
  finding,
  max_executions,
  max_seconds,
  interrupted,
  diverged,
  cut,        // an execution reached the bound on events (Limits::stop_when_cut)
  stalled,    // a process computes without end: every further execution might cost as much
  refused,    // the technique cannot explore this program
  rest_lost,  // of a search in parts: what is left of one could not be saved
};

class Session {
 public:
  Session(Program& program, Limits limits);

  /// Performs the schedule, with a guide if there is one. The execution stays valid, and may be
  /// shared with the next schedule, until the next call.
  const Execution& run(const Schedule& schedule, Guide* guide = nullptr);

  /// True when the explorer must return now. Between two executions, when the explorer has taken in
  /// the first and not begun with the next: an exploration can be saved while it asks this.
  [[nodiscard]] bool stop();

  /// What the session knows of the exploration; an explorer saves the rest.
  void save(ArchiveWriter& archive) const;
  /// Only into a fresh session. Throws ArchiveError.
  void load(ArchiveReader& archive);
  /// What was loaded is counted elsewhere: this is a part of what is left.
  void count_anew();
  /// Performs an execution that was performed, counted and analysed before: nothing is counted.
  const Execution& repeat(const StepList& steps, Ending ending, bool record_enabled);

  [[nodiscard]] const Vocabulary& vocabulary() const { return program_.vocabulary(); }
  /// The processes that were seen so far, by who created them.
  [[nodiscard]] const ProcessNames& process_names() const { return names_; }
  [[nodiscard]] bool has_states() const { return program_.has_states(); }
  [[nodiscard]] bool has_whole_states() const { return program_.has_whole_states(); }
  [[nodiscard]] bool states_tell_all() const { return program_.states_tell_all(); }
  [[nodiscard]] Steps steps() const { return program_.steps(); }
  [[nodiscard]] const Network* network() const { return program_.network(); }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] const ProcessNames& names() const { return names_; }
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }
  [[nodiscard]] double seconds() const;  // since the session began
  /// It takes the place of one that began then, and whose time counts.
  void began(std::chrono::steady_clock::time_point when) { begun_ = when; }
  [[nodiscard]] double seconds_in_all() const { return seconds_before_ + seconds(); }
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
  [[nodiscard]] Stop stopped() const { return stopped_; }
  [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }

  /// How much of the search is done, as far as is known (explorers/size_probe.hpp); 0: it is not.
  /// Shown to the user, never relied upon.
  /// Requires: a part of the whole.
  void estimate(double explored) {
    MAZURKA_CHECK(explored >= 0 && explored <= 1.001, "a part of the whole is between 0 and 1");
    statistics_.explored = explored;
  }

  /// The explorer leaves so many decisions untried because of a bound.
  void skip(std::uint64_t decisions) { statistics_.skipped += decisions; }

  /// The explorer saw what cannot be if the program does the same whenever it is told the same.
  void contradict();

  /// The technique cannot explore this program: one clear message, with what to do instead.
  void refuse(std::string why) {
    refusal_ = std::move(why);
    stopped_ = Stop::refused;
  }
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

  /// The explorer begins again, and will come to the same traces once more. What was performed
  /// stays counted, and what was found stays found.
  void begin_again();
  /// The same, of another session: this one begins its search anew.
  void begin_again_after(const Session& other);
  /// The search has ended. What was found before it began anew, and not once more since, counts.
  void settle_earlier_findings();

  /// A finding that was made outside of the search.
  void adopt(Finding finding);

  /// How many events of the unfolding were kept at one time, at most.
  void note_stored(std::uint64_t events) { statistics_.stored = events; }

  /// Set from a signal handler or another thread.
  void interrupt() { interrupted_.store(true, std::memory_order_relaxed); }

  /// Called after every execution: tests look at each, progress is drawn from it.
  std::function<void(const Execution&)> on_execution;
  /// Called by stop(), once it is known whether the search ends: an exploration can be saved now.
  std::function<void()> on_pause;
  /// Schedules that are known to end the process that we run in.
  std::vector<CrashingSchedule> crashing;

 private:
  void perform(const Schedule& schedule, Guide* guide = nullptr);
  void check_determinism(const Schedule& schedule);
  void count(const Schedule& schedule);
  void collect_findings();
  [[nodiscard]] bool is_time_over(double now) const;

  Program& program_;
  Limits limits_;
  ProcessNames names_;
  Execution execution_;
  Run run_;
  Statistics statistics_;
  std::vector<Finding> findings_;
  std::unordered_set<std::string> known_findings_;
  std::vector<Finding> earlier_findings_;  // made before the search began anew
  std::optional<Divergence> divergence_;
  Stop stopped_ = Stop::none;
  std::string refusal_;
  std::atomic<bool> interrupted_{false};
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  double seconds_before_ = 0;  // of the sessions that this one goes on with
  bool first_ = true;
};

}  // namespace mazurka
