#include "oracle/model_program.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace mazurka::oracle {

namespace {

enum Kind : std::uint8_t { variable, mutex, semaphore, condition, shared_lock };
enum VariableMode : std::uint8_t { read, write, update, await, test, exchange, sum, set_bits };
enum MutexMode : std::uint8_t { lock, unlock, attempt, found_held };
enum SemaphoreMode : std::uint8_t { wait, post, attempt_to_take, found_empty };
enum SharedLockMode : std::uint8_t {
  take,  // guarded, as is share
  give,
  attempt_to_have,
  found_shut,
  share,
  unshare,
  shared_at_once,
};
enum ConditionMode : std::uint8_t { enqueue, signal };

constexpr std::uint64_t held_alone = 128;

// Those who share a lock, and stop sharing it, do not disturb each other.
void add_shared_lock(Vocabulary& vocabulary) {
  const auto allows = [](std::uint16_t shares, std::uint64_t value) {
    return shares != 0 ? value < held_alone : value == 0;
  };
  vocabulary.add_kind(
      "read-write lock",
      {{"take", allows},
       {"give back"},
       {.name = "try", .attempts = true, .silent = true},
       {.name = "try when it is held", .writes = false, .silent = true},
       {.name = "share", .guard = allows, .moves = 1, .in_order = take},
       {.name = "stop sharing", .moves = -1, .in_order = give},
       {.name = "try, and share", .silent = true, .moves = 1, .in_order = attempt_to_have}});
  vocabulary.declare_independent(shared_lock, found_shut, found_shut);
  for (const std::uint8_t one : {share, unshare, shared_at_once}) {
    for (const std::uint8_t other : {share, unshare, shared_at_once}) {
      vocabulary.declare_independent(shared_lock, one, other);
    }
  }
}

// `awaits`: some step waits for the value of a variable. What it looks at may come and go with the
// order of sums, so these are in order then.
Vocabulary make_vocabulary(bool awaits) {
  Vocabulary vocabulary;
  const GuardPredicate equals = [](std::uint16_t operand, std::uint64_t value) {
    return value == operand;
  };
  const auto zero = [](std::uint16_t, std::uint64_t value) { return value == 0; };
  const auto above_zero = [](std::uint16_t, std::uint64_t value) { return value > 0; };
  // A read is remembered; a test is not, only what came of it.
  vocabulary.add_kind("variable", {{.name = "read", .writes = false, .keeps = true},
                                   {.name = "write", .reads = false},
                                   {.name = "update"},
                                   {.name = "await",
                                    .guard = awaits ? equals : nullptr,
                                    .partners = GuardPartners::every,
                                    .writes = false},
                                   {.name = "test", .writes = false},
                                   {.name = "exchange", .attempts = true},
                                   {.name = "sum", .adds_up = !awaits},
                                   {.name = "set bits", .adds_up = !awaits}});
  for (const std::uint8_t one : {read, await, test}) {
    for (const std::uint8_t other : {read, await, test}) {
      vocabulary.declare_independent(variable, one, other);
    }
  }
  if (!awaits) {
    vocabulary.declare_independent(variable, sum, sum);
    vocabulary.declare_independent(variable, set_bits, set_bits);
  }
  vocabulary.add_kind("mutex", {{"lock", zero},
                                {"unlock"},
                                {.name = "try", .attempts = true},
                                {.name = "try when it is held", .writes = false}});
  vocabulary.declare_independent(mutex, found_held, found_held);
  vocabulary.add_kind("semaphore", {{"wait", above_zero},
                                    {"post"},
                                    {.name = "try", .attempts = true},
                                    {.name = "try when it is empty", .writes = false}});
  vocabulary.declare_independent(semaphore, found_empty, found_empty);
  vocabulary.add_kind("condition", {{"enqueue"}, {"signal"}});
  vocabulary.declare_independent(condition, enqueue, enqueue);
  add_shared_lock(vocabulary);
  return vocabulary;
}

Access access(Kind kind, std::uint8_t number, std::uint8_t mode, std::uint16_t operand = 0) {
  return {static_cast<ObjectId>(kind * most_objects + number), kind, mode, operand};
}

std::vector<Access> footprint(const ModelStep& step) {
  switch (step.op) {
    case Op::read:
    case Op::read_branch: return {access(variable, step.x, read)};
    case Op::check: return {access(variable, step.x, test)};
    case Op::write:
    case Op::write_sum:
    case Op::choose_write: return {access(variable, step.x, write)};
    case Op::add: return {access(variable, step.x, update)};
    case Op::sum: return {access(variable, step.x, sum)};
    case Op::set_bits: return {access(variable, step.x, set_bits)};
    case Op::swap: return {access(variable, step.x, update), access(variable, step.y, update)};
    case Op::copy: return {access(variable, step.x, test), access(variable, step.y, write)};
    // What it does not overwrite shows through, so it is no plain write.
    case Op::conditional: return {access(variable, step.x, test), access(variable, step.y, update)};
    case Op::await: return {access(variable, step.x, await, step.c)};
    case Op::lock: return {access(mutex, step.x, lock)};
    case Op::unlock: return {access(mutex, step.x, unlock)};
    case Op::try_lock:
    case Op::try_branch: return {access(mutex, step.x, attempt)};
    case Op::exchange:
    case Op::exchange_branch: return {access(variable, step.x, exchange)};
    case Op::sem_try: return {access(semaphore, step.x, attempt_to_take)};
    case Op::sem_wait: return {access(semaphore, step.x, wait)};
    case Op::sem_post: return {access(semaphore, step.x, post)};
    case Op::enqueue: return {access(condition, step.x, enqueue), access(mutex, step.y, unlock)};
    case Op::wake: return {access(mutex, step.y, lock)};
    case Op::signal:
    case Op::broadcast: return {access(condition, step.x, signal)};
    case Op::share: return {access(shared_lock, step.x, share, 1)};
    case Op::take_alone: return {access(shared_lock, step.x, take)};
    case Op::try_share:
    case Op::share_branch:
    case Op::try_alone: return {access(shared_lock, step.x, attempt_to_have)};
    case Op::give_back:
    case Op::choose:
    case Op::spawn:
    case Op::join:
    case Op::exit:
    case Op::wake_free: return {};
  }
  return {};
}

// What an attempt turns out to have been that changes nothing.
std::vector<Access> look(const ModelStep& step) {
  switch (step.op) {
    case Op::exchange: return {access(variable, step.x, test)};
    case Op::exchange_branch: return {access(variable, step.x, read)};
    case Op::try_lock:
    case Op::try_branch: return {access(mutex, step.x, found_held)};
    case Op::sem_try: return {access(semaphore, step.x, found_empty)};
    case Op::try_share:
    case Op::share_branch:
    case Op::try_alone: return {access(shared_lock, step.x, found_shut)};
    default: return {};
  }
}

std::uint64_t value(const State& state, const Access& touched) {
  const std::size_t number = index(touched.object) % most_objects;
  switch (touched.kind) {
    case variable: return state.variables[number];
    case mutex: return state.owners[number];
    case semaphore: return state.semaphores[number];
    case shared_lock:
      return state.alone[number] != 0 ? held_alone + state.alone[number] : shared(state, number);
    default: break;
  }
  std::uint64_t waiting = 0;
  for (std::size_t process = 0; process < most_processes; ++process) {
    if (state.queued[process] == number + 1) waiting |= std::uint64_t{1} << process;
  }
  return waiting;
}

// A state is its variables, mutexes and semaphores with their values, and its processes with what
// they know and where they are. Conditions are the processes that queue up at them.
Fingerprint of_object(const State& state, const Access& touched) {
  if (touched.kind == condition) return {};
  return fingerprint_of(index(touched.object), value(state, touched));
}

Fingerprint of_process(const State& state, std::size_t process) {
  constexpr std::uint64_t after_objects = 5 * most_objects;
  return fingerprint_of(after_objects + process,
                        state.positions[process] + (state.registers[process] << 8) +
                            (state.queued[process] << 16) +
                            (static_cast<std::uint64_t>(state.statuses[process]) << 24) +
                            (static_cast<std::uint64_t>(state.shares[0][process]) << 32) +
                            (static_cast<std::uint64_t>(state.shares[1][process]) << 40));
}

}  // namespace

const Vocabulary& model_vocabulary(const Model& model) {
  static const Vocabulary with_sums = make_vocabulary(false);
  static const Vocabulary with_awaits = make_vocabulary(true);
  const auto awaits = [](const ModelStep& step) { return step.op == Op::await; };
  const bool any =
      std::any_of(model.processes.begin(), model.processes.end(), [&](const ModelProcess& one) {
        return std::any_of(one.steps.begin(), one.steps.end(), awaits);
      });
  return any ? with_awaits : with_sums;
}

ModelProgram::ModelProgram(const Model& model)
    : model_(model), vocabulary_(model_vocabulary(model)) {
  for (const ModelProcess& process : model_.processes) {
    std::vector<Prepared>& steps = prepared_.emplace_back();
    for (const ModelStep& step : process.steps) {
      Prepared& prepared = steps.emplace_back();
      prepared.accesses = footprint(step);
      prepared.look = look(step);
      prepared.exits = step.op == Op::exit;
      prepared.signalled = step.op == Op::wake || step.op == Op::wake_free;
      prepared.waits = prepared.signalled || step.op == Op::lock || step.op == Op::join ||
                       step.op == Op::await || step.op == Op::sem_wait || step.op == Op::share ||
                       step.op == Op::take_alone;
    }
  }
}

void ModelProgram::begin(Run& run, std::size_t process, ProcessId name) {
  names_[process] = name;
  if (process_of_.size() <= index(name)) process_of_.resize(index(name) + 1);
  process_of_[index(name)] = process;
  announce(run, process);
}

// What it does to give back a lock is known once it comes to that.
void ModelProgram::prepare_to_give_back(Prepared& step, std::size_t process, std::uint8_t lock) {
  step.accesses.clear();
  const GivesBack what = gives_back(state_, process, lock);
  if (what == GivesBack::nothing) return;
  step.accesses.push_back(access(shared_lock, lock, what == GivesBack::alone ? give : unshare));
}

void ModelProgram::announce(Run& run, std::size_t process) {
  Prepared& step = prepared(process);
  const ModelStep& model_step = next_step(model_, state_, process);
  if (model_step.op == Op::give_back) prepare_to_give_back(step, process, model_step.x);
  Operation operation{step.accesses, no_process, step.exits};
  // Who joins a process that is not there was skipped over its spawn, and waits for ever.
  if (model_step.op == Op::join && state_.statuses[model_step.x] != Status::absent) {
    operation.awaited = names_[model_step.x];
  }
  run.announce(names_[process], operation, able(model_, state_, process),
               !step.signalled || state_.queued[process] == 0);
}

bool ModelProgram::commit(Run& run, std::size_t process, std::uint16_t choice) {
  before_.clear();
  for (const Access& touched : prepared(process).accesses)
    before_.push_back(value(state_, touched));
  released_.clear();
  const std::uint32_t released = released_by(model_, state_, process, choice);
  if (released != 0) {
    const bool spawns = next_step(model_, state_, process).op == Op::spawn;
    for (std::size_t other = 0; other < model_.processes.size(); ++other) {
      if ((released >> other & 1U) == 0) continue;
      if (spawns) names_[other] = run.create(names_[process]);
      released_.push_back(names_[other]);
    }
  }
  Footprint performed;
  const ModelStep& step = next_step(model_, state_, process);
  const std::array shared_now{access(shared_lock, step.x, shared_at_once)};
  if (only_looks(model_, state_, process)) {
    performed = prepared(process).look;
  } else if (step.op == Op::try_share || step.op == Op::share_branch) {
    performed = shared_now;
  }
  return run.commit(before_, outcomes(model_, state_, process), released_, performed);
}

void ModelProgram::go_on(Run& run, std::size_t process, const Effect& effect) {
  const ProcessId name = names_[process];
  if (effect.failed) {
    const std::string where =
        'p' + std::to_string(process) + ':' + std::to_string(state_.positions[process] - 1);
    run.fail(name, FindingKind::assertion, "assertion failed", "assert " + where);
  } else if (state_.statuses[process] == Status::ended) {
    run.finish(name);
  } else {
    announce(run, process);
  }
  for (std::size_t other = 0; other < model_.processes.size(); ++other) {
    if (state_.statuses[other] != Status::running || other == process) continue;
    if ((effect.released >> other & 1U) != 0) {
      if (state_.positions[other] == 0) {
        begin(run, other, names_[other]);
      } else {
        run.release(names_[other]);
      }
    }
    if (prepared(other).waits) run.enable(names_[other], able(model_, state_, other));
  }
}

void ModelProgram::tell_effects(Run& run, const Prepared& step, const State& before,
                                std::size_t process, const Effect& effect) {
  after_.clear();
  Fingerprint change = of_process(before, process) ^ of_process(state_, process);
  for (const Access& touched : step.accesses) {
    after_.push_back(value(state_, touched));
    change ^= of_object(before, touched) ^ of_object(state_, touched);
  }
  for (std::size_t other = 0; other < model_.processes.size(); ++other) {
    if ((effect.released >> other & 1U) != 0) {
      change ^= of_process(before, other) ^ of_process(state_, other);
    }
  }
  run.effects(after_, change);
}

void ModelProgram::run(Run& run) {
  state_ = initial_state(model_);
  for (std::size_t process = 0; process < model_.processes.size(); ++process) {
    if (!model_.processes[process].present) continue;
    names_[process] = process == 0 ? Run::root() : run.create(Run::root());
  }
  for (std::size_t process = 0; process < model_.processes.size(); ++process) {
    if (model_.processes[process].present) begin(run, process, names_[process]);
  }
  while (const auto decision = run.next()) {
    const std::size_t process = process_of_[index(decision->process)];
    const std::uint16_t choice = run.outcome(outcomes(model_, state_, process));
    if (!commit(run, process, choice)) return;
    const Prepared& step = prepared(process);
    const State before = state_;
    const Effect effect = perform(model_, state_, process, choice);
    if (state_.exited == 0) go_on(run, process, effect);
    if (run.records_states()) tell_effects(run, step, before, process, effect);
  }
}

}  // namespace mazurka::oracle
