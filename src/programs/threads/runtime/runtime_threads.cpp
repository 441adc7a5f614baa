// Threads: how they come into being, wait for each other, and end; what each keeps for itself.
#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include "programs/threads/runtime/machine/native.hpp"
#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings.hpp"

namespace mazurka::threads {

namespace {

// Each has a stack and a clock with an entry for every other.
constexpr std::size_t most_threads = 1000;

}  // namespace

void Runtime::create(pthread_t* handle, void* (*routine)(void*), void* argument, bool detached) {
  EngineScope scope;
  note(Action::create, 0);
  park({}, true);
  Process& self = *current_;
  if (state_.processes.end() > most_threads) {  // main is one of them
    learned_.had_too_many_threads = true;
    run_->cut();
    leave();
  }
  ProcessId id = no_process;
  try {
    id = run_->create(self.id);
    make_room_for(id);
  } catch (const std::exception& problem) {
    error_ = problem.what();
    leave();
  }
  const std::array<ProcessId, 1> released{id};
  if (RawEvent* event = record(Action::create, 0)) {
    event->peer = id;
    recorder_->story.processes.push_back(
        {id, self.id, static_cast<std::uint32_t>(recorder_->story.processes.size()),
         reinterpret_cast<std::uintptr_t>(routine)});
  }
  commit({}, 1, released);
  Process& child = prepare(id, self.id);
  *handle = handle_of(id);
  child.routine = routine;
  child.argument = argument;
  child.detached = detached;
  child.knowledge.now.assign(self.knowledge.now);
  child.knowledge.now.tick(id);
  self.knowledge.now.tick(self.id);
  // The child runs up to its first visible operation at once: nobody can notice what it does there.
  child.starting = true;
  current_ = &child;
  switch_context(self.context, child.context);
}

int Runtime::join(ProcessId target, void** result) {
  EngineScope scope;
  if (state_.processes.find(target) == nullptr) return ESRCH;
  Process& other = process(target);
  if (other.joined) {
    fail(FindingKind::misuse, "joins a thread that was joined before",
         "joined " + std::to_string(index(target)));
  }
  if (target == current_->id) return EDEADLK;
  if (other.detached) return EINVAL;
  if (other.joiner != no_process) {
    fail(FindingKind::misuse, "joins a thread that another one is waiting to join",
         "joined " + std::to_string(index(target)));
  }
  other.joiner = current_->id;
  note(Action::join, 0, target);
  park({{}, target, false}, other.finished && !other.failed);
  if (RawEvent* event = record(Action::join, 0)) event->peer = target;
  commit();
  other.joined = true;
  --state_.unjoined;
  current_->knowledge.now.join(other.knowledge.now);
  current_->time.now = std::max(current_->time.now, other.time.now);
  tell(reinterpret_cast<std::uintptr_t>(other.result));
  if (result != nullptr) *result = other.result;
  return 0;
}

int Runtime::detach(ProcessId target) {
  if (state_.processes.find(target) == nullptr) return ESRCH;
  Process& other = process(target);
  if (other.detached || other.joined) return EINVAL;
  other.detached = true;
  return 0;
}

void Runtime::run_thread_exit_handlers(Process& self) {
  inside_engine = false;
  while (!self.thread_exit_handlers.empty()) {
    const ExitHandler handler = self.thread_exit_handlers.back();
    self.thread_exit_handlers.pop_back();
    handler.function(handler.argument);
  }
  for (int round = 0; round < 4; ++round) {
    bool any = false;
    for (std::size_t at = 0; at < self.specific.size(); ++at) {
      void* value = self.specific[at].value;
      const ThreadKey* key = find_key(self.specific[at].key);
      if (value == nullptr || key == nullptr || key->destructor == nullptr) continue;
      self.specific[at].value = nullptr;
      any = true;
      key->destructor(value);
    }
    if (!any) break;
  }
  inside_engine = true;
}

void Runtime::finish_current(void* result) {
  Process& self = *current_;
  self.result = result;
  self.finished = true;
  if (self.watch.held != 0) learned_.ended_with_locks = true;
  --state_.live;
  ++state_.unjoined;
  run_->finish(self.id);
  if (self.joiner != no_process) run_->enable(self.joiner, true);
}

void Runtime::end_thread(void* result) {
  Process& self = *current_;
  run_thread_exit_handlers(self);
  finish_current(result);
  go_on_without_current();
}

void Runtime::end_program(bool run_handlers, int code) {
  if (run_handlers) {
    run_thread_exit_handlers(*current_);
    while (!state_.exit_handlers.empty()) {
      const ExitHandler handler = state_.exit_handlers.back();
      state_.exit_handlers.pop_back();
      inside_engine = false;
      handler.function(handler.argument);
      inside_engine = true;
    }
  }
  inside_engine = true;
  if (run_handlers) look_for_leaks();
  const auto told = static_cast<std::uint8_t>(code);  // the caller sees no more of it
  if (told != 0 && request_.checks.exit_code) {
    fail(FindingKind::exit_code, "the program ends with exit code " + std::to_string(told),
         "exit code " + std::to_string(told));
  }
  if (state_.live > 1) {
    note(Action::exit_program, 0);
    park({{}, no_process, true}, true);
    record(Action::exit_program, 0);
    run_->exit_code(told);
    commit();
  }
  run_->exit_code(told);
  finish_current(nullptr);
  go_on_without_current();
}

int Runtime::choose(int count) {
  if (count <= 1) return 0;
  EngineScope scope;
  note(Action::choose, 0);
  park({}, true);
  const std::uint16_t choice = run_->outcome(static_cast<std::uint16_t>(count));
  state_.decision.choice = choice;
  if (RawEvent* event = record(Action::choose, 0)) event->value = choice;
  ++current_->watch.choices;
  state_.quiet = true;
  commit({}, static_cast<std::uint16_t>(count));
  tell(choice);
  return choice;
}

// --- thread-specific data ------------------------------------------------------------------------

int Runtime::create_key(void (*destructor)(void*), unsigned* key) {
  EngineScope scope;
  if (current_->keys == keys_per_process) return EAGAIN;
  *key =
      first_key + static_cast<unsigned>(index(current_->id)) * keys_per_process + current_->keys++;
  state_.keys.push_back({*key, destructor});
  return 0;
}

const ThreadKey* Runtime::find_key(unsigned name) const {
  for (const ThreadKey& one : state_.keys) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

int Runtime::delete_key(unsigned key) {
  EngineScope scope;
  return std::erase_if(state_.keys, [&](const ThreadKey& one) { return one.name == key; }) == 0
             ? EINVAL
             : 0;
}

void* Runtime::specific(unsigned key) {
  for (const SpecificValue& one : current_->specific) {
    if (one.key == key) return find_key(key) == nullptr ? nullptr : one.value;
  }
  return nullptr;
}

int Runtime::set_specific(unsigned key, const void* value) {
  if (find_key(key) == nullptr) return EINVAL;
  EngineScope scope;
  std::vector<SpecificValue>& values = current_->specific;
  auto known = std::find_if(values.begin(), values.end(),
                            [&](const SpecificValue& one) { return one.key == key; });
  if (known == values.end()) known = values.insert(known, {key, nullptr});
  known->value = const_cast<void*>(value);
  current_->watch.progress();
  return 0;
}

}  // namespace mazurka::threads
