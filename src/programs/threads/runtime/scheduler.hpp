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

#include "programs/threads/runtime/execution_context.hpp"
#include "programs/threads/runtime/machine/engine.hpp"
#include "programs/threads/runtime/machine/fiber.hpp"
#include "programs/threads/runtime/machine/stack_reserve.hpp"

namespace mazurka::threads {

class Checkpoints;
class Messages;
class Ranks;
class Sections;
class SpinRecognition;

/// No number of events.
inline constexpr std::size_t no_pause = ~std::size_t{0};

/// Why the check can not go on: a request that the runtime cannot carry out.
struct Refusal {
  std::string error;
  int system_call = -1;  // that the error is about
  std::vector<std::uint64_t> stack;
  RawObject object;
};

class Scheduler : public ExecutionContext {
 public:
  /// Those who have a say in who can move, and when.
  struct Advisers {
    Sections& sections;
    SpinRecognition& spins;
    Messages& messages;
    Checkpoints& checkpoints;
  };

  Scheduler(const Request& request, Progress& progress, Advisers advisers)
      : ExecutionContext(request, progress), advisers_(advisers) {}

  // --- steps ------------------------------------------------------------------------------------

  /// For the report: what the current process is about to do.
  void note(Action action, std::uintptr_t address, ProcessId peer = no_process);
  /// The current process parks before the operation, until it is its turn. Its stack may be put
  /// back more than once (checkpoints.hpp): of what the caller has on it, nothing may own memory.
  /// `causes`: Run::caused_by.
  void park(const Operation& operation, bool enabled, bool released = true,
            std::span<const std::uint32_t> causes = {});
  /// For the report: what it does; null if there is none.
  RawEvent* record(Action action, std::uintptr_t address, std::size_t size = 0);
  /// The step happens now (Run::commit).
  void commit(std::span<const std::uint64_t> before = {}, std::uint16_t choices = 1,
              std::span<const ProcessId> released = {}, Footprint performed = {});
  /// The same for the step of a process without a stack, whose turn it is. False: the execution is
  /// over, and the caller is to return.
  [[nodiscard]] bool commit_agent(std::span<const std::uint64_t> before);
  /// What the current process has announced, with an attempt as what it turns out to be.
  [[nodiscard]] Footprint turned_out(std::uint8_t attempt, std::uint8_t done);

  /// Enters the new process, which runs up to its first visible operation at once: nobody can
  /// notice what it does there.
  void start(Process& child);
  /// The current process never moves again in this execution.
  [[noreturn]] void go_on_without_current();
  /// The execution is over.
  [[noreturn]] void leave();
  /// The same, but executions to come may go on here, with the stack as it is now.
  void stop_here();
  /// What was explored so far is void: something was learned that changes what the steps are.
  void restart() { must_restart_ = true; }
  [[nodiscard]] bool must_restart() const { return must_restart_; }
  /// It seems that nothing orders two uses. Returns if that is certain: otherwise the order of
  /// updates may tell, and from now on counts.
  void be_certain_of_order();
  void restarted() { must_restart_ = false; }

  // --- what goes wrong (runtime_failures.cpp) ---------------------------------------------------

  [[noreturn]] void fail(FindingKind kind, std::string message, std::string key);
  void report(FindingKind kind, std::string message, std::string key);
  [[noreturn]] void unsupported(const char* call, RawObject object = {});
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
    stall_requested = stack_reserve_is_open;
  }

 protected:
  /// From the engine: enters the process. Returns when the execution is over.
  void enter(Run& run, Process& first);
  /// The same where the program was put back to a pause of another execution.
  void go_on(Run& run);
  /// Nobody runs any more.
  void rest() {
    current_ = nullptr;
    close_stack_reserve();
  }

  Ranks* ranks_ = nullptr;  // performs the steps of processes without a stack
  Context engine_;
  std::vector<std::uint64_t> diverged_at_;

 private:
  void dispatch();
  void perform_agent(Decision next);
  void note_past();
  void perform(Run& run, Process* first);
  [[nodiscard]] bool is_to_pause() const { return run_->position() == pause_at_ && !run_->over(); }
  void settle();
  void note_divergence();
  void settle_effects();
  void note_position();
  void note_elsewhere();
  [[noreturn]] void stall_here();

  Advisers advisers_;
  std::uint64_t steps_ = 0;
  std::size_t pause_at_ = no_pause;  // after so many events
  bool paused_ = false;
  bool must_restart_ = false;
  Refusal refusal_;
  std::vector<std::uint64_t> failure_stack_;
  // Scratch.
  std::vector<Access> performed_;
  std::vector<std::uint64_t> values_;
};

}  // namespace mazurka::threads
