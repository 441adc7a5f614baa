// Who moves: the processes of the program as fibers, and their steps.
//
// A process that comes to an operation which others can notice parks before it; the run
// (core/run.hpp) says who moves, and either the process goes on or another fiber is entered. When
// it is its turn the process commits the step, and really performs the operation. When the
// execution is over the engine's own context is entered again.
//
// Nothing here is thread-safe: there is one OS thread. Nothing allocates or makes a virtual call
// for a step.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/run.hpp"
#include "programs/messages/independence.hpp"
#include "programs/threads/protocol.hpp"
#include "programs/threads/runtime/machine/engine.hpp"
#include "programs/threads/runtime/machine/fiber.hpp"
#include "programs/threads/runtime/recorder.hpp"
#include "programs/threads/runtime/state/execution_state.hpp"
#include "programs/threads/runtime/state/learned.hpp"
#include "programs/threads/runtime/state/names.hpp"

namespace mazurka::threads {

class Messages;
class Sections;
class SpinRecognition;

/// Why the check can not go on: a request that the runtime cannot carry out.
struct Refusal {
  std::string error;
  int system_call = -1;  // that the error is about
  std::vector<std::uint64_t> stack;
};

class Scheduler {
 public:
  /// Those who have a say in who can move.
  struct Advisers {
    Sections& sections;
    SpinRecognition& spins;
    Messages& messages;
  };

  Scheduler(const Request& request, Progress& progress, Advisers advisers)
      : request_(request),
        progress_(progress),
        advisers_(advisers),
        judges_races_(!request.checks.suppressions.empty() && !request.racy) {}
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  ~Scheduler() = default;

  [[nodiscard]] const Request& request() const { return request_; }
  [[nodiscard]] ExecutionState& state() { return state_; }
  [[nodiscard]] Learned& learned() { return learned_; }
  [[nodiscard]] Names& names() { return names_; }
  [[nodiscard]] Run& run() { return *run_; }

  /// Records everything for a report from the next execution on; null: stop recording.
  void record_into(Recorder* recorder) { recorder_ = recorder; }
  [[nodiscard]] Recorder* recorder() const { return recorder_; }
  /// There are suppressions: whether a race is accepted is asked (memory_model/races.hpp).
  [[nodiscard]] bool judges_races() const { return judges_races_; }

  // --- who there is -----------------------------------------------------------------------------

  [[nodiscard]] Process& current() { return *current_; }
  /// Null: there is none in this execution.
  [[nodiscard]] Process* find(ProcessId id) { return state_.processes.find(id); }
  [[nodiscard]] bool running() const { return current_ != nullptr; }
  [[nodiscard]] Process& process(ProcessId id) { return *state_.processes.find(id); }
  /// Nobody else is there to interfere.
  [[nodiscard]] bool alone() const { return state_.live == 1 && state_.unjoined == 0; }
  /// Whether an access to memory need not be an event: nobody can interfere, and if it reads,
  /// nobody can have written what it observes.
  [[nodiscard]] bool silent(bool reads) const { return alone() && !(reads && state_.had_company); }

  // --- steps ------------------------------------------------------------------------------------

  /// For the report: what the current process is about to do.
  void note(Action action, std::uintptr_t address, ProcessId peer = no_process);
  /// The current process parks before the operation, until it is its turn.
  void park(const Operation& operation, bool enabled, bool released = true,
            std::uint32_t cause = no_event);
  /// For the report: what it does; null if there is none.
  RawEvent* record(Action action, std::uintptr_t address, std::size_t size = 0);
  /// The step happens now (Run::commit).
  void commit(std::span<const std::uint64_t> before = {}, std::uint16_t choices = 1,
              std::span<const ProcessId> released = {}, Footprint performed = {});
  /// What the current process has announced, with an attempt that turns out to be in vain as that.
  [[nodiscard]] Footprint in_vain(std::uint8_t attempt, std::uint8_t in_vain);
  /// The current process was told something by others.
  void tell(std::uint64_t value) {
    if (state_.tracking) state_.tracker.tell(current_->id, value);
  }
  [[nodiscard]] std::uint64_t value_of(ObjectId object) const;

  /// Enters the new process, which runs up to its first visible operation at once: nobody can
  /// notice what it does there.
  void start(Process& child);
  /// The current process never moves again in this execution.
  [[noreturn]] void go_on_without_current();
  /// The execution is over.
  [[noreturn]] void leave();
  /// What was explored so far is void: something was learned that changes what the steps are.
  void restart() { must_restart_ = true; }
  [[nodiscard]] bool must_restart() const { return must_restart_; }
  void restarted() { must_restart_ = false; }

  // --- what goes wrong (runtime_failures.cpp)
  // -----------------------------------------------------------

  [[noreturn]] void fail(FindingKind kind, std::string message, std::string key);
  void report(FindingKind kind, std::string message, std::string key);
  [[noreturn]] void unsupported(const char* call);
  /// The check can not go on because of a system call; where it was made is the failure's stack.
  [[noreturn]] void refuse(int system_call, const std::string& reason);
  [[nodiscard]] Refusal& refusal() { return refusal_; }
  /// The current process computes without end: the others go on without it.
  [[noreturn]] void stall();
  void stall_if_requested() {
    if (stall_requested) [[unlikely]]
      stall_here();
  }
  /// The current process is in an endless loop that does nothing: it will never end.
  void note_endless_loop();
  /// Where a process crashed or was found computing, told by a signal handler.
  void set_failure_stack(std::vector<std::uint64_t> stack) { failure_stack_ = std::move(stack); }

  /// Changes whenever the program gets somewhere; a watchdog looks at it.
  [[nodiscard]] std::uint64_t progress_mark() const { return steps_; }
  void note_progress() {
    ++steps_;
    stall_requested = false;
  }
  /// This is a copy of the program that tries something out (loops/twins.cpp).
  void become_twin() { is_twin_ = true; }
  [[nodiscard]] bool is_twin() const { return is_twin_; }

 protected:
  /// From the engine: enters the process. Returns when the execution is over.
  void enter(Run& run, Process& first);
  /// Nobody runs any more.
  void rest() { current_ = nullptr; }

  Request request_;
  Progress& progress_;
  ExecutionState state_;
  Learned learned_;
  Names names_;
  Context engine_;
  Run* run_ = nullptr;
  Process* current_ = nullptr;
  bool is_twin_ = false;
  Vocabulary vocabulary_ = make_vocabulary();
  std::uint8_t first_message_kind_ = messages::add_kinds(vocabulary_);
  std::vector<std::uint64_t> diverged_at_;

 private:
  void dispatch();
  [[nodiscard]] std::optional<Decision> next_decision();
  void note_divergence();
  void settle_effects();
  void note_position();
  [[noreturn]] void stall_here();

  Advisers advisers_;
  bool judges_races_;
  Recorder* recorder_ = nullptr;
  std::uint64_t steps_ = 0;
  bool must_restart_ = false;
  Refusal refusal_;
  std::vector<std::uint64_t> failure_stack_;
  // Scratch.
  std::vector<Access> performed_;
  std::vector<std::uint64_t> values_;
};

}  // namespace mazurka::threads
