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
  Process* next_after(const Process* shown, std::span<const std::unique_ptr<Process>> processes) {
    if (first == nullptr) first = shown;
    for (; at < processes.size(); ++at) {
      Process* one = processes[at].get();
      if (one == nullptr || !one->used || one->finished || one == first) continue;
      ++at;
      return one;
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
    if (!in_zone(region.begin)) races_.add_region(region.begin, region.end);
  }
  const Extent c_library = extent_of_c_library();  // some of its functions answer in there
  races_.add_region(c_library.begin, c_library.end);
  if (!request.checks.suppressions.empty() && !request.racy) {
    ledger_ = std::make_unique<RaceLedger>();
  }
  for (const std::uint64_t place : request.checks.exposed) learned_.exposed.insert(place);
  for (const EarlyHandler& early : early_handlers()) {
    if (in_program(early.module)) initial_exit_handlers_.push_back(early.handler);
  }
}

Process& Runtime::process(ProcessId id) {
  const std::size_t at = index(id);
  if (processes_.size() <= at) processes_.resize(at + 1);
  if (processes_[at] == nullptr) {
    processes_[at] = std::make_unique<Process>();
    processes_[at]->id = id;
    processes_[at]->context.thread_pointer =
        at == 0 ? engine_.thread_pointer : parked_thread_pointer(at - 1);
    heaps.ensure_slot(at);
  }
  return *processes_[at];
}

Process* Runtime::find(ProcessId id) {
  if (id == no_process || index(id) >= used_processes_) return nullptr;
  Process& found = process(id);
  return found.used ? &found : nullptr;
}

void Runtime::reset() {
  if (surroundings.has_file_in_memory() && used_processes_ > 1) {
    learned_.grounds.unordered = "memory that is a mapped file, which is not looked at,";
  }
  surroundings.restore();
  outside_.start_execution();
  snapshot_.restore();
  heaps.reset();
  exit_handlers_ = initial_exit_handlers_;
  keys_.clear();
  ++steps_;
  for (std::size_t at = 0; at < used_processes_; ++at) {
    if (processes_[at] != nullptr) processes_[at]->used = false;
  }
  used_processes_ = live_ = unjoined_ = spinning_ = 0;
  quiet_ = false;
  visited_.clear();
  exiting_ = false;
  ++execution_;
  races_.start_execution();
  if (ledger_ != nullptr) ledger_->start_execution();
  allocations_.clear();
  met_.clear();
  annotated_.clear();
  tolerated_.clear();
  states_.start_execution();
  effects_due_ = false;
  section_ = Section::none;
  block_shown_ = false;
  start_messages();
  someone_failed_ = false;
}

void Runtime::prepare(Process& process, ProcessId creator) {
  process.used = true;
  process.finished = process.failed = process.detached = process.joined = process.starting = false;
  process.creator = creator;
  process.joiner = no_process;
  process.result = nullptr;
  process.thread_exit_handlers.clear();
  process.specific.clear();
  process.cleanups.clear();
  process.keys = 0;
  process.samples = process.ignored = 0;
  process.sections = process.spurious = process.blocks = 0;
  process.time = {};
  process.time.now = creator == no_process ? beginning : this->process(creator).time.now;
  process.blocked = creator == no_process ? 0 : this->process(creator).blocked;
  process.name = creator == no_process ? first_name() : this->process(creator).name;
  process.chance = creator == no_process ? 1 : this->process(creator).chance;
  process.watch.start();
  clear_stack(process);
  process.requests.clear();
  process.awaited.reset();
  process.picked_from.clear();
  process.knowledge.now.clear();
  process.knowledge.fence_acquire.clear();
  process.knowledge.fence_release.clear();
  thread_locals_.reset(process.context.thread_pointer, process.id == Run::root());
  prepare_context(process.context, reinterpret_cast<void*>(stack_top(index(process.id))),
                  enter_fiber, &process);
  used_processes_ = std::max(used_processes_, index(process.id) + 1);
  ++live_;
  had_company_ = had_company_ || live_ > 1;
}

void Runtime::run(Run& run) {
  reset();
  broken_off_ = false;
  run_ = &run;
  tracking_ = run.records_states();
  states_.go_through_everything(run.wants_whole_states());
  had_company_ = false;
  Process& root = process(Run::root());
  prepare(root, no_process);
  root.knowledge.now.tick(root.id);
  if (recorder_ != nullptr) recorder_->story.processes.push_back({root.id, no_process, 0, 0});
  current_ = &root;
  checking = true;
  switch_context(engine_, root.context);
  inside_engine = true;
  checking = false;
  die_if_overwritten();
  settle_effects();
  if (live_ == 0 && !someone_failed_) report_leftovers();
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
  if (!visited_.empty()) settle_visits();
  settle_spinning();
  // A write is told before it happens: what it wrote must be read before somebody else writes.
  if (recorder_ != nullptr) recorder_->settle_all();
  if (picking_ > 0) excuse_wrong_picks();
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
    decision_ = *next;
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
    if (Process* other = waiting_tour.next_after(current_, processes_)) {
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
      const bool waits = block_shown_ && heeds_blocks(operation.accesses);
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
  if (!quiet_) current_->watch.progress();
  quiet_ = false;
  current_->watch.step();
  const std::size_t position = run_->position();
  if (position < Progress::max_schedule) {
    progress_.schedule[position] = decision_;
    progress_.position.store(static_cast<std::uint32_t>(position + 1), std::memory_order_relaxed);
  }
  if (!tracking_) {
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
  states_.watch(!known);
  if (known) {
    const bool goes_on = run_->commit(before, choices, released, performed);
    states_.tell(current_->id, step_taken);
    if (!goes_on || run_->over()) leave();
    return;
  }
  const Footprint footprint = run_->footprint(current_->id);
  committed_.assign(footprint.begin(), footprint.end());
  values_.clear();
  for (const Access& access : committed_) values_.push_back(value_of(access.object));
  const bool goes_on = run_->commit(values_, choices, released, performed);
  effects_due_ = goes_on;
  states_.tell(current_->id, step_taken);
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
  if (!effects_due_) return;
  effects_due_ = false;
  values_.clear();
  for (const Access& access : committed_) values_.push_back(value_of(access.object));
  run_->effects(values_, states_.settle());
}

std::uint64_t Runtime::value_of(ObjectId object) {
  const Objects::Origin& origin = objects_[object];
  switch (origin.kind) {
    case kind::memory: return load_value(origin.address, origin.size);
    case kind::mutex: return value_of_mutex(mutex(object));
    case kind::condition: return value_of_condition(condition(object));
    case kind::gate: return gates_[index(object)].value;
    case kind::barrier:
      return barrier_value(barriers_[index(object)].arrivals, barriers_[index(object)].count);
    default: break;
  }
  return origin.kind >= first_message_kind_ ? exchange_.digest(object) : 0;
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
    if (Process* other = waiting_tour.next_after(nullptr, processes_)) {
      current_ = other;
      enter_context(other->context);
    }
    waiting_tour.under_way = false;
  }
  if (!next) leave();
  decision_ = *next;
  current_ = &process(next->process);
  enter_context(current_->context);
}

}  // namespace mazurka::threads
