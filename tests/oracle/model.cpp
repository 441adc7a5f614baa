#include "oracle/model.hpp"

#include <utility>

namespace mazurka::oracle {

namespace {

std::vector<std::size_t> queued_at(const Model& model, const State& state, std::size_t condition) {
  std::vector<std::size_t> found;
  for (std::size_t process = 0; process < model.processes.size(); ++process) {
    if (state.queued[process] == condition + 1) found.push_back(process);
  }
  return found;
}

std::uint8_t sum(unsigned one, unsigned other) { return static_cast<std::uint8_t>(one + other); }

void give_back(State& state, std::size_t process, std::size_t lock) {
  switch (gives_back(state, process, lock)) {
    case GivesBack::nothing: break;
    case GivesBack::shared: --state.shares[lock][process]; break;
    case GivesBack::alone: state.alone[lock] = 0; break;
  }
}

}  // namespace

unsigned shared(const State& state, std::size_t lock) {
  unsigned all = 0;
  for (const std::uint8_t one : state.shares.at(lock)) all += one;
  return all;
}

GivesBack gives_back(const State& state, std::size_t process, std::size_t lock) {
  if (state.alone[lock] == process + 1) return GivesBack::alone;
  return state.shares[lock][process] > 0 ? GivesBack::shared : GivesBack::nothing;
}

std::string State::bytes() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }

State initial_state(const Model& model) {
  State state;
  state.semaphores = model.semaphores;
  for (std::size_t process = 0; process < model.processes.size(); ++process) {
    if (model.processes[process].present) state.statuses[process] = Status::running;
  }
  return state;
}

const ModelStep& next_step(const Model& model, const State& state, std::size_t process) {
  return model.processes[process].steps[state.positions[process]];
}

bool enabled(const Model& model, const State& state, std::size_t process) {
  if (!able(model, state, process)) return false;
  if (next_step(model, state, process).op != Op::exit) return true;
  for (std::size_t other = 0; other < model.processes.size(); ++other) {
    if (able(model, state, other) && next_step(model, state, other).op != Op::exit) return false;
  }
  return true;
}

bool only_looks(const Model& model, const State& state, std::size_t process) {
  const ModelStep& step = next_step(model, state, process);
  switch (step.op) {
    case Op::exchange:
    case Op::exchange_branch: return state.variables[step.x] != step.c;
    case Op::try_lock:
    case Op::try_branch: return state.owners[step.x] != 0;
    case Op::sem_try: return state.semaphores[step.x] == 0;
    case Op::try_share:
    case Op::share_branch: return state.alone[step.x] != 0;
    case Op::try_alone: return state.alone[step.x] != 0 || shared(state, step.x) != 0;
    default: return false;
  }
}

bool able(const Model& model, const State& state, std::size_t process) {
  if (state.statuses[process] != Status::running || state.exited != 0) return false;
  const ModelStep& step = next_step(model, state, process);
  switch (step.op) {
    case Op::lock: return state.owners[step.x] == 0;
    case Op::await: return state.variables[step.x] == step.c;
    case Op::sem_wait: return state.semaphores[step.x] > 0;
    case Op::share: return state.alone[step.x] == 0;
    case Op::take_alone: return state.alone[step.x] == 0 && shared(state, step.x) == 0;
    case Op::wake: return state.queued[process] == 0 && state.owners[step.y] == 0;
    case Op::wake_free: return state.queued[process] == 0;
    case Op::join:
      return state.statuses[step.x] == Status::ended || state.statuses[step.x] == Status::failed;
    default: return true;
  }
}

std::uint16_t outcomes(const Model& model, const State& state, std::size_t process) {
  const ModelStep& step = next_step(model, state, process);
  if (step.op == Op::choose || step.op == Op::choose_write) return step.c;
  if (step.op == Op::signal) {
    const std::size_t waiting = queued_at(model, state, step.x).size();
    return static_cast<std::uint16_t>(waiting == 0 ? 1 : waiting);
  }
  return 1;
}

std::uint32_t released_by(const Model& model, const State& state, std::size_t process,
                          std::uint16_t choice) {
  const ModelStep& step = next_step(model, state, process);
  std::uint32_t released = 0;
  if (step.op == Op::spawn && state.statuses[step.x] == Status::absent) released = 1U << step.x;
  if (step.op == Op::signal) {
    const auto waiting = queued_at(model, state, step.x);
    if (!waiting.empty()) released = 1U << waiting.at(choice);
  }
  if (step.op == Op::broadcast) {
    for (const std::size_t other : queued_at(model, state, step.x)) released |= 1U << other;
  }
  return released;
}

Effect perform(const Model& model, State& state, std::size_t process, std::uint16_t choice) {
  const ModelStep step = next_step(model, state, process);
  Effect effect{released_by(model, state, process, choice), false,
                only_looks(model, state, process)};
  std::uint8_t& local = state.registers[process];
  auto& variables = state.variables;
  unsigned advance = 1;
  switch (step.op) {
    case Op::read: local = variables[step.x]; break;
    case Op::read_branch:
      local = variables[step.x];
      if (local == step.c) advance = 2;
      break;
    case Op::write: variables[step.x] = step.c; break;
    case Op::write_sum: variables[step.x] = sum(local, step.c); break;
    case Op::add:
    case Op::sum: variables[step.x] = sum(variables[step.x], step.c); break;
    case Op::set_bits: variables[step.x] |= step.c; break;
    case Op::check: effect.failed = variables[step.x] == step.c; break;
    case Op::swap: std::swap(variables[step.x], variables[step.y]); break;
    case Op::copy: variables[step.y] = variables[step.x]; break;
    case Op::conditional:
      if (variables[step.x] == step.c) variables[step.y] = step.d;
      break;
    case Op::exchange:
      local = effect.only_looked ? 0 : 1;
      if (!effect.only_looked) variables[step.x] = step.d;
      break;
    case Op::exchange_branch:
      local = variables[step.x];
      if (effect.only_looked) {
        advance = 2;
      } else {
        variables[step.x] = step.d;
      }
      break;
    case Op::lock: state.owners[step.x] = sum(static_cast<unsigned>(process), 1); break;
    case Op::unlock:
      if (state.owners[step.x] == process + 1) state.owners[step.x] = 0;
      break;
    case Op::try_lock:
    case Op::try_branch:
      local = effect.only_looked ? 0 : 1;
      if (!effect.only_looked) state.owners[step.x] = sum(static_cast<unsigned>(process), 1);
      if (effect.only_looked && step.op == Op::try_branch) advance = 2;
      break;
    case Op::choose: local = static_cast<std::uint8_t>(choice); break;
    case Op::choose_write: variables[step.x] = static_cast<std::uint8_t>(choice); break;
    case Op::spawn:
      if (state.statuses[step.x] == Status::absent) state.statuses[step.x] = Status::running;
      break;
    case Op::exit: state.exited = 1; break;
    case Op::sem_wait: --state.semaphores[step.x]; break;
    case Op::sem_try:
      local = effect.only_looked ? 0 : 1;
      if (!effect.only_looked) --state.semaphores[step.x];
      break;
    case Op::sem_post: ++state.semaphores[step.x]; break;
    case Op::enqueue:
      if (state.owners[step.y] == process + 1) state.owners[step.y] = 0;
      state.queued[process] = sum(step.x, 1);
      break;
    case Op::wake: state.owners[step.y] = sum(static_cast<unsigned>(process), 1); break;
    case Op::signal:
    case Op::broadcast:
      for (std::size_t other = 0; other < model.processes.size(); ++other) {
        if ((effect.released >> other & 1U) != 0) state.queued[other] = 0;
      }
      break;
    case Op::share: ++state.shares[step.x][process]; break;
    case Op::try_share:
    case Op::share_branch:
      local = effect.only_looked ? 0 : 1;
      if (!effect.only_looked) ++state.shares[step.x][process];
      if (effect.only_looked && step.op == Op::share_branch) advance = 2;
      break;
    case Op::try_alone: local = effect.only_looked ? 0 : 1; [[fallthrough]];
    case Op::take_alone:
      if (!effect.only_looked) state.alone[step.x] = sum(static_cast<unsigned>(process), 1);
      break;
    case Op::give_back: give_back(state, process, step.x); break;
    case Op::await:
    case Op::join:
    case Op::wake_free: break;
  }
  state.positions[process] = sum(state.positions[process], advance);
  if (effect.failed) {
    state.statuses[process] = Status::failed;
  } else if (state.positions[process] >= model.processes[process].steps.size()) {
    state.statuses[process] = Status::ended;
  }
  return effect;
}

bool deadlocked(const Model& model, const State& state) {
  if (state.exited != 0) return false;
  bool left = false;
  for (std::size_t process = 0; process < model.processes.size(); ++process) {
    if (state.statuses[process] == Status::failed || enabled(model, state, process)) return false;
    if (state.statuses[process] == Status::running) left = true;
  }
  return left;
}

std::string to_string(const ModelStep& step) {
  const auto named = [](char kind, unsigned number) { return kind + std::to_string(number); };
  const std::string x = named('x', step.x);
  const std::string c = std::to_string(step.c);
  switch (step.op) {
    case Op::read: return "r=" + x;
    case Op::read_branch: return "r=" + x + ",skip if " + c;
    case Op::write: return x + "=" + c;
    case Op::write_sum: return x + "=r+" + c;
    case Op::add: return x + "+=" + c;
    case Op::sum: return "sum " + x + "+=" + c;
    case Op::set_bits: return x + "|=" + c;
    case Op::check: return "assert " + x + "!=" + c;
    case Op::swap: return "swap " + x + "," + named('x', step.y);
    case Op::copy: return named('x', step.y) + "=" + x;
    case Op::conditional:
      return "if " + x + "==" + c + " then " + named('x', step.y) + "=" + std::to_string(step.d);
    case Op::exchange: return "r=cas " + x + "," + c + "," + std::to_string(step.d);
    case Op::exchange_branch:
      return "cas " + x + "," + c + "," + std::to_string(step.d) + ",skip if not";
    case Op::lock: return "lock " + named('m', step.x);
    case Op::unlock: return "unlock " + named('m', step.x);
    case Op::try_lock: return "trylock " + named('m', step.x);
    case Op::try_branch: return "trylock " + named('m', step.x) + ",skip if not";
    case Op::choose: return "r=choose " + c;
    case Op::choose_write: return x + "=choose " + c;
    case Op::spawn: return "spawn " + named('p', step.x);
    case Op::join: return "join " + named('p', step.x);
    case Op::exit: return "exit";
    case Op::await: return "await " + x + "==" + c;
    case Op::sem_wait: return "wait " + named('s', step.x);
    case Op::sem_try: return "trywait " + named('s', step.x);
    case Op::sem_post: return "post " + named('s', step.x);
    case Op::enqueue: return "enqueue " + named('c', step.x) + " freeing " + named('m', step.y);
    case Op::wake: return "wake " + named('c', step.x) + " locking " + named('m', step.y);
    case Op::wake_free: return "wake " + named('c', step.x);
    case Op::signal: return "signal " + named('c', step.x);
    case Op::broadcast: return "broadcast " + named('c', step.x);
    case Op::share: return "share " + named('l', step.x);
    case Op::take_alone: return "take " + named('l', step.x);
    case Op::try_share: return "tryshare " + named('l', step.x);
    case Op::try_alone: return "trytake " + named('l', step.x);
    case Op::share_branch: return "tryshare " + named('l', step.x) + ",skip if not";
    case Op::give_back: return "give back " + named('l', step.x);
  }
  return "?";
}

std::string to_string(const Model& model) {
  std::string text;
  for (std::size_t process = 0; process < model.processes.size(); ++process) {
    text += 'p' + std::to_string(process) + (model.processes[process].present ? ":" : " (absent):");
    const char* separator = " ";
    for (const ModelStep& step : model.processes[process].steps) {
      text += separator + to_string(step);
      separator = "; ";
    }
    text += '\n';
  }
  for (std::size_t at = 0; at < model.semaphores.size(); ++at) {
    if (model.semaphores[at] != 0) {
      text +=
          's' + std::to_string(at) + " starts at " + std::to_string(model.semaphores[at]) + '\n';
    }
  }
  return text;
}

}  // namespace mazurka::oracle
