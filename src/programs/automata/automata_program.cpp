#include "programs/automata/automata_program.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "core/check.hpp"

namespace mazurka::automata {

namespace {

constexpr std::uint8_t server_kind = 0;
constexpr std::uint8_t use_mode = 0;

// The value is the address of a bit set of actions (see the header).
bool allowed(std::uint16_t operand, std::uint64_t value) {
  return contains(std::bit_cast<const Word*>(value), operand);
}

/// Sets that only ever merge.
class Merging {
 public:
  explicit Merging(std::size_t size) : parents_(size) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t at) {
    while (parents_[at] != at) at = parents_[at] = parents_[parents_[at]];
    return at;
  }
  void merge(std::size_t one, std::size_t other) {
    one = find(one);
    other = find(other);
    parents_[std::max(one, other)] = std::min(one, other);
  }

 private:
  std::vector<std::size_t> parents_;
};

}  // namespace

AutomataProgram::AutomataProgram(Network network, StatePredicate predicate, std::string wanted)
    : network_(std::move(network)), predicate_(std::move(predicate)), wanted_(std::move(wanted)) {
  static_assert(sizeof(const std::uint64_t*) == sizeof(std::uint64_t));
  vocabulary_.add_kind("server", {{"use", allowed, GuardPartners::every}});
}

void AutomataProgram::prepare() {
  if (prepared_) return;
  make_tables();
  make_groups();
  make_objects();
  prepared_ = true;
}

void AutomataProgram::make_tables() {
  const auto who = participants(network_);
  actions_.resize(network_.actions.size());
  for (const NetworkProcess& process : network_.processes) {
    auto& table = targets_.emplace_back(process.states.size());
    for (const NetworkTransition& step : process.transitions) {
      MAZURKA_CHECK(step.source < process.states.size() && step.target < process.states.size(),
                    "a transition leads from a state of its process to another");
      const bool fresh = table[step.source].emplace(step.action, step.target).second;
      MAZURKA_CHECK(fresh, "an action leads from a state to one other");
    }
    wanting_.push_back(wanting_states(process));
  }
  for (ActionId action = 0; action < actions_.size(); ++action) {
    for (const std::uint32_t process : who[action]) {
      const bool client = network_.processes[process].role == Role::client;
      (client ? actions_[action].clients : actions_[action].servers).push_back(process);
    }
  }
}

void AutomataProgram::make_groups() {
  Merging merging(network_.processes.size());
  for (const Action& action : actions_) {
    for (const std::uint32_t client : action.clients) merging.merge(action.clients[0], client);
  }
  std::vector<std::size_t> number(network_.processes.size(), no_target);
  for (std::uint32_t process = 0; process < network_.processes.size(); ++process) {
    if (network_.processes[process].role != Role::client) continue;
    const std::size_t root = merging.find(process);
    if (number[root] == no_target) {
      number[root] = groups_.size();
      groups_.emplace_back();
    }
    groups_[number[root]].clients.push_back(process);
  }
}

void AutomataProgram::make_objects() {
  Merging merging(network_.processes.size());
  for (const Action& action : actions_) {
    for (const std::uint32_t server : action.servers) merging.merge(action.servers[0], server);
  }
  std::vector<std::uint32_t> number(network_.processes.size(), none);
  for (std::uint32_t process = 0; process < network_.processes.size(); ++process) {
    if (network_.processes[process].role != Role::server) continue;
    const std::size_t root = merging.find(process);
    if (number[root] == none) {
      number[root] = static_cast<std::uint32_t>(objects_.size());
      objects_.emplace_back();
    }
    objects_[number[root]].servers.push_back(process);
  }
  for (ActionId id = 0; id < actions_.size(); ++id) {
    Action& action = actions_[id];
    if (action.servers.empty()) continue;
    action.object = number[merging.find(action.servers[0])];
    std::vector<ActionId>& known = objects_[action.object].actions;
    if (known.size() > std::numeric_limits<std::uint16_t>::max()) {
      throw NetworkError(
          "servers that belong together have more than 65536 actions: too many for "
          "a stateless technique");
    }
    MAZURKA_CHECK(action.object < objects_.size(), "servers that act together are an object");
    action.operand = static_cast<std::uint16_t>(known.size());
    known.push_back(id);
  }
}

LocalState AutomataProgram::target(std::uint32_t process, LocalState state, ActionId action) const {
  MAZURKA_CHECK(state < targets_[process].size(), "a process is in a state that it has");
  const auto& edges = targets_[process][state];
  const auto found = edges.find(action);
  return found == edges.end() ? no_target : found->second;
}

bool AutomataProgram::clients_allow(ActionId action) const {
  const std::vector<std::uint32_t>& clients = actions_[action].clients;
  return std::all_of(clients.begin(), clients.end(), [&](std::uint32_t client) {
    return target(client, locals_[client], action) != no_target;
  });
}

bool AutomataProgram::servers_allow(ActionId action) const {
  const std::vector<std::uint32_t>& servers = actions_[action].servers;
  return std::all_of(servers.begin(), servers.end(), [&](std::uint32_t server) {
    return target(server, locals_[server], action) != no_target;
  });
}

std::uint64_t AutomataProgram::value_of(Object& object) {
  std::vector<LocalState> states;
  for (const std::uint32_t server : object.servers) states.push_back(locals_[server]);
  auto& value = object.values[std::move(states)];
  if (value == nullptr) {
    value = std::make_unique<std::vector<Word>>(words_for(object.actions.size()), 0);
    for (std::size_t at = 0; at < object.actions.size(); ++at) {
      if (servers_allow(object.actions[at])) insert(value->data(), at);
    }
  }
  return std::bit_cast<std::uint64_t>(static_cast<const Word*>(value->data()));
}

void AutomataProgram::announce(Run& run, Group& group) {
  if (group.chosen == none) {
    group.offers.clear();
    for (const std::uint32_t client : group.clients) {
      for (const auto& [action, to] : targets_[client][locals_[client]]) {
        if (actions_[action].clients.front() == client && clients_allow(action)) {
          group.offers.push_back(action);
        }
      }
    }
    if (group.offers.empty()) {
      // Clients of a group may wait for each other for ever: then nobody is at the end.
      group.finished = std::all_of(group.clients.begin(), group.clients.end(),
                                   [&](auto client) { return !wanting_[client][locals_[client]]; });
      if (group.finished) {
        run.finish(group.name);
      } else {
        run.announce(group.name, {}, false);
      }
      return;
    }
    if (group.offers.size() > 1) {
      run.announce(group.name, {}, true);
      return;
    }
    group.chosen = group.offers.front();
  }
  const Action& action = actions_[group.chosen];
  if (action.object == none) {
    run.announce(group.name, {}, true);
    return;
  }
  const Access access{static_cast<ObjectId>(action.object), server_kind, use_mode, action.operand};
  run.announce(group.name, {{&access, 1}}, servers_allow(group.chosen));
}

void AutomataProgram::perform(ActionId action) {
  performed_.push_back(action);
  taken_.push_back({action, true});
  const auto move = [&](std::uint32_t process) {
    const LocalState to = target(process, locals_[process], action);
    MAZURKA_CHECK(to != no_target, "an action is taken that all its processes allow");
    locals_[process] = to;
  };
  std::for_each(actions_[action].clients.begin(), actions_[action].clients.end(), move);
  std::for_each(actions_[action].servers.begin(), actions_[action].servers.end(), move);
}

void AutomataProgram::go_on(Run& run, Group& group) {
  const ActionId action = group.chosen;
  MAZURKA_CHECK(action != none, "a group goes on with the action that it has chosen");
  group.chosen = none;
  perform(action);
  look_at_state(run, group.name);
  if (run.over()) return;
  announce(run, group);
  const std::uint32_t object = actions_[action].object;
  if (object == none) return;
  for (Group& other : groups_) {
    if (other.chosen != none && actions_[other.chosen].object == object) {
      run.enable(other.name, servers_allow(other.chosen));
    }
  }
}

void AutomataProgram::look_at_state(Run& run, ProcessId mover) {
  if (predicate_.empty()) return;
  if (!predicate_([&](std::uint32_t process) { return locals_[process]; })) return;
  run.report(mover, FindingKind::assertion, "reached: " + wanted_, "reached " + wanted_);
}

bool AutomataProgram::ended_in_terminal_state() const {
  for (ActionId action = 0; action < actions_.size(); ++action) {
    if (!actions_[action].clients.empty() && clients_allow(action) && servers_allow(action)) {
      return false;
    }
  }
  return true;
}

bool AutomataProgram::someone_can_move(const Run& run) const {
  return std::any_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    return !group.finished && run.is_enabled(group.name);
  });
}

const std::vector<ActionId>& AutomataProgram::replay(const std::vector<Decision>& schedule,
                                                     ProcessNames names) {
  Execution execution;
  Run run_again(vocabulary_, names, execution);
  run_again.start({.prefix = schedule}, {.max_events = schedule.size(), .stop_at_finding = false});
  run(run_again);
  run_again.finish_execution();
  return performed_;
}

void AutomataProgram::run(Run& run) {
  prepare();
  locals_.clear();
  for (const NetworkProcess& process : network_.processes) locals_.push_back(process.initial);
  performed_.clear();
  taken_.clear();
  for (std::size_t at = 0; at < groups_.size(); ++at) {
    Group& group = groups_[at];
    group.name = at == 0 ? Run::root() : run.create(Run::root());
    group.chosen = none;
    group.finished = false;
    if (group_of_.size() <= index(group.name)) group_of_.resize(index(group.name) + 1);
    group_of_[index(group.name)] = at;
  }
  look_at_state(run, Run::root());
  if (run.over()) return;
  if (groups_.empty()) run.finish(Run::root());
  for (Group& group : groups_) announce(run, group);
  while (true) {
    if (!someone_can_move(run) && !ended_in_terminal_state()) run.excuse_waiting();
    const auto decision = run.next();
    if (!decision) return;
    MAZURKA_CHECK(index(decision->process) < group_of_.size() &&
                      groups_[group_of_[index(decision->process)]].name == decision->process,
                  "a group moves that is part of the program");
    Group& group = groups_[group_of_[index(decision->process)]];
    if (group.chosen == none) {
      if (!run.commit({}, static_cast<std::uint16_t>(group.offers.size()))) return;
      MAZURKA_CHECK(decision->choice < group.offers.size(), "a group chooses among its offers");
      group.chosen = group.offers[decision->choice];
      taken_.push_back({group.chosen, false});
      announce(run, group);
      continue;
    }
    const std::uint32_t object = actions_[group.chosen].object;
    const std::uint64_t before = object == none ? 0 : value_of(objects_[object]);
    if (!run.commit({&before, object == none ? std::size_t{0} : std::size_t{1}})) return;
    go_on(run, group);
  }
}

}  // namespace mazurka::automata
