// What goes wrong in an execution, and what a report will tell of it.
//
// A failure ends the whole program, so nothing can happen after it; but whatever the others do
// without the process that fails they can do before it. So the process stands before its failure
// for good (with the locks that it holds, and nobody can join it) and the others go on, unless the
// run says that the execution is over. That others wait for it in the end is no deadlock then. One
// that computes without end is taken out, too. What the report needs is only written down while
// there is a recorder.
#include <csignal>
#include <cstring>
#include <functional>
#include <utility>

#include "core/check.hpp"
#include "programs/threads/runtime/debugger.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

void Scheduler::fail(FindingKind kind, std::string message, std::string key) {
  inside_engine = true;
  if (state_.section == Section::rehearsal) advisers_.sections.end_rehearsal();
  state_.section = Section::none;
  mazurka_failure(message.c_str());
  if (recorder_ != nullptr) recorder_->keep_latest(current_->id);
  if (RawEvent* event = record(Action::failure, 0); event != nullptr && !failure_stack_.empty()) {
    event->stack = std::exchange(failure_stack_, {});
    event->ends.clear();
  }
  MAZURKA_CHECK(state_.live > 0, "the processes that have not ended are counted");
  --state_.live;
  ++state_.unjoined;
  current_->finished = current_->failed = true;
  state_.someone_failed = true;
  run_->fail(current_->id, kind, std::move(message), std::move(key));
  go_on_without_current();
}

void Runtime::use_outside(const std::string& what, Use use, std::uint64_t key) {
  const EngineScope scope;
  if (is_twin_) return;
  if (use != Use::looks) state_.went_outside = true;
  if (key == 0) key = std::hash<std::string>{}(what);
  current_->watch.progress();  // a loop around it waits for more than memory
  if (state_.tracking) state_.tracker.use(current_->id, OutsideUses::everything, Use::looks);
  races.use_outside(what, use, key);
}

void Runtime::use_unknown(const char* function) {
  const EngineScope scope;
  if (is_twin_) return;
  state_.went_outside = true;
  current_->watch.progress();
  if (state_.tracking) {
    state_.tracker.tell_outside(current_->id);
    state_.tracker.use(current_->id, OutsideUses::everything, Use::changes);
  }
  if (alone()) return;
  std::string open = state_.outside.use_unknown({current_->id, current_->knowledge.now}, function);
  races.judge_outside(std::move(open), OutsideUses::everything, Use::changes);
}

void Runtime::kill_program(int signal) {
  inside_engine = true;
  if (signal == SIGABRT) {
    fail(FindingKind::abort, "aborted by the C library", "abort by signal");
  }
  const char* name = sigabbrev_np(signal);
  const std::string text = name == nullptr ? std::to_string(signal) : "SIG" + std::string(name);
  fail(FindingKind::crash, "the program was killed by " + text, "kill " + text);
}

void Scheduler::report(FindingKind kind, std::string message, std::string key) {
  mazurka_failure(message.c_str());
  run_->report(current_->id, kind, std::move(message), std::move(key));
  if (run_->over()) leave();
}

void Scheduler::unsupported(const char* call, RawObject object) {
  inside_engine = true;
  refusal_.error = std::string(call) + " is not supported";
  refusal_.stack = capture_stack();
  refusal_.object = std::move(object);
  leave();
}

void Scheduler::refuse(int system_call, const std::string& reason) {
  inside_engine = true;
  refusal_.error = reason.empty() ? "it may reach outside of the program" : reason;
  refusal_.system_call = system_call;
  refusal_.stack = std::exchange(failure_stack_, {});
  leave();
}

void Scheduler::note_endless_loop() {
  learned_.stalled_process = current_->id;
  learned_.stalled_at = std::exchange(failure_stack_, {});
  learned_.loops_for_ever = true;
}

void Scheduler::stall() {
  inside_engine = true;
  stall_requested = false;
  learned_.stalled_process = current_->id;
  learned_.stalled_at = std::exchange(failure_stack_, {});
  current_->action = Action::compute;
  current_->address = 0;
  current_->stack.assign(learned_.stalled_at.begin(), learned_.stalled_at.end());
  run_->stall(current_->id);
  go_on_without_current();
}

void Runtime::break_off() {
  inside_engine = true;
  broken_off_ = true;
  run_->cut();
  leave();
}

void Scheduler::stall_here() {
  failure_stack_ = capture_stack();
  if (stack_reserve_is_open) fail(FindingKind::crash, "stack overflow", "crash: stack overflow");
  stall();
}

void Scheduler::note(Action action, std::uintptr_t address, ProcessId peer) {
  if (recorder_ == nullptr && !judges_races_) return;
  current_->action = action;
  current_->address = address;
  current_->peer = peer;
  current_->ends.clear();
  std::vector<std::uint64_t> stack = capture_stack(&current_->ends);
  current_->stack.swap(stack);
}

RawEvent* Scheduler::record(Action action, std::uintptr_t address, std::size_t size) {
  if (recorder_ == nullptr) return nullptr;
  RawEvent& event =
      recorder_->add(current_->id, action, static_cast<std::uint32_t>(run_->position()), alone());
  event.address = address;
  event.size = static_cast<std::uint8_t>(size);
  return &event;
}

// Who has locked the mutex, or the read-write lock alone, at this address; or no_process.
ProcessId Runtime::holder_of(std::uintptr_t address) const {
  for (std::size_t object = 0; object < names_.objects().size(); ++object) {
    if (names_[static_cast<ObjectId>(object)].address != address) continue;
    const Mutex* mutex = state_.mutexes.find(static_cast<ObjectId>(object));
    if (mutex != nullptr && !mutex->is_free()) return mutex->owner();
    const Gate* gate = state_.gates.find(static_cast<ObjectId>(object));
    if (gate != nullptr && gate->is_held_alone()) return gate->holder();
  }
  return no_process;
}

std::vector<RawWaiting> Runtime::waiting() const {
  std::vector<RawWaiting> all;
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    const Process* one = state_.processes.find(static_cast<ProcessId>(at));
    if (one == nullptr || one->finished) continue;
    RawWaiting waits;
    waits.process = one->id;
    waits.action = one->action;
    waits.address = one->address;
    waits.peer = one->peer;
    waits.enabled = run_->is_enabled(one->id);
    waits.stack = one->stack;
    if (one->action == Action::mpi) {
      waits.words = one->words + ranks->near_misses(one->id);
      waits.holder = ranks->waited_for(one->id);
    }
    if (one->ticket && one->ticket->kind == messages::Kind::mutex) {
      const messages::Entry* owner = state_.exchange.owner(one->ticket->object);
      if (owner != nullptr) waits.holder = owner->process;
    }
    if (one->action == Action::lock || one->action == Action::wake ||
        one->action == Action::read_lock || one->action == Action::spin_lock) {
      waits.holder = holder_of(one->address);
    }
    all.push_back(std::move(waits));
  }
  return all;
}

}  // namespace mazurka::threads
