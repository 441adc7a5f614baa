// The threads front-end: performs schedules on a native program.
//
// Each process of the program is a fiber. Whatever the program does that others can notice comes
// here through a hook (hooks/) and goes to the part that knows what it means: a mutex, an access to
// memory, the end of a thread. The part announces the operation to the scheduler, and either it
// goes on or another fiber is entered. When the execution is over the next one begins with the
// memory put back, the state of the execution assigned anew, and the program begun again.
//
// Nothing here is thread-safe: there is one OS thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/program.hpp"
#include "host/protocol.hpp"
#include "programs/threads/runtime/checkpoints.hpp"
#include "programs/threads/runtime/course.hpp"
#include "programs/threads/runtime/fibers.hpp"
#include "programs/threads/runtime/loops/result_use.hpp"
#include "programs/threads/runtime/loops/sections.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"
#include "programs/threads/runtime/loops/twins.hpp"
#include "programs/threads/runtime/memory_model/accesses.hpp"
#include "programs/threads/runtime/memory_model/atomics.hpp"
#include "programs/threads/runtime/memory_model/heap_checks.hpp"
#include "programs/threads/runtime/memory_model/order_sites.hpp"
#include "programs/threads/runtime/memory_model/races.hpp"
#include "programs/threads/runtime/memory_model/weak_memory.hpp"
#include "programs/threads/runtime/memory_model/written_bytes.hpp"
#include "programs/threads/runtime/messages.hpp"
#include "programs/threads/runtime/primitives/barriers.hpp"
#include "programs/threads/runtime/primitives/conditions.hpp"
#include "programs/threads/runtime/primitives/futexes.hpp"
#include "programs/threads/runtime/primitives/gates.hpp"
#include "programs/threads/runtime/primitives/latches.hpp"
#include "programs/threads/runtime/primitives/mutexes.hpp"
#include "programs/threads/runtime/primitives/onces.hpp"
#include "programs/threads/runtime/primitives/phased_barriers.hpp"
#include "programs/threads/runtime/quiet_beginning.hpp"
#include "programs/threads/runtime/ranks.hpp"
#include "programs/threads/runtime/scheduler.hpp"
#include "programs/threads/runtime/surroundings/use.hpp"
#include "programs/threads/runtime/thread_keys.hpp"
#include "programs/threads/runtime/threads.hpp"
#include "programs/threads/runtime/timing.hpp"

namespace mazurka::threads {
using namespace host;

class Runtime final : public Program, public Scheduler {
 public:
  Runtime(const Course::Subject& subject, const Request& request, Progress& progress);

  // --- Program ----------------------------------------------------------------------------------
  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }
  void run(Run& run) override;
  [[nodiscard]] bool has_states() const override { return true; }
  [[nodiscard]] bool has_whole_states() const override { return true; }
  [[nodiscard]] bool states_tell_all() const override { return !learned_.order_matters; }
  [[nodiscard]] bool resumable() const override { return true; }
  void save_names(ArchiveWriter& archive) const override;
  void load_names(ArchiveReader& archive) override;
  [[nodiscard]] bool abandoned() const override { return must_restart() || broken_off_; }

  // --- what the exploration came to -------------------------------------------------------------
  /// A request that the runtime cannot carry out: ends the exploration with this message.
  [[nodiscard]] const std::string& error() { return refusal().error; }
  [[nodiscard]] const std::vector<std::uint64_t>& refused_at() { return refusal().stack; }
  /// Where the process was that did something else than before.
  [[nodiscard]] const std::vector<std::uint64_t>& diverged_at() const { return diverged_at_; }
  /// What the program has asked for so far that bears on the verdict.
  [[nodiscard]] Grounds& grounds() { return learned_.grounds; }
  /// The program asked for a value that may be anything: not all of them are tried.
  void note_sampled() { learned_.grounds.sampled = true; }
  [[nodiscard]] ProcessId stalled_process() const { return learned_.stalled_process; }
  [[nodiscard]] const std::vector<std::uint64_t>& stalled_at() const { return learned_.stalled_at; }
  [[nodiscard]] bool loops_for_ever() const { return learned_.loops_for_ever; }
  /// Rounds of a waiting loop that others have noticed were given up after a few.
  [[nodiscard]] bool gave_up_rounds() const { return learned_.gave_up_rounds; }
  [[nodiscard]] bool ended_with_locks() const { return learned_.ended_with_locks; }
  /// An execution was cut because it created more threads than are supported.
  [[nodiscard]] bool had_too_many_threads() const { return learned_.had_too_many_threads; }
  /// An execution was cut because a process needed more heap than there is.
  [[nodiscard]] bool was_short_of_memory() const { return learned_.short_of_memory; }
  [[nodiscard]] Refinement refinement() const {
    return {learned_.exposed.all(), learned_.escaped.all(), learned_.guards.all(),
            learned_.ordered.all(), learned_.latches_by_library};
  }
  [[nodiscard]] const std::vector<AcceptedRace>& accepted_races() const {
    return learned_.accepted;
  }
  /// After an execution of the search: the accepted races that were met in it are counted.
  void count_accepted_races() {
    for (const std::size_t at : state_.met) ++learned_.accepted[at].executions;
  }
  /// Where to ask which races are accepted.
  void ask_about_races_at(int socket, std::vector<RawModule> modules) {
    races.ask_at(socket, std::move(modules));
  }
  /// After an execution: what every unfinished process waits for.
  [[nodiscard]] std::vector<RawWaiting> waiting() const;

  [[nodiscard]] const Objects& objects() const { return names_.objects(); }
  [[nodiscard]] Snapshot& snapshot() { return snapshot_; }
  [[nodiscard]] std::uint32_t execution_number() const { return execution_; }
  /// The front process wants us to come to an end.
  [[nodiscard]] bool is_asked_to_stop() const {
    return progress_.interrupt.load(std::memory_order_relaxed) != 0;
  }
  /// We are to come to an end, and the execution under way does not.
  [[noreturn]] void break_off();

  /// The current process uses something that is not memory: a file, the environment. Calls of the
  /// system are no scheduling points, so who uses the same must be ordered by something that is.
  /// `key`: tells it from others, where `what` does not.
  void use_outside(const std::string& what, Use use, std::uint64_t key = 0);
  /// It calls a function that may change anything outside of memory.
  void use_unknown(const char* function);
  /// The program has sent itself a signal for which it has no handler.
  [[noreturn]] void kill_program(int signal);

  void fiber_main(Process& process);
  /// The program calls mazurka::check. If it is the call that is checked, all there is to come is
  /// what it calls.
  void come_to_check(const char* name, void (*body)(void*), void* argument);

 private:
  void perform_once(Run& run);
  Process& prepare_first(const Run& run);
  void begin(Run& run);
  [[nodiscard]] ProcessId holder_of(std::uintptr_t address) const;

  Course course_;
  Snapshot snapshot_;
  ThreadLocals thread_locals_;
  Stacks stacks_;
  ExecutionState initial_;
  std::uint32_t execution_ = 0;
  bool broken_off_ = false;  // the latest execution

 public:
  // --- parts, for hooks -------------------------------------------------------------------------
  Fibers fibers;
  Twins twins{*this, thread_locals_};
  SpinRecognition spins{*this, twins, thread_locals_, stacks_};
  Timing timing{*this, spins};
  Races races{*this};
  ThreadMemory of_threads{*this, accesses, races, thread_locals_};
  WrittenBytes written{*this};
  HeapChecks heap{*this, accesses, races, of_threads, snapshot_};
  Sections sections{*this, spins, mutexes};
  Accesses accesses{*this, {spins, sections, races, heap, weak_memory, written}};
  WeakMemory weak_memory{*this};
  OrderSites order_sites{*this};
  Atomics atomics{*this, {spins, sections, races, heap, accesses, weak_memory}};
  Mutexes mutexes{*this, {spins, races, heap}};
  Conditions conditions{*this, {spins, races, heap}, mutexes, weak_memory};
  Futexes futexes{*this, {spins, races, heap}, {mutexes, conditions, atomics, weak_memory}};
  Gates gates{*this, {spins, races, heap}};
  Barriers barriers{*this, {spins, races, heap}};
  ResultUses result_uses;
  Latches latches{*this, {spins, races, heap}, weak_memory};
  PhasedBarriers phased_barriers{*this, {spins, races, heap}};
  Onces onces{*this, mutexes, atomics};
  ThreadKeys thread_keys{*this, races};
  QuietBeginning beginning;
  Threads threads{*this, {fibers, thread_keys, heap, of_threads, beginning}};
  Messages messages{*this, threads, first_message_kind_};
  const std::unique_ptr<Ranks> ranks;  // null: without MPI
  Checkpoints checkpoints{*this, {snapshot_, thread_locals_, stacks_}, spins};
};

/// The one runtime of this program; null without a request.
extern Runtime* runtime;

}  // namespace mazurka::threads
