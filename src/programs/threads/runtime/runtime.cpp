#include "programs/threads/runtime/runtime.hpp"

#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include "programs/threads/runtime/debugger.hpp"
#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/machine/native.hpp"
#include "programs/threads/runtime/surroundings.hpp"

namespace mazurka::threads {

bool inside_engine = false;
bool checking = false;
Heaps heaps;
char* place_of_strtok = nullptr;
volatile bool stall_requested = false;
Runtime* runtime = nullptr;
volatile std::uint64_t canary_with_value = untouched;
volatile std::uint64_t canary_without_value;

pthread_mutex_t verifier_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

namespace {

// Told to a process whenever it takes a step, so that how far it has come is part of the state.
constexpr std::uint64_t step_taken = 0x5745;

// In a debugger, at the end of an execution in which nobody can move any more: each process that
// still waits is entered once, so that its stack can be looked at.
struct WaitingTour {
  bool under_way = false;
  std::size_t at = 0;
  const Process* first = nullptr;  // was on the stack when the tour began

  void begin() {
    under_way = true;
    at = 0;
    first = nullptr;
  }
  Process* next_after(const Process* shown, Table<ProcessId, Process>& processes) {
    if (first == nullptr) first = shown;
    while (at < processes.end()) {
      Process* one = processes.find(static_cast<ProcessId>(at++));
      if (one != nullptr && !one->finished && one != first) return one;
    }
    return nullptr;
  }
};
WaitingTour waiting_tour;

void enter_fiber(void* process) { runtime->fiber_main(*static_cast<Process*>(process)); }

}  // namespace

void die_overwritten() {
  for (;;) call_kernel(SYS_exit_group, exit_overwritten);
}

Runtime::Runtime(int (*main)(int, char**, char**), int argc, char** argv, char** environment,
                 const Request& request, Progress& progress, std::span<std::byte> callers)
    : main_(main),
      argc_(argc),
      argv_(argv),
      environment_(environment),
      request_(request),
      progress_(progress) {
  canary_without_value = ~untouched;
  engine_.thread_pointer = current_thread_pointer();
  heaps.keep_initial();
  thread_locals_.learn();
  snapshot_.take(heaps.initial(), request.task != Task::debug);
  snapshot_.include(callers);
  snapshot_.include(std::as_writable_bytes(std::span(&place_of_strtok, 1)));
  for (const Snapshot::Region& region : snapshot_.regions()) {
    if (!in_zone(region.begin)) state_.races.add_region(region.begin, region.end);
  }
  const Extent c_library = extent_of_c_library();  // some of its functions answer in there
  state_.races.add_region(c_library.begin, c_library.end);
  judges_races_ = !request.checks.suppressions.empty() && !request.racy;
  for (const std::uint64_t place : request.checks.exposed) learned_.exposed.insert(place);
  for (const EarlyHandler& early : early_handlers()) {
    if (in_program(early.module)) initial_.exit_handlers.push_back(early.handler);
  }
}

Process& Runtime::process(ProcessId id) { return *state_.processes.find(id); }

// Throws std::runtime_error when the system refuses a thread.
void Runtime::make_room_for(ProcessId id) {
  const std::size_t slot = index(id);
  if (thread_pointers_.size() <= slot) thread_pointers_.resize(slot + 1, 0);
  if (thread_pointers_[slot] != 0) return;
  thread_pointers_[slot] = slot == 0 ? engine_.thread_pointer : parked_thread_pointer(slot - 1);
  heaps.ensure_slot(slot);
}

void Runtime::reset() {
  if (surroundings.has_file_in_memory() && state_.processes.size() > 1) {
    learned_.grounds.unordered = "memory that is a mapped file, which is not looked at,";
  }
  surroundings.restore();
  snapshot_.restore();
  heaps.reset();
  state_ = initial_;
  ++steps_;
  ++execution_;
}

Process& Runtime::prepare(ProcessId id, ProcessId creator) {
  Process& process = state_.processes[id];
  process.id = id;
  process.context.thread_pointer = thread_pointers_[index(id)];
  process.creator = creator;
  process.time.now = beginning;
  process.name = first_name();
  if (creator != no_process) {
    const Process& parent = this->process(creator);
    process.time.now = parent.time.now;
    process.blocked = parent.blocked;
    process.name = parent.name;
    process.chance = parent.chance;
  }
  process.watch.start();
  stacks_.clear(index(id));
  thread_locals_.reset(process.context.thread_pointer, id == Run::root());
  prepare_context(process.context, reinterpret_cast<void*>(stack_top(index(id))), enter_fiber,
                  &process);
  ++state_.live;
  state_.had_company = state_.had_company || state_.live > 1;
  return process;
}

void Runtime::run(Run& run) {
  reset();
  broken_off_ = false;
  run_ = &run;
  state_.tracking = run.records_states();
  state_.tracker.go_through_everything(run.wants_whole_states());
  make_room_for(Run::root());
  Process& root = prepare(Run::root(), no_process);
  root.knowledge.now.tick(root.id);
  if (recorder_ != nullptr) recorder_->story.processes.push_back({root.id, no_process, 0, 0});
  current_ = &root;
  checking = true;
  switch_context(engine_, root.context);
  inside_engine = true;
  checking = false;
  die_if_overwritten();
  settle_effects();
  if (state_.live == 0 && !state_.someone_failed) report_leftovers();
  current_ = nullptr;
  if (recorder_ != nullptr) recorder_->settle_all();
}

void Runtime::fiber_main(Process& self) {
  inside_engine = false;
  if (self.id == Run::root()) {
    const int code = main_(argc_, argv_, environment_);
    end_program(request_.check.empty(), code);  // a checked function leaves the program as it is
  }
  end_thread(self.routine(self.argument));
}

// --- scheduling ----------------------------------------------------------------------------------

void Runtime::leave() {
  if (is_twin_) end_twin();
  enter_context(engine_);
}

std::optional<Decision> Runtime::next_decision() {
  settle_effects();
  if (!state_.visited.empty()) settle_visits();
  settle_spinning();
  // A write is told before it happens: what it wrote must be read before somebody else writes.
  if (recorder_ != nullptr) recorder_->settle_all();
  if (state_.picking > 0) excuse_wrong_picks();
  return run_->next();
}

// Where the process is that does something else than before.
void Runtime::note_divergence() {
  const auto& divergence = run_->divergence();
  if (!divergence) return;
  const bool is_its = divergence->seen.empty() || divergence->seen[0].process() == current_->id;
  if (is_its) diverged_at_ = capture_stack();
}

void Runtime::dispatch() {
  if (const std::optional<Decision> next = next_decision()) {
    state_.decision = *next;
    if (next->process == current_->id) return;
    Process& from = *current_;
    current_ = &process(next->process);
    switch_context(from.context, current_->context);
    if (!waiting_tour.under_way) [[likely]]
      return;
  } else if (request_.task == Task::debug && !run_->anyone_enabled()) {
    waiting_tour.begin();
  } else {
    note_divergence();
  }
  if (waiting_tour.under_way) {
    mazurka_waits();
    if (Process* other = waiting_tour.next_after(current_, state_.processes)) {
      current_ = other;
      enter_context(other->context);
    }
    waiting_tour.under_way = false;
  }
  leave();
}

void Runtime::park(const Operation& operation, bool enabled, bool released, std::uint32_t cause) {
  if (is_twin_) [[unlikely]]
    end_twin();
  Process& self = *current_;
  if (learned_.has_blocks) {
    if (in_block()) {
      in_block_.assign(operation.accesses.begin(), operation.accesses.end());
      in_block_.push_back({block_object(), kind::mutex, mutex_mode::hold, 0});
      run_->announce(self.id, {in_block_, operation.awaited, operation.exits}, enabled, released);
      show_block();
    } else {
      const bool waits = state_.block_shown && heeds_blocks(operation.accesses);
      run_->announce(self.id, operation, enabled && !waits, released);
    }
  } else {
    run_->announce(self.id, operation, enabled, released);
  }
  if (cause != no_event) run_->caused_by(self.id, cause);
  if (!self.starting) {
    dispatch();
    return;
  }
  self.starting = false;
  current_ = &process(self.creator);
  switch_context(self.context, current_->context);
}

void Runtime::commit(std::span<const std::uint64_t> before, std::uint16_t choices,
                     std::span<const ProcessId> released, Footprint performed) {
  if (is_twin_) [[unlikely]]
    end_twin();
  die_if_overwritten();
  ++steps_;
  stall_requested = false;
  current_->watch.settle_writes();
  if (!state_.quiet) current_->watch.progress();
  state_.quiet = false;
  current_->watch.step();
  const std::size_t position = run_->position();
  if (position < Progress::max_schedule) {
    progress_.schedule[position] = state_.decision;
    progress_.position.store(static_cast<std::uint32_t>(position + 1), std::memory_order_relaxed);
  }
  if (!state_.tracking) {
    if (learned_.has_blocks && in_block()) {  // the block is held: park() has said so last
      values_.assign(before.begin(), before.end());
      values_.resize(run_->footprint(current_->id).size() - 1, 0);
      values_.push_back(value_of_mutex(mutex(block_object())));
      before = values_;
    }
    if (!run_->commit(before, choices, released, performed) || run_->over()) leave();
    return;
  }
  const bool known = run_->repeating();
  state_.tracker.watch(!known);
  if (known) {
    const bool goes_on = run_->commit(before, choices, released, performed);
    state_.tracker.tell(current_->id, step_taken);
    if (!goes_on || run_->over()) leave();
    return;
  }
  const Footprint footprint = run_->footprint(current_->id);
  state_.committed.assign(footprint.begin(), footprint.end());
  values_.clear();
  for (const Access& access : state_.committed) values_.push_back(value_of(access.object));
  const bool goes_on = run_->commit(values_, choices, released, performed);
  state_.effects_due = goes_on;
  state_.tracker.tell(current_->id, step_taken);
  if (!goes_on || run_->over()) leave();
}

Footprint Runtime::in_vain(std::uint8_t attempt, std::uint8_t in_vain) {
  const Footprint announced = run_->footprint(current_->id);
  performed_.assign(announced.begin(), announced.end());
  for (Access& access : performed_) {
    if (access.mode == attempt) access.mode = in_vain;
  }
  return performed_;
}

// Before anyone else moves, the step that was committed last is told with all it has done.
void Runtime::settle_effects() {
  if (!state_.effects_due) return;
  state_.effects_due = false;
  values_.clear();
  for (const Access& access : state_.committed) values_.push_back(value_of(access.object));
  run_->effects(values_, state_.tracker.settle());
}

std::uint64_t Runtime::value_of(ObjectId object) {
  const Objects::Origin& origin = objects_[object];
  switch (origin.kind) {
    case kind::memory: return load_value(origin.address, origin.size);
    case kind::mutex: return value_of_mutex(mutex(object));
    case kind::condition: return value_of_condition(condition(object));
    case kind::gate: return state_.gates[object].value;
    case kind::barrier:
      return barrier_value(state_.barriers[object].arrivals, state_.barriers[object].count);
    default: break;
  }
  return origin.kind >= first_message_kind_ ? state_.exchange.digest(object) : 0;
}

void Runtime::go_on_without_current() {
  if (is_twin_) end_twin();
  if (run_->over()) leave();
  if (current_->starting) {
    current_->starting = false;
    current_ = &process(current_->creator);
    enter_context(current_->context);
  }
  const std::optional<Decision> next = next_decision();
  if (!next && request_.task == Task::debug && !run_->anyone_enabled()) {
    waiting_tour.begin();
    if (Process* other = waiting_tour.next_after(nullptr, state_.processes)) {
      current_ = other;
      enter_context(other->context);
    }
    waiting_tour.under_way = false;
  }
  if (!next) leave();
  state_.decision = *next;
  current_ = &process(next->process);
  enter_context(current_->context);
}

}  // namespace mazurka::threads
