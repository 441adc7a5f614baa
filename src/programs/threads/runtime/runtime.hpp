// The threads front-end: performs schedules on a native program.
//
// Each process of the program is a fiber. Whatever the program does that others can notice comes
// here through a hook (hooks/): the hook announces the operation, the run (core/run.hpp) says
// who moves, and either the hook goes on or another fiber is entered. When the execution is over
// the engine's own context is entered again, and the next execution begins with the memory put
// back and `main` called anew.
//
// Nothing here is thread-safe: there is one OS thread.
#pragma once

#include <pthread.h>
#include <unwind.h>

#include <array>
#include <csetjmp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/program.hpp"
#include "programs/messages/independence.hpp"
#include "programs/threads/protocol.hpp"
#include "programs/threads/runtime/machine/engine.hpp"
#include "programs/threads/runtime/machine/stacks.hpp"
#include "programs/threads/runtime/primitives/operations.hpp"
#include "programs/threads/runtime/recorder.hpp"
#include "programs/threads/runtime/state/cells.hpp"
#include "programs/threads/runtime/state/execution_state.hpp"
#include "programs/threads/runtime/use.hpp"

namespace mazurka::threads {

struct CallSite;

/// One that was registered before main; `module` tells by whom.
struct EarlyHandler {
  ExitHandler handler;
  const void* module = nullptr;
};
[[nodiscard]] std::span<const EarlyHandler> early_handlers();

/// The pthread_t that names a process; 0 is nobody.
[[nodiscard]] inline pthread_t handle_of(ProcessId process) { return index(process) + 1; }

class Runtime final : public Program {
 public:
  Runtime(int (*main)(int, char**, char**), int argc, char** argv, char** environment,
          const Request& request, Progress& progress, std::span<std::byte> callers = {});

  // --- Program ----------------------------------------------------------------------------------
  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }
  void run(Run& run) override;
  [[nodiscard]] bool has_states() const override { return true; }
  [[nodiscard]] bool has_whole_states() const override { return true; }
  [[nodiscard]] bool resumable() const override { return true; }
  void save_names(ArchiveWriter& archive) const override;
  void load_names(ArchiveReader& archive) override;

  /// Records everything for a report from the next execution on; null: stop recording.
  void record_into(Recorder* recorder) { recorder_ = recorder; }
  [[nodiscard]] Recorder* recorder() const { return recorder_; }
  [[nodiscard]] const Objects& objects() const { return objects_; }
  [[nodiscard]] const Request& request() const { return request_; }
  [[nodiscard]] Snapshot& snapshot() { return snapshot_; }

  /// A request that the runtime cannot carry out: ends the exploration with this message.
  [[nodiscard]] const std::string& error() const { return error_; }
  /// Where the process was that did something else than before.
  [[nodiscard]] const std::vector<std::uint64_t>& diverged_at() const { return diverged_at_; }
  [[nodiscard]] int refused_call() const { return refused_call_; }
  [[nodiscard]] const std::vector<std::uint64_t>& refused_at() const { return refused_at_; }
  /// Memory that was thought private turned out to be shared: what was explored is void.
  [[nodiscard]] bool must_restart() const { return must_restart_; }
  [[nodiscard]] bool abandoned() const override { return must_restart_ || broken_off_; }
  /// The front process wants us to come to an end.
  [[nodiscard]] bool is_asked_to_stop() const {
    return progress_.interrupt.load(std::memory_order_relaxed) != 0;
  }
  [[nodiscard]] std::uint32_t execution_number() const { return execution_; }
  void restarted() { must_restart_ = false; }
  /// What the program has asked for so far that bears on the verdict.
  [[nodiscard]] Grounds& grounds() { return learned_.grounds; }
  [[nodiscard]] ProcessId stalled_process() const { return learned_.stalled_process; }
  [[nodiscard]] const std::vector<std::uint64_t>& stalled_at() const { return learned_.stalled_at; }
  /// The current process is in an endless loop that does nothing: it will never end.
  void note_endless_loop() {
    learned_.stalled_process = current_->id;
    learned_.stalled_at = std::exchange(failure_stack_, {});
    learned_.loops_for_ever = true;
  }
  [[nodiscard]] bool loops_for_ever() const { return learned_.loops_for_ever; }
  /// The program asked for a value that may be anything: not all of them are tried.
  void note_sampled() { learned_.grounds.sampled = true; }
  /// Where a process crashed or was found computing, told by a signal handler.
  void set_failure_stack(std::vector<std::uint64_t> stack) { failure_stack_ = std::move(stack); }

  // --- for hooks --------------------------------------------------------------------------------
  [[nodiscard]] Process& current() { return *current_; }
  /// Null: there is none in this execution.
  [[nodiscard]] Process* find(ProcessId id) { return state_.processes.find(id); }
  [[nodiscard]] bool running() const { return current_ != nullptr; }
  [[nodiscard]] bool racy() const { return request_.racy; }

  /// A plain access of the program; `code` is where it was made.
  void plain_access(std::uintptr_t address, std::size_t size, bool write, const void* code);
  /// The same, to a volatile variable.
  void volatile_access(std::uintptr_t address, std::size_t size, bool write, const void* code);

  /// Where to ask about races (memory_model/races.cpp).
  void ask_about_races_at(int socket, std::vector<RawModule> modules) {
    races_socket_ = socket;
    modules_ = std::move(modules);
  }
  [[nodiscard]] const std::vector<AcceptedRace>& accepted_races() const {
    return learned_.accepted;
  }
  /// After an execution of the search: the accepted races that were met in it are counted.
  void count_accepted_races() {
    for (const std::size_t at : state_.met) ++learned_.accepted[at].executions;
  }
  [[nodiscard]] std::vector<std::uint64_t> exposed() const { return learned_.exposed.all(); }

  /// Around every atomic operation: before, it parks until it is this process's turn; after, it
  /// takes over and publishes what the memory order says.
  /// Told first: what the operation works with besides the memory. It may be in no register that
  /// outlives the call, and belongs to the state of the process all the same.
  void note_operand(std::uint64_t value) {
    state_.operands = fingerprint_of(state_.operands, value).low;
  }
  /// `expected`: of a compare-exchange, what it compares the memory with.
  void before_atomic(std::uintptr_t address, std::size_t size, std::uint8_t mode, int order,
                     const void* code, const void* expected = nullptr);
  struct AtomicResult {
    Action action{};
    std::uint64_t value = 0;
    std::uint64_t new_value = 0;
    bool reads = false;
    bool writes = false;
    bool changes = false;    // the value is another one now
    std::uint64_t high = 0;  // the upper halves, of 16 bytes
    std::uint64_t new_high = 0;
  };
  void after_atomic(std::uintptr_t address, std::size_t size, const AtomicResult& result,
                    int order);
  /// After an operation that only read, and handed on what it saw.
  void note_look(const SpinWatch::Look& look);
  void fence(int order);
  /// An atomic operation is about to write what it has seen here: an ordinary variable.
  void tell_seen(std::uintptr_t address, std::size_t size);

  /// The process comes to an operation that a waiting loop may consist of: takes it out of this
  /// execution if it goes round in circles. Only from hooks that note their call site. `what`: the
  /// operation, as a number. `operands`: what it works with, if that may be in no register that
  /// outlives the call.
  void arrive(std::uintptr_t what, std::uint64_t operands = 0);
  [[nodiscard]] bool goes_round(std::uintptr_t what, std::uint64_t operands,
                                std::uint32_t releases);
  /// The process finds that something does not hold which it may assume: it stops here for good.
  void give_up();
  /// The process is in an endless loop that does nothing: it has ended, as far as others can tell.
  /// `assumes`: that is how it says that an assumption does not hold.
  [[noreturn]] void idle(bool assumes);
  /// Rounds of a waiting loop that others have noticed were given up after a few.
  [[nodiscard]] bool gave_up_rounds() const { return learned_.gave_up_rounds; }

  /// The new thread finds its own name in `handle` from its beginning.
  void create(pthread_t* handle, void* (*routine)(void*), void* argument, bool detached);
  int join(ProcessId target, void** result);
  int detach(ProcessId target);
  [[noreturn]] void end_thread(void* result);
  [[noreturn]] void end_program(bool run_handlers, int code = 0);
  void add_exit_handler(ExitHandler handler) { state_.exit_handlers.push_back(handler); }

  int lock(pthread_mutex_t* mutex);
  /// `for_a_time`: as pthread_mutex_timedlock does.
  int try_lock(pthread_mutex_t* mutex, bool for_a_time = false);
  int unlock(pthread_mutex_t* mutex);
  void forget_mutex(pthread_mutex_t* mutex);
  /// A primitive is initialised or destroyed: nobody else may use it at the same time.
  void own_primitive(const void* address, const void* code);
  int destroy_mutex(pthread_mutex_t* mutex);
  void set_up_condition(const void* condition);
  void destroy_condition(const void* condition);
  /// Returns 0, or `timeout` if that is not 0 and the wait ended without a signal.
  int wait(const void* condition, pthread_mutex_t* mutex, int timeout);
  int signal(const void* condition, std::size_t count);
  /// Waits if the word has the value: 0, EAGAIN, or ETIMEDOUT if it is `timed`.
  int wait_on_futex(std::uint32_t* word, std::uint32_t value, bool timed);
  static constexpr std::size_t everybody = ~std::size_t{0};

  // Read-write locks, spin locks and semaphores; `initially`: the number of one not seen before.
  int pass_gate(const void* address, std::uint16_t wish, Action action,
                std::uint64_t initially = 0);
  bool try_gate(const void* address, std::uint16_t wish, Action action,
                std::uint64_t initially = 0);
  int unlock_gate(const void* address);
  std::uint64_t change_gate(const void* address, Action action, std::uint64_t initially,
                            std::uint64_t (*next)(std::uint64_t));
  void set_up_gate(const void* address, std::uint64_t value, GateUse use);
  void destroy_gate(const void* address, GateUse use);
  void set_up_barrier(const void* address, unsigned count);
  void destroy_barrier(const void* address);
  /// True for one of those that it lets through together, any of them. `looks`: the caller may look
  /// at that.
  bool wait_at_barrier(const void* address, unsigned count, bool looks,
                       Meeting meeting = Meeting::ordering);

  // Annotations (hooks/annotations.cpp): what the current process has done so far comes before
  // what others do after they have learnt from the same object.
  void pass_on(const void* object);
  void learn_from(const void* object);
  void tolerate_races(std::uintptr_t address, std::size_t size) {
    state_.tolerated.push_back({address, size});
  }
  /// Guards of static variables and pthread_once: true if the caller must run the initialiser.
  bool begin_static(std::uintptr_t address, std::size_t size, Action action);
  void end_static(std::uintptr_t address, std::size_t size, bool initialised);
  int choose(int count);
  /// The process sleeps for so many nanoseconds.
  void sleep(std::int64_t time);
  /// The current process is about to wait until then, by the clock that fits; and that moment came.
  void set_deadline(const timespec& time);
  void pass_deadline() {
    current_->time.now = std::max(current_->time.now, current_->time.deadline);
  }
  /// While a report is made, and when races are asked about: who allocated the block.
  [[nodiscard]] bool notes_allocations() const { return recorder_ != nullptr || judges_races_; }
  void note_allocation(void* block);
  /// The block has the memory of one that was freed: what was in that is gone.
  void forget_objects(const void* block, std::size_t size);
  /// A process needs more heap than there is: the execution is cut.
  [[noreturn]] void run_out_of_memory();
  /// The block is about to be freed, by the program at `caller` or, if null, by a library.
  void before_free(void* block, const void* caller);
  void check_heap(std::uintptr_t address, std::size_t size, bool write, const void* code) {
    if (!in_zone(address) || !request_.checks.memory) return;
    const std::size_t slot = slot_of(address);
    if (in_stack_of(slot, address)) {
      if (slot != index(current_->id)) check_stack(slot, address, size, write, code);
      return;
    }
    const HeapFault fault = heaps.look(address, size);
    if (fault != HeapFault::none) [[unlikely]]
      heap_fault(address, size, write, fault, code);
  }
  [[nodiscard]] bool ended_with_locks() const { return learned_.ended_with_locks; }
  /// An execution was cut because it created more threads than are supported.
  [[nodiscard]] bool had_too_many_threads() const { return learned_.had_too_many_threads; }
  /// An execution was cut because a process needed more heap than there is.
  [[nodiscard]] bool was_short_of_memory() const { return learned_.short_of_memory; }

  /// Runs `body(argument)` as one indivisible step. Of what it reads nothing is remembered but
  /// what it returns (loops/sections.cpp).
  void atomic_section(std::uint64_t (*body)(void*), void* argument);
  /// The verification competition's atomic blocks.
  void begin_block();
  void end_block();
  /// The block, if there is one, never was: its writes are taken back, except those to the
  /// process's own stack below `live_from`, where the caller's frame ends.
  void take_back_block(const void* live_from);

  // Message passing (runtime_messages.cpp); a request is named by its process and a number.
  std::uint64_t message_request(int call, std::uintptr_t address, std::uint64_t payload,
                                std::uint32_t parameter);
  void message_change(int call, std::uintptr_t address);
  int message_test(std::span<const std::uint64_t> names);
  void message_wait(std::uint64_t name);
  int message_wait_any(std::span<const std::uint64_t> names);
  std::uint64_t message_payload(std::uint64_t name);
  std::uint64_t latest_request(std::uintptr_t mutex);

  /// Keys that were made before main belong to the C library; ours are numbered from here on, so
  /// many for each process: a key is named by who creates it.
  static constexpr unsigned first_key = 1U << 16;
  static constexpr unsigned keys_per_process = 1024;
  int create_key(void (*destructor)(void*), unsigned* key);
  int delete_key(unsigned key);
  [[nodiscard]] void* specific(unsigned key);
  int set_specific(unsigned key, const void* value);

  [[noreturn]] void fail(FindingKind kind, std::string message, std::string key);
  void report(FindingKind kind, std::string message, std::string key);
  /// The current process uses something that is not memory: a file, the environment. Calls of the
  /// system are no scheduling points, so who uses the same must be ordered by something that is.
  /// `key`: tells it from others, where `what` does not.
  void use_outside(const std::string& what, Use use, std::uint64_t key = 0);
  /// It calls a function that may change anything outside of memory.
  void use_unknown(const char* function);
  /// The program has sent itself a signal for which it has no handler.
  [[noreturn]] void kill_program(int signal);
  [[noreturn]] void unsupported(const char* call);
  /// The check can not go on because of a system call; where it was made is the failure's stack.
  [[noreturn]] void refuse(int system_call, const std::string& reason);
  /// The current process computes without end: the others go on without it.
  [[noreturn]] void stall();
  /// We are to come to an end, and the execution under way does not.
  [[noreturn]] void break_off();
  void stall_if_requested() {
    if (stall_requested) [[unlikely]]
      stall_here();
  }

  /// Changes whenever the program gets somewhere; a watchdog looks at it.
  [[nodiscard]] std::uint64_t progress_mark() const { return steps_; }
  /// After an execution: what every unfinished process waits for.
  [[nodiscard]] std::vector<RawWaiting> waiting() const;

  void fiber_main(Process& process);

 private:
  Process& process(ProcessId id);
  void check_learned() const;
  void reset();
  void make_room_for(ProcessId id);
  Process& prepare(ProcessId id, ProcessId creator);
  void park(const Operation& operation, bool enabled, bool released = true,
            std::uint32_t cause = no_event);
  [[nodiscard]] std::optional<Decision> next_decision();
  /// Nobody else is there to interfere.
  [[nodiscard]] bool alone() const { return state_.live == 1 && state_.unjoined == 0; }
  /// Whether an access to memory need not be an event: nobody can interfere, and if it reads,
  /// nobody can have written what it observes.
  [[nodiscard]] bool silent(bool reads) const { return alone() && !(reads && state_.had_company); }
  void dispatch();
  void note_divergence();
  [[noreturn]] void leave();
  [[noreturn]] void stall_here();
  void settle_effects();
  void settle_spinning();
  void spin_for_ever();
  [[nodiscard]] std::uint32_t take_down_state(const CallSite& site, std::uint64_t* words) const;
  [[nodiscard]] bool leaves_out_round(SpinWatch::Place& there, const SpinWatch::Place& here,
                                      std::uint32_t releases);
  // loops/twins.cpp
  [[nodiscard]] Fingerprint fingerprint_at(const SpinWatch::Place& place) const;
  /// The process would be here, and the same, had it looked only now at what it has looked at.
  [[nodiscard]] bool tries_again(const SpinWatch::Place& here);
  /// How the process comes to its next operation if it reads this value there; if that can be told.
  [[nodiscard]] std::optional<Fingerprint> try_out(const SpinWatch::Place& there,
                                                   std::uint64_t value);
  [[nodiscard]] std::optional<Fingerprint> look_at_copy(const SpinWatch::Place& there,
                                                        std::uint64_t value);
  [[noreturn]] void go_on_as_twin(const SpinWatch::Place& there, std::uint64_t value);
  [[noreturn]] void arrive_as_twin(const SpinWatch::Place& here);
  [[noreturn]] static void end_twin();
  void keep_reads_of_round(const SpinWatch::Place& there);
  [[nodiscard]] bool was_changed_by_itself(const SpinWatch::Read& read) const;
  /// A lock was found held by this process.
  void notice_holder(ProcessId holder);
  /// The current process was told something by others.
  void tell(std::uint64_t value) {
    if (state_.tracking) state_.tracker.tell(current_->id, value);
  }
  void look_at_plain_loop(std::uintptr_t address);
  [[nodiscard]] bool spins_for_ever(const Process& process);
  [[nodiscard]] bool in_own_stack(std::uintptr_t address) const;
  void note_change(const AtomicResult& result, std::uintptr_t address, std::size_t size);
  void watch_read(std::uintptr_t address, std::size_t size);
  void watch_object(ObjectId object);
  void watch_passing(ObjectId object, std::uint16_t wish);
  void watch_write(std::uintptr_t address, std::size_t size);
  void visit_stack(std::uintptr_t address, std::size_t size, bool write);
  void settle_visits();
  /// An access to the stack of another process.
  void check_stack(std::size_t slot, std::uintptr_t address, std::size_t size, bool write,
                   const void* code);
  void heap_fault(std::uintptr_t address, std::size_t size, bool write, HeapFault fault,
                  const void* code);
  void look_for_leaks();
  void point_at_block(const void* block);
  [[nodiscard]] ProcessId holder_of(std::uintptr_t address) const;
  [[nodiscard]] std::uint64_t value_of(ObjectId object);
  [[nodiscard]] ObjectId block_object();
  void heed_blocks();
  [[nodiscard]] bool heeds_blocks(Footprint footprint) const;
  void show_block();
  void keep_for_undo(std::uintptr_t address, std::size_t size);
  void section_access(std::uintptr_t address, std::size_t size, bool write);
  void undo_writes(std::uintptr_t live_from);
  [[nodiscard]] bool in_dead_frame(std::uintptr_t address, std::uintptr_t live_from) const;
  [[nodiscard]] bool in_block() const { return current_->blocks != 0; }
  [[nodiscard]] bool rehearse(std::uint64_t (*body)(void*), void* argument);
  void finish_current(void* result);
  void note(Action action, std::uintptr_t address, ProcessId peer = no_process);
  Mutex& mutex(ObjectId object);
  Condition& condition(ObjectId object);
  Gate& gate(ObjectId object, std::uint64_t initially);
  [[nodiscard]] ObjectId gate_object(const void* address);
  void set_gate(ObjectId object, std::uint64_t value);
  void enter_gate(ObjectId object, std::uint16_t wish);
  Barrier& barrier(ObjectId object, unsigned count);
  [[nodiscard]] bool is_crowded(ObjectId barrier) const;
  void complete_round(ObjectId barrier, std::size_t round);
  [[nodiscard]] bool leave_barrier(ObjectId barrier, std::size_t round, bool looks);
  void refuse_unusable(const Barrier& state, std::uintptr_t address);
  void start_waiting(ObjectId condition, const Condition::Waiter& waiter);
  [[nodiscard]] bool still_waits(ObjectId condition);
  void stop_waiting(ObjectId condition);
  [[nodiscard]] bool wait_for_a_time(ObjectId condition, bool may_time_out);
  [[nodiscard]] bool may_be_left_over(const void* address) const;
  [[noreturn]] void misuse(const std::string& message, const void* address);
  ObjectId object_for(std::uintptr_t address, std::uint8_t kind);
  /// A primitive that the program uses: it must lie in memory that can be used.
  ObjectId primitive(const void* address, std::uint8_t kind);
  void refuse_destroyed(const pthread_mutex_t* mutex);
  void take(ObjectId object);
  void give_back(ObjectId object);
  void wait_for_turn_to_lock(ObjectId object, std::span<const Access> accesses);
  void visit_memory(std::uintptr_t address, std::size_t size, std::uint8_t mode, Action action);
  void check_race(std::uintptr_t address, std::size_t size, AccessKind kind, const void* code) {
    if (!request_.checks.races || current_->ignored != 0) return;
    if (judges_races_) [[unlikely]] {
      judge_races(address, size, kind, code);
      return;
    }
    if (!state_.races.access(current_->id, current_->knowledge.now, address, size, kind))
        [[unlikely]]
      report_race(address, size, kind, code);
  }
  void report_race(std::uintptr_t address, std::size_t size, AccessKind kind, const void* code);
  void mark_racing(std::uintptr_t address, std::size_t size, AccessKind kind);
  [[nodiscard]] bool is_tolerated(std::uintptr_t address, std::size_t size) const;
  // memory_model/races.cpp
  void judge_races(std::uintptr_t address, std::size_t size, AccessKind kind, const void* code,
                   bool primitive = false);
  void report_pair(const NotedAccess& earlier, const NotedAccess& later, const void* code);
  [[nodiscard]] const RaceAnswer& answer_about(const NotedAccess& earlier,
                                               const NotedAccess& later);
  [[nodiscard]] RaceAnswer ask_about(const NotedAccess& earlier, const NotedAccess& later);
  void note_accepted(const RaceAnswer& answer);
  void expose(const NotedAccess& one, const NotedAccess& other);
  [[nodiscard]] bool is_exposed(std::uintptr_t address, std::size_t size) const;
  void visit_exposed(std::uintptr_t address, std::size_t size);
  void visible_access(std::uintptr_t address, std::size_t size, bool write, const void* code);
  void track(std::uintptr_t address, std::size_t size, bool read, bool write);
  AtomicCell& atomic_cell(std::uintptr_t address);
  RawEvent* record(Action action, std::uintptr_t address, std::size_t size = 0);
  void move_to_locker(const Condition::Waiter& waiter);
  [[noreturn]] void go_on_without_current();
  void run_thread_exit_handlers(Process& process);
  void commit(std::span<const std::uint64_t> before = {}, std::uint16_t choices = 1,
              std::span<const ProcessId> released = {}, Footprint performed = {});
  /// What the current process has announced, with an attempt that turns out to be in vain as that.
  [[nodiscard]] Footprint in_vain(std::uint8_t attempt, std::uint8_t in_vain);
  [[nodiscard]] bool is_private_stack(std::uintptr_t address);

  MessageRequest& own_request(std::uint64_t name);
  std::vector<ProcessId> fulfilled_by(messages::Change change, ObjectId object,
                                      const messages::Ticket* released);
  ObjectId message_object(messages::Kind kind, std::uintptr_t address);
  std::uint32_t commit_change(messages::Change change, Action action, std::uintptr_t address,
                              ObjectId object, const messages::Ticket* released);
  void publish(std::uint32_t event, ObjectId object, messages::Change change);
  void learn(const MessageRequest& request);
  void wait_for_request(const MessageRequest& request);
  void excuse_wrong_picks();
  void report_leftovers();

  Vocabulary vocabulary_ = make_vocabulary();
  std::uint8_t first_message_kind_ = messages::add_kinds(vocabulary_);
  int (*main_)(int, char**, char**);
  int argc_;
  char** argv_;
  char** environment_;
  Request request_;
  Progress& progress_;

  ExecutionState state_;
  ExecutionState initial_;
  Learned learned_;

  Context engine_;
  Run* run_ = nullptr;
  Process* current_ = nullptr;
  std::vector<std::uintptr_t> thread_pointers_;  // by process; 0: none yet
  Stacks stacks_;
  std::uint32_t execution_ = 0;
  bool broken_off_ = false;  // the latest execution
  std::uint64_t steps_ = 0;

  struct HashOfFingerprint {
    std::size_t operator()(const Fingerprint& one) const { return one.low; }
  };
  std::unordered_map<Fingerprint, std::optional<Fingerprint>, HashOfFingerprint> twins_;
  struct Twin {
    bool arrived;
    Fingerprint state;
  };
  Twin* twin_ = nullptr;          // seen by copies of the program, too
  bool is_twin_ = false;          // this is such a copy
  std::size_t twin_reads_ = 0;    // so many reads had been made before that
  std::uintptr_t twin_look_ = 0;  // what it is told anew

  Objects objects_;
  Cells cells_{objects_, kind::memory};
  std::array<AddressMap<std::uint32_t>, max_kinds> named_;  // per kind: object id + 1

  // Indivisible sections. A step's footprint is the widest seen so far; it is named by the process
  // and the number of the section in it.
  std::jmp_buf* rehearsal_exit_ = nullptr;
  [[nodiscard]] Surprise* surprise_of(ProcessId process, std::uint64_t (*body)(void*));
  void restart_with(const std::vector<Touched>& widest, std::uint64_t (*body)(void*));

  Snapshot snapshot_;
  ThreadLocals thread_locals_;
  bool judges_races_ = false;  // there are suppressions
  StackNumbers stack_numbers_;
  int races_socket_ = -1;
  std::vector<RawModule> modules_;
  /// What decides whether a race is accepted: the stacks of both, and what they meet at, as a
  /// stack that has made it and a place in it.
  struct PairOfAccesses {
    std::array<std::uint32_t, 2> stacks;
    std::array<AccessKind, 2> kinds;
    std::uint32_t made_by;
    std::uintptr_t place;
    std::size_t size;
    // NOLINTNEXTLINE(modernize-use-nullptr): a mistake about what this is made of
    friend auto operator<=>(const PairOfAccesses&, const PairOfAccesses&) = default;
  };
  [[nodiscard]] PairOfAccesses pair_of(const NotedAccess& earlier, const NotedAccess& later);
  std::map<PairOfAccesses, RaceAnswer> answers_;
  [[nodiscard]] const ThreadKey* find_key(unsigned name) const;
  bool must_restart_ = false;
  std::string error_;
  int refused_call_ = -1;  // the system call that the error is about
  std::vector<std::uint64_t> refused_at_;
  std::vector<std::uint64_t> diverged_at_;
  std::vector<std::uint64_t> failure_stack_;
  Recorder* recorder_ = nullptr;
  // Scratch.
  std::vector<Access> scratch_;
  std::vector<Access> performed_;
  std::vector<Access> in_block_;  // of a step in a block
  std::vector<std::uint64_t> values_;
};

/// What the competition's atomic blocks lock.
extern pthread_mutex_t verifier_lock;

/// The one runtime of this program; null until main was reached under a request.
extern Runtime* runtime;

}  // namespace mazurka::threads
