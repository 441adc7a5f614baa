#include "program.test.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace certify::tests {
namespace {

struct State {
  std::vector<Value> values;
  std::vector<std::size_t> at;      // instruction of each process
  std::vector<std::uint64_t> seen;  // the value it saw last
  std::vector<bool> born;
  std::uint32_t stopped_by = none;
  Log log;
};

Operation the_end() {
  Operation end;
  end.end = true;
  return end;
}

class Machine {
 public:
  explicit Machine(const Program& program) : program_(program) {}

  [[nodiscard]] State start() const {
    State state;
    for (const TestObject& object : program_.objects) {
      state.values.push_back({object.initial, {}, {}, {}});
    }
    const std::size_t processes = program_.processes.size();
    state.at.resize(processes);
    state.seen.resize(processes, 99);
    for (const Code& code : program_.processes) state.born.push_back(code.parent == none);
    return state;
  }

  // The instruction that the process is at; null: it has ended.
  const Instruction* next(State& state, std::uint32_t process) const {
    const std::vector<Instruction>& code = program_.processes[process].instructions;
    if (state.stopped_by == process) return nullptr;
    for (std::size_t& at = state.at[process]; at < code.size(); ++at) {
      const int condition = code[at].only_if;
      if (condition < 0 || state.seen[process] == static_cast<std::uint64_t>(condition)) {
        return &code[at];
      }
    }
    return nullptr;
  }

  [[nodiscard]] bool can_move(State& state, std::uint32_t process) const {
    if (!state.born[process]) return false;
    const Instruction* const instruction = next(state, process);
    if (instruction == nullptr) return false;
    const Operation& operation = instruction->operation;
    if (operation.joins != none &&
        (!state.born[operation.joins] || next(state, operation.joins) != nullptr)) {
      return false;
    }
    return std::all_of(operation.parts.begin(), operation.parts.end(), [&](const Part& part) {
      return enabled(part, process, state.values[part.object]);
    });
  }

  // Those that can take a step; an exit waits for all others.
  [[nodiscard]] std::vector<std::uint32_t> movers(State& state) const {
    std::vector<std::uint32_t> now;
    std::vector<std::uint32_t> exits;
    if (state.stopped_by != none) return now;
    for (std::uint32_t process = 0; process < state.at.size(); ++process) {
      if (!can_move(state, process)) continue;
      const bool exit = next(state, process)->operation.ending == Ending::exit;
      (exit ? exits : now).push_back(process);
    }
    return now.empty() ? exits : now;
  }

  [[nodiscard]] std::uint32_t outcomes(State& state, std::uint32_t process) const {
    const Operation& operation = next(state, process)->operation;
    std::uint32_t number = operation.choices;
    for (const Part& part : operation.parts) {
      number = std::max(number, choices(part, state.values[part.object]));
    }
    return number;
  }

  void step(State& state, std::uint32_t process, std::uint32_t choice) const {
    const Instruction& instruction = *next(state, process);
    const Operation& operation = instruction.operation;
    LoggedStep step{process, operation, {choice, {}}};
    if (operation.choices > 1) state.seen[process] = choice;
    for (const Part& part : operation.parts) {
      Value& value = state.values[part.object];
      PartOutcome outcome;
      if (part.action == Action::update) outcome.written = value.number + 1;
      if (part.action == Action::compare_exchange) {
        outcome.succeeded = value.number == instruction.expected;
        outcome.written = outcome.succeeded ? instruction.desired : 0;
      }
      const Effect effect = perform(part, process, choice, outcome, value);
      outcome.succeeded = effect.succeeded;
      if (observes(part.action)) outcome.observed = effect.observed;
      if (observes(part.action)) state.seen[process] = effect.observed;
      if (may_fail(part.action)) state.seen[process] = effect.succeeded ? 1 : 0;
      step.outcome.parts.push_back(outcome);
    }
    for (const std::uint32_t child : operation.spawns) state.born[child] = true;
    if (operation.ending != Ending::no) state.stopped_by = process;
    ++state.at[process];
    state.log.steps.push_back(std::move(step));
  }

  void finish(State& state) const {
    for (std::uint32_t process = 0; process < state.at.size(); ++process) {
      std::optional<Operation>& last = state.log.last.emplace_back();
      if (!state.born[process]) continue;
      const Instruction* const instruction = next(state, process);
      last = instruction == nullptr ? the_end() : instruction->operation;
    }
  }

 private:
  const Program& program_;
};

// The classes with which each step of a log touches objects.
struct Touch {
  std::uint32_t object;
  Class performed;
};

std::vector<std::vector<Touch>> touches(const Program& program,
                                        const std::vector<LoggedStep>& log) {
  std::vector<Value> values;
  for (const TestObject& object : program.objects) values.push_back({object.initial, {}, {}, {}});
  std::vector<std::vector<Touch>> all;
  for (const LoggedStep& step : log) {
    std::vector<Touch>& own = all.emplace_back();
    for (std::size_t at = 0; at < step.operation.parts.size(); ++at) {
      const Part& part = step.operation.parts[at];
      const Effect effect = perform(part, step.process, step.outcome.choice, step.outcome.parts[at],
                                    values[part.object]);
      own.push_back({part.object, effect.performed});
    }
  }
  return all;
}

bool in_order(const LoggedStep& one, const std::vector<Touch>& own, const LoggedStep& other,
              const std::vector<Touch>& others) {
  const auto born = [&](const LoggedStep& parent, const LoggedStep& child) {
    const auto& spawns = parent.operation.spawns;
    return std::find(spawns.begin(), spawns.end(), child.process) != spawns.end();
  };
  if (one.process == other.process || born(one, other)) return true;
  if (one.operation.ending != Ending::no || other.operation.ending != Ending::no) return true;
  if (other.operation.joins == one.process) return true;
  for (const Touch& touch : own) {
    for (const Touch& with : others) {
      if (touch.object == with.object && conflict(touch.performed, with.performed)) return true;
    }
  }
  return false;
}

std::string words(const LoggedStep& step) {
  std::string text = std::to_string(step.process) + ":" + std::to_string(step.outcome.choice);
  for (const Part& part : step.operation.parts) {
    text += ',' + std::to_string(static_cast<int>(part.action)) + '.' +
            std::to_string(part.object) + '.' + std::to_string(part.operand);
  }
  for (const PartOutcome& part : step.outcome.parts) {
    text += '=' + std::to_string(part.observed) + '/' + std::to_string(part.written) +
            (part.succeeded ? "" : "!");
  }
  return text + ';';
}

// The order in which always the lowest process goes first that nothing remaining is before.
std::string canonical(const Program& program, const std::vector<LoggedStep>& log) {
  const auto touched = touches(program, log);
  std::vector<bool> done(log.size());
  std::string text;
  for (std::size_t round = 0; round < log.size(); ++round) {
    std::size_t best = log.size();
    for (std::size_t at = 0; at < log.size(); ++at) {
      if (done[at] || (best < log.size() && log[best].process <= log[at].process)) continue;
      bool first = true;
      for (std::size_t before = 0; before < at && first; ++before) {
        first = done[before] || !in_order(log[before], touched[before], log[at], touched[at]);
      }
      if (first) best = at;
    }
    done[best] = true;
    text += words(log[best]);
  }
  return text;
}

}  // namespace

namespace {

// The program that logs describe: what each process does next after what it did and observed.
class Described {
 public:
  Described(const Program& program, const std::vector<Log>& logs) : program_(program) {
    for (const Log& log : logs) {
      std::vector<std::string> views(program.processes.size());
      for (const LoggedStep& step : log.steps) {
        std::string& view = views[step.process];
        next_[std::to_string(step.process) + view] = step.operation;
        view += words(step);
        outcomes_[std::to_string(step.process) + input_of(view, step)] = step.outcome;
      }
      for (std::size_t process = 0; process < views.size(); ++process) {
        if (log.last[process]) next_[std::to_string(process) + views[process]] = *log.last[process];
      }
    }
  }

  std::optional<std::set<std::string>> traces() {
    State state;
    for (const TestObject& object : program_.objects) {
      state.values.push_back({object.initial, {}, {}, {}});
    }
    for (const Code& code : program_.processes) state.born.push_back(code.parent == none);
    state.views.resize(program_.processes.size());
    explore(std::move(state));
    if (undescribed_) return std::nullopt;
    return traces_;
  }

 private:
  struct State {
    std::vector<Value> values;
    std::vector<bool> born;
    std::vector<std::string> views;
    std::vector<LoggedStep> log;
    std::uint32_t stopped_by = none;
  };

  // What the words of a step say without what the process could work out.
  static std::string input_of(const std::string& view, const LoggedStep& step) {
    std::string text = view.substr(0, view.size() - words(step).size());
    text += '#' + std::to_string(step.outcome.choice);
    for (const PartOutcome& part : step.outcome.parts) text += '#' + std::to_string(part.observed);
    return text;
  }

  const Operation* next(const State& state, std::uint32_t process) {
    const auto found = next_.find(std::to_string(process) + state.views[process]);
    if (found == next_.end()) undescribed_ = true;
    return found == next_.end() || found->second.end ? nullptr : &found->second;
  }

  bool can_move(const State& state, std::uint32_t process) {
    if (!state.born[process] || state.stopped_by != none) return false;
    const Operation* const operation = next(state, process);
    if (operation == nullptr) return false;
    if (operation->joins != none &&
        (!state.born[operation->joins] || next(state, operation->joins) != nullptr)) {
      return false;
    }
    return std::all_of(operation->parts.begin(), operation->parts.end(), [&](const Part& part) {
      return enabled(part, process, state.values[part.object]);
    });
  }

  void explore(State state) {
    if (undescribed_ || !known_.insert(canonical(program_, state.log)).second) return;
    std::vector<std::uint32_t> movers;
    std::vector<std::uint32_t> exits;
    for (std::uint32_t process = 0; process < state.born.size(); ++process) {
      if (!can_move(state, process)) continue;
      (next(state, process)->ending == Ending::exit ? exits : movers).push_back(process);
    }
    if (movers.empty()) movers = exits;
    if (movers.empty()) traces_.insert(canonical(program_, state.log));
    for (const std::uint32_t process : movers) {
      std::uint32_t number = next(state, process)->choices;
      for (const Part& part : next(state, process)->parts) {
        number = std::max(number, choices(part, state.values[part.object]));
      }
      for (std::uint32_t choice = 0; choice < number; ++choice) step(state, process, choice);
    }
  }

  void step(State state, std::uint32_t process, std::uint32_t choice) {
    const Operation operation = *next(state, process);
    LoggedStep step{process, operation, {choice, {}}};
    for (const Part& part : operation.parts) {
      step.outcome.parts.push_back({true, state.values[part.object].number, 0});
      if (!observes(part.action)) step.outcome.parts.back().observed = 0;
    }
    const auto described = outcomes_.find(std::to_string(process) +
                                          input_of(state.views[process] + words(step), step));
    for (std::size_t at = 0; at < operation.parts.size(); ++at) {
      const Part& part = operation.parts[at];
      PartOutcome& outcome = step.outcome.parts[at];
      if (writes_outcome(part.action)) {
        if (described == outcomes_.end()) {
          undescribed_ = true;
          return;
        }
        outcome = described->second.parts[at];
      }
      outcome.succeeded =
          perform(part, process, choice, outcome, state.values[part.object]).succeeded;
    }
    for (const std::uint32_t child : operation.spawns) state.born[child] = true;
    if (operation.ending != Ending::no) state.stopped_by = process;
    state.views[process] += words(step);
    state.log.push_back(std::move(step));
    explore(std::move(state));
  }

  const Program& program_;
  std::map<std::string, Operation> next_;
  std::map<std::string, Outcome> outcomes_;
  std::set<std::string> known_;
  std::set<std::string> traces_;
  bool undescribed_ = false;
};

}  // namespace

std::optional<std::set<std::string>> described_traces(const Program& program,
                                                      const std::vector<Log>& logs) {
  return Described(program, logs).traces();
}

std::string trace_of(const Program& program, const Log& log) {
  return canonical(program, log.steps);
}

std::optional<std::vector<Log>> all_traces(const Program& program, const Bounds& bounds) {
  const Machine machine(program);
  std::vector<State> todo{machine.start()};
  std::set<std::string> known;
  std::vector<Log> traces;
  while (!todo.empty()) {
    State state = std::move(todo.back());
    todo.pop_back();
    if (!known.insert(canonical(program, state.log.steps)).second) continue;
    const std::vector<std::uint32_t> movers = machine.movers(state);
    if (movers.empty()) {
      machine.finish(state);
      traces.push_back(std::move(state.log));
    }
    if (known.size() > bounds.states || traces.size() > bounds.traces) return std::nullopt;
    for (const std::uint32_t process : movers) {
      for (std::uint32_t choice = 0; choice < machine.outcomes(state, process); ++choice) {
        todo.push_back(state);
        machine.step(todo.back(), process, choice);
      }
    }
  }
  return traces;
}

Instruction access(Action action, std::uint32_t object, std::uint64_t operand) {
  Instruction instruction;
  instruction.operation.parts.push_back({object, action, 8, operand});
  return instruction;
}
Instruction choose(std::uint32_t choices) {
  Instruction instruction;
  instruction.operation.choices = choices;
  return instruction;
}
Instruction end_program(Ending ending) {
  Instruction instruction;
  instruction.operation.ending = ending;
  return instruction;
}
Instruction spawn(std::uint32_t child) {
  Instruction instruction;
  instruction.operation.spawns.push_back(child);
  return instruction;
}
Instruction join(std::uint32_t process) {
  Instruction instruction;
  instruction.operation.joins = process;
  return instruction;
}

}  // namespace certify::tests
