// Threads: how they come into being, wait for each other, and end.
#include "programs/threads/runtime/threads.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <stdexcept>

#include "core/check.hpp"
#include "programs/threads/runtime/machine/traps.hpp"
#include "programs/threads/runtime/memory_model/heap_checks.hpp"
#include "programs/threads/runtime/quiet_beginning.hpp"
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

namespace {

// Each has a stack and a clock with an entry for every other.
constexpr std::size_t most_threads = 1000;

}  // namespace

void Threads::create(pthread_t* handle, void* (*routine)(void*), void* argument, bool detached,
                     std::int32_t rank) {
  traps.set_again();
  EngineScope scope;
  if (beginning_.is_tried()) leave();
  note(Action::create, 0);
  park({}, true);
  Process& own = self();
  if (state_.processes.size() > most_threads) {  // main is one of them
    learned_.had_too_many_threads = true;
    run().cut();
    leave();
  }
  ProcessId id = no_process;
  try {
    id = run().create(own.id);
    fibers_.make_room_for(id);
  } catch (const std::exception& problem) {
    scheduler_.refusal().error = problem.what();
    leave();
  }
  const std::array<ProcessId, 1> released{id};
  if (RawEvent* event = record(Action::create, 0)) {
    event->peer = id;
    recorder()->story.processes.push_back(
        {id, own.id, static_cast<std::uint32_t>(recorder()->story.processes.size()),
         rank < 0 ? reinterpret_cast<std::uintptr_t>(routine) : 0, rank < 0 ? own.rank : rank});
  }
  commit({}, 1, released);
  Process& child = fibers_.prepare(id, own.id);
  if (rank >= 0) fibers_.enter_rank(child, rank);
  *handle = handle_of(id);
  child.routine = routine;
  child.argument = argument;
  child.detached = detached;
  if (state_.tracking) {
    child.knowledge.firm.assign(own.knowledge.firm);
    child.knowledge.firm.learn(own.id, own.knowledge.now[index(own.id)]);
  }
  child.knowledge.now.assign(own.knowledge.now);
  child.knowledge.now.tick(id);
  runtime->races.begin(child);
  own.knowledge.now.tick(own.id);
  MAZURKA_CHECK(child.id == id && child.creator == own.id, "a child is prepared for its creator");
  scheduler_.start(child);
}

int Threads::join(ProcessId target, void** result) {
  EngineScope scope;
  if (state_.processes.find(target) == nullptr) return ESRCH;
  Process& other = process(target);
  if (other.joined) {
    fail(FindingKind::misuse, "joins a thread that was joined before",
         "joined " + std::to_string(index(target)));
  }
  if (target == self().id) return EDEADLK;
  if (other.detached) {
    fail(FindingKind::misuse, "joins a thread that was detached",
         "joined " + std::to_string(index(target)));
  }
  if (other.joiner != no_process) {
    fail(FindingKind::misuse, "joins a thread that another one is waiting to join",
         "joined " + std::to_string(index(target)));
  }
  other.joiner = self().id;
  note(Action::join, 0, target);
  park({{}, target, false}, other.finished && !other.failed);
  if (RawEvent* event = record(Action::join, 0)) event->peer = target;
  commit();
  MAZURKA_CHECK(other.finished && state_.unjoined > 0, "a join passes once the thread has ended");
  other.joined = true;
  --state_.unjoined;
  if (state_.tracking) {
    self().knowledge.firm.join(other.knowledge.firm);
    self().knowledge.firm.learn(target, other.knowledge.now[index(target)]);
  }
  self().knowledge.now.join(other.knowledge.now);
  self().time.now = std::max(self().time.now, other.time.now);
  tell(reinterpret_cast<std::uintptr_t>(other.result));
  if (result != nullptr) *result = other.result;
  return 0;
}

// Whatever a thread does, it does before it ends: so nobody can tell that it has ended already, and
// to be told that it has not is always possible. To be told that it has is to wait for it; where
// that would be for ever it was not possible.
int Threads::try_join(ProcessId target, void** result) {
  EngineScope scope;
  if (state_.processes.find(target) == nullptr) return ESRCH;
  if (target == self().id) return EDEADLK;
  runtime->spins.arrive(handle_of(target));
  note(Action::try_join, 0, target);
  park({}, true);
  const std::uint16_t choice = run().outcome(2);
  const bool succeeds = choice == 1;
  state_.decision.choice = choice;
  if (RawEvent* event = record(Action::try_join, 0)) {
    event->peer = target;
    event->value = succeeds ? 1 : 0;
  }
  state_.quiet = true;
  commit({}, 2);
  tell(succeeds ? 1 : 0);
  if (!succeeds) {
    runtime->spins.watch_end(target);
    return EBUSY;
  }
  self().watch.progress();
  self().watch.stuck = self().watch.retried = true;
  ++state_.spinning;
  const int error = join(target, result);
  self().watch.stuck = self().watch.retried = false;
  --state_.spinning;
  return error;
}

int Threads::detach(ProcessId target) {
  if (state_.processes.find(target) == nullptr) return ESRCH;
  Process& other = process(target);
  const char* wrong = other.detached ? "detaches a thread that was detached before"
                      : other.joined ? "detaches a thread that was joined before"
                      : other.joiner != no_process
                          ? "detaches a thread that another one is waiting to join"
                          : nullptr;
  if (wrong != nullptr) {
    fail(FindingKind::misuse, wrong, "detached " + std::to_string(index(target)));
  }
  other.detached = true;
  return 0;
}

void Threads::run_thread_exit_handlers() {
  Process& own = self();
  inside_engine = false;
  while (!own.thread_exit_handlers.empty()) {
    const ExitHandler handler = own.thread_exit_handlers.back();
    own.thread_exit_handlers.pop_back();
    handler.function(handler.argument);
  }
  keys_.run_destructors();
  inside_engine = true;
}

void Threads::finish_current(void* result) {
  Process& own = self();
  own.result = result;
  MAZURKA_CHECK(!own.finished && state_.live > 0, "a process ends once");
  own.finished = true;
  if (own.watch.held != 0) learned_.ended_with_locks = true;
  --state_.live;
  ++state_.unjoined;
  run().finish(own.id);
  if (own.joiner != no_process) run().enable(own.joiner, true);
}

void Threads::end(void* result) {
  run_thread_exit_handlers();
  memory_.end();
  finish_current(result);
  scheduler_.go_on_without_current();
}

void Threads::add_exit_handler(ExitHandler handler) {
  const EngineScope scope;
  handler.rank = self().rank;
  state_.exit_handlers.push_back(handler);
}

// Those of the rank, if there are ranks.
void Threads::run_exit_handlers(const void* object) {
  const EngineScope scope;
  const std::int32_t rank = self().rank;
  const auto fits = [&](const ExitHandler& one) {
    return one.rank == rank && (object == nullptr || one.object == object);
  };
  while (true) {
    auto& all = state_.exit_handlers;
    const auto last = std::find_if(all.rbegin(), all.rend(), fits);
    if (last == all.rend()) return;
    const ExitHandler handler = *last;
    all.erase(std::next(last).base());
    inside_engine = false;
    handler.function(handler.argument);
    inside_engine = true;
  }
}

void Threads::report_exit_code(std::uint8_t code) {
  if (code == 0 || !request_.checks.exit_code) return;
  fail(FindingKind::exit_code, "the program ends with exit code " + std::to_string(code),
       "exit code " + std::to_string(code));
}

void Threads::end_program(bool run_handlers, int code) {
  if (state_.before_check) {
    inside_engine = true;
    scheduler_.refusal().error =
        "the program ended without a call of mazurka::check that is named `" + request_.check + "`";
    leave();
  }
  if (run_handlers) {
    run_thread_exit_handlers();
    run_exit_handlers();
  }
  inside_engine = true;
  const auto told = static_cast<std::uint8_t>(code);  // the caller sees no more of it
  if (self().rank >= 0) {
    runtime->ranks->end_of_rank();
    report_exit_code(told);
    end_rank();
  }
  if (run_handlers) heap_.look_for_leaks();
  report_exit_code(told);
  if (state_.live > 1) {
    note(Action::exit_program, 0);
    park({{}, no_process, true}, true);
    record(Action::exit_program, 0);
    note_who_waits();
    run().exit_code(told);
    commit();
  }
  run().exit_code(told);
  finish_current(nullptr);
  scheduler_.go_on_without_current();
}

// The program is about to end, and nobody else can move, or would have: whoever has not come to its
// end waits for what can no longer happen. Those that there were before a call that is checked may
// be woken after it.
void Threads::note_who_waits() {
  std::string who;
  for (std::size_t at = state_.older; at < state_.processes.end(); ++at) {
    const Process* one = state_.processes.find(static_cast<ProcessId>(at));
    if (one == nullptr || one->finished || one->watch.assumed || run().would_exit(one->id))
      continue;
    who += ' ' + std::to_string(at);
  }
  const Execution& so_far = run().so_far();
  if (who.empty() || state_.someone_failed || so_far.in_vain) return;
  if (request_.checks.liveness) {
    fail(FindingKind::deadlock, "the program ends while others wait for ever", "waiting" + who);
  }
  run().leaves_waiting();
  if (!learned_.left_waiting.empty()) return;
  const std::vector<ProcessId> numbers = run().numbers_by_creation();
  for (std::size_t at = 0; at < run().position(); ++at) {
    Decision decision = so_far.steps.decision(at);
    decision.process = numbers[index(decision.process)];
    learned_.left_waiting.push_back(decision);
  }
  learned_.left_waiting.push_back({numbers[index(self().id)], 0});
}

// The others go on. Threads of the rank would end with it, whatever they were about to do.
void Threads::end_rank() {
  bool last = true;
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    const Process* one = state_.processes.find(static_cast<ProcessId>(at));
    if (one == nullptr || one == &self() || one->finished) continue;
    last = false;
    if (one->rank == self().rank) {
      scheduler_.unsupported("a rank that ends while it has other threads (join them before)");
    }
  }
  if (last) heap_.look_for_leaks();
  finish_current(nullptr);
  scheduler_.go_on_without_current();
}

int Threads::choose(int count) {
  if (count <= 1) return 0;
  EngineScope scope;
  if (beginning_.is_tried()) leave();
  note(Action::choose, 0);
  park({}, true);
  const std::uint16_t choice = run().outcome(static_cast<std::uint16_t>(count));
  state_.decision.choice = choice;
  if (RawEvent* event = record(Action::choose, 0)) event->value = choice;
  ++self().watch.choices;
  state_.quiet = true;
  commit({}, static_cast<std::uint16_t>(count));
  tell(choice);
  return choice;
}

}  // namespace mazurka::threads
