#include "programs/threads/runtime/scheduler.hpp"

#include <utility>

#include "core/check.hpp"
#include "programs/threads/runtime/checkpoints.hpp"
#include "programs/threads/runtime/debugger.hpp"
#include "programs/threads/runtime/loops/sections.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"
#include "programs/threads/runtime/loops/twins.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/memory_model/weak_operation.hpp"
#include "programs/threads/runtime/messages.hpp"
#include "programs/threads/runtime/ranks.hpp"

namespace mazurka::threads {

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

// A process without a stack, whose step is performed by whoever finds that it is its turn.
bool is_agent(const ExecutionState& state, Decision next) {
  return state.processes.find(next.process) == nullptr;
}

}  // namespace

void Scheduler::enter(Run& run, Process& first) { perform(run, &first); }

void Scheduler::go_on(Run& run) { perform(run, nullptr); }

// Between two steps a process may come back here instead of going on, so that nobody runs.
void Scheduler::perform(Run& run, Process* first) {
  run_ = &run;
  checking = true;
  pause_at_ = advisers_.checkpoints.next_pause();
  paused_ = first == nullptr;
  bool at_pause = false;
  while (true) {
    if (first != nullptr) {
      current_ = first;
      switch_context(engine_, first->context);
      inside_engine = true;
      at_pause = true;
    }
    if (!std::exchange(paused_, false)) break;
    if (at_pause) {
      advisers_.checkpoints.pause();
      pause_at_ = advisers_.checkpoints.next_pause();
    }
    const std::optional<Decision> next = run.next();
    if (!next) break;
    if (is_agent(state_, *next)) {
      perform_agent(*next);
      if (run.over()) break;
      settle();
      first = nullptr;
      paused_ = true;
      at_pause = is_to_pause();
      continue;
    }
    state_.decision = *next;
    first = &process(next->process);
  }
  pause_at_ = no_pause;
  inside_engine = true;
  checking = false;
  die_if_overwritten();
  settle_effects();
}

void Scheduler::start(Process& child) {
  MAZURKA_CHECK(!child.starting, "a process begins once");
  Process& creator = *current_;
  child.starting = true;
  current_ = &child;
  switch_context(creator.context, child.context);
  mazurka_far_frame = creator.frame;
}

void Scheduler::leave() {
  if (is_twin_) end_twin();
  enter_context(engine_);
}

void Scheduler::stop_here() {
  Process& own = *current_;
  own.frame = mazurka_far_frame;
  switch_context(own.context, engine_);
  mazurka_far_frame = current_->frame;
}

void Scheduler::be_certain_of_order() {
  if (!state_.credited_less) return;
  learned_.updates_in_order = true;
  restart();
  leave();
}

// Before it is said who moves.
void Scheduler::settle() {
  settle_effects();
  advisers_.spins.settle();
  // A write is told before it happens: what it wrote must be read before somebody else writes.
  if (recorder_ != nullptr) recorder_->settle_all();
  if (state_.picking > 0) advisers_.messages.excuse_wrong_picks();
}

// Where the process is that does something else than before.
void Scheduler::note_divergence() {
  const auto& divergence = run_->divergence();
  if (!divergence) return;
  const bool is_its = divergence->seen.empty() || divergence->seen[0].process() == current_->id;
  if (is_its) diverged_at_ = capture_stack();
}

// Whether one process has made all of the end of the execution: if that has become too long, it
// goes round in a loop that waits for nothing.
static bool is_alone_at_the_end(const Run& run, ProcessId process) {
  constexpr std::size_t many = 1000;
  if (run.position() < many) return false;
  const StepList& steps = run.so_far().steps;
  for (std::size_t at = run.position() - many; at < run.position(); ++at) {
    if (steps.decision(at).process != process) return false;
  }
  return true;
}

// A process without a stack: its step is performed here and now.
void Scheduler::perform_agent(Decision next) {
  MAZURKA_CHECK(ranks_ != nullptr, "only ranks have agents");
  state_.decision = next;
  ranks_->perform(next.process);
}

void Scheduler::dispatch() {
  settle();
  if (is_to_pause()) [[unlikely]] {
    paused_ = true;
    switch_context(current_->context, engine_);
    return;
  }
  if (const std::optional<Decision> next = run_->next()) {
    if (is_agent(state_, *next)) {
      perform_agent(*next);
      if (run_->over()) leave();
      dispatch();
      return;
    }
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
    if (run_->position() >= request_.limits.max_events &&
        is_alone_at_the_end(*run_, current_->id)) {
      learned_.stalled_process = current_->id;
      learned_.stalled_at = capture_stack();
    }
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

void Scheduler::park(const Operation& operation, bool enabled, bool released,
                     std::span<const std::uint32_t> causes) {
  if (is_twin_) [[unlikely]]
    end_twin();
  Process& self = *current_;
  MAZURKA_CHECK(!self.finished && inside_engine, "a process parks before its end");
  if (learned_.has_blocks) {
    advisers_.sections.announce(operation, enabled, released);
  } else {
    run_->announce(self.id, operation, enabled, released);
  }
  if (!causes.empty()) run_->caused_by(self.id, causes);
  self.frame = mazurka_far_frame;
  if (self.starting) {
    self.starting = false;
    current_ = &process(self.creator);
    switch_context(self.context, current_->context);
  } else {
    dispatch();
  }
  mazurka_far_frame = self.frame;
}

void Scheduler::commit(std::span<const std::uint64_t> before, std::uint16_t choices,
                       std::span<const ProcessId> released, Footprint performed) {
  if (is_twin_) [[unlikely]]
    end_twin();
  die_if_overwritten();
  MAZURKA_CHECK(state_.decision.process == current_->id, "whose turn it is commits");
  note_progress();
  current_->watch.settle_writes();
  if (!state_.quiet) current_->watch.progress();
  state_.quiet = false;
  current_->watch.step();
  if (learned_.fences_everybody) current_->knowledge.let_fence(current_->id);
  note_position();
  if (learned_.memory == MemoryModel::tso && is_barrier_of_tso(run_->footprint(current_->id))) {
    ++current_->barriers;
  }
  if (learned_.memory == MemoryModel::rc11 && state_.graph.has_strong()) note_elsewhere();
  if (!state_.tracking) {
    if (learned_.has_blocks && current_->blocks != 0) {  // it is held: park() has said so last
      values_.assign(before.begin(), before.end());
      values_.resize(run_->footprint(current_->id).size() - 1, 0);
      values_.push_back(advisers_.sections.value_of_block());
      before = values_;
    }
    const bool recorded = run_->records_values() && !run_->repeating();
    if (recorded) [[unlikely]] {
      note_values(values_);
      before = values_;
    }
    if (!run_->commit(before, choices, released, performed)) leave();
    state_.effects_due = recorded;
    note_past();
    if (run_->over()) leave();
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
  note_values(values_);
  const bool goes_on = run_->commit(values_, choices, released, performed);
  state_.effects_due = goes_on;
  state_.tracker.tell(current_->id, step_taken);
  if (!goes_on || run_->over()) leave();
}

void Scheduler::note_past() {
  if (request_.checks.graphs ? judges_by_past(learned_.memory)
                             : learned_.memory != MemoryModel::sc) {
    state_.past.add(vocabulary_, run_->so_far(), run_->position() - 1, first_message_kind_);
  }
}

bool Scheduler::commit_agent(std::span<const std::uint64_t> before) {
  die_if_overwritten();
  note_progress();
  note_position();
  if (!run_->commit(before)) return false;
  note_past();
  return true;
}

// In RC11 sequentially consistent operations are in order, too, if a lock or whatever else is not
// their variable orders them.
void Scheduler::note_elsewhere() {
  const auto is_atomic = [](const Access& access) {
    return access.kind == kind::memory || access.kind == kind::variable;
  };
  const Footprint footprint = run_->footprint(current_->id);
  if (std::any_of(footprint.begin(), footprint.end(), is_atomic)) return;
  const VectorClock& known = current_->knowledge.now;
  state_.graph.go_elsewhere(current_->id, known[index(current_->id)], known);
}

// So that the front process can tell what led to it if the program ends us.
void Scheduler::note_position() {
  const std::size_t position = run_->position();
  if (position >= Progress::max_schedule || is_unseen_) return;
  progress_.schedule[position] = state_.decision;
  progress_.position.store(static_cast<std::uint32_t>(position + 1), std::memory_order_relaxed);
}

Footprint Scheduler::turned_out(std::uint8_t attempt, std::uint8_t done) {
  const Footprint announced = run_->footprint(current_->id);
  performed_.assign(announced.begin(), announced.end());
  for (Access& access : performed_) {
    if (access.mode == attempt) access.mode = done;
  }
  return performed_;
}

// Before anyone else moves, the step that was committed last is told with all it has done.
void Scheduler::settle_effects() {
  if (!state_.effects_due) return;
  state_.effects_due = false;
  values_of_step(values_);
  if (state_.tracking) {
    run_->effects(values_, state_.tracker.settle());
  } else {
    run_->values_after(values_);
  }
}

void Scheduler::go_on_without_current() {
  if (is_twin_) end_twin();
  if (run_->over()) leave();
  if (current_->starting) {
    current_->starting = false;
    current_ = &process(current_->creator);
    enter_context(current_->context);
  }
  settle();
  if (is_to_pause()) [[unlikely]] {
    paused_ = true;
    leave();
  }
  const std::optional<Decision> next = run_->next();
  if (next && is_agent(state_, *next)) {
    perform_agent(*next);
    go_on_without_current();
  }
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
  MAZURKA_CHECK(!current_->finished, "a process that has ended never moves again");
  enter_context(current_->context);
}

}  // namespace mazurka::threads
