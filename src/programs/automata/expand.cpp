// From declarations to a network.
//
// An action joins, for every part of a synchronisation, all edges of one process with one event
// that look alike: the same guard and statement, at most one per source location (a second one
// makes a second action, so that actions stay deterministic). The variables that these guards and
// statements mention become participants. If every condition and every assignment mentions one
// variable only, a variable's part in the action is a set of transitions of its own; variables
// that occur together are coupled, and get one action per combination of their values.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/check.hpp"
#include "programs/automata/document.hpp"
#include "programs/automata/effects.hpp"

namespace mazurka::automata {

namespace {

constexpr std::size_t most_actions = 200'000;

struct Alike {  // edges of one process and event that can share an action
  std::uint32_t process = 0;
  std::vector<const DeclaredEdge*> edges;
};

/// How a process takes part: by these edges, or (nullptr) by being where it has no such edge.
struct Part {
  std::uint32_t process = 0;
  std::uint32_t event = 0;
  const Alike* alike = nullptr;
};

struct PlannedAction {
  std::string name;
  std::string qualified;
  std::vector<Part> parts;
  Line line = 0;
};

class Expansion {
 public:
  explicit Expansion(const Document& document) : document_(document) {}

  Network run() {
    network_.name = document_.name;
    add_processes();
    group_edges();
    plan_actions();
    name_actions();
    for (const PlannedAction& action : planned_) add_action(action);
    check_roles();
    return std::move(network_);
  }

 private:
  [[noreturn]] void fail(Line line, const std::string& message) const {
    throw SyntaxError(document_.file, line, message);
  }

  void add_processes() {
    for (const DeclaredProcess& declared : document_.processes) {
      network_.processes.push_back({declared.name,
                                    Role::client,
                                    declared.locations,
                                    static_cast<LocalState>(declared.initial),
                                    {},
                                    {}});
    }
    for (const DeclaredVariable& variable : document_.variables) {
      NetworkProcess server{variable.name,
                            Role::server,
                            {},
                            static_cast<LocalState>(variable.initial - variable.lowest),
                            {},
                            {}};
      for (std::int64_t value = variable.lowest; value <= variable.highest; ++value) {
        server.states.push_back(std::to_string(value));
      }
      network_.processes.push_back(std::move(server));
    }
  }

  void group_edges() {
    for (std::uint32_t process = 0; process < document_.processes.size(); ++process) {
      std::map<std::tuple<std::uint32_t, std::string, std::uint32_t>, std::size_t> known;
      std::map<std::tuple<std::uint32_t, std::string, std::uint32_t>, std::uint32_t> copies;
      for (const DeclaredEdge& edge : document_.processes[process].edges) {
        const std::uint32_t copy = copies[{edge.event, edge.annotation, edge.source}]++;
        std::vector<Alike>& groups = alike_[{process, edge.event}];
        const auto [place, fresh] =
            known.try_emplace({edge.event, edge.annotation, copy}, groups.size());
        if (fresh) groups.push_back({process, {}});
        groups[place->second].edges.push_back(&edge);
      }
    }
  }

  // Sorted by the first event's declaration, then as written.
  void plan_actions() {
    std::set<std::pair<std::uint32_t, std::uint32_t>> synchronised;
    std::vector<std::pair<std::uint32_t, DeclaredSync>> all;
    for (const DeclaredSync& sync : document_.syncs) {
      for (const DeclaredSync::Part& part : sync.parts) {
        synchronised.emplace(part.process, part.event);
      }
      all.emplace_back(sync.parts.front().event, sync);
    }
    for (const auto& [key, groups] : alike_) {
      if (synchronised.count(key) != 0) continue;
      all.emplace_back(key.second, DeclaredSync{{{key.first, key.second, false}},
                                                groups.front().edges.front()->line});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    for (const auto& [event, sync] : all) plan(sync);
  }

  void plan(const DeclaredSync& sync) {
    PlannedAction action;
    action.line = sync.line;
    bool same_event = true;
    for (const DeclaredSync::Part& part : sync.parts) {
      same_event = same_event && part.event == sync.parts.front().event;
      action.qualified += (action.qualified.empty() ? "" : ":") +
                          document_.processes[part.process].name + "@" +
                          document_.events[part.event] + (part.weak ? "?" : "");
    }
    action.name = same_event ? document_.events[sync.parts.front().event] : action.qualified;
    plan_parts(sync, 0, action);
  }

  void plan_parts(const DeclaredSync& sync, std::size_t at, PlannedAction& action) {
    if (at == sync.parts.size()) {
      const bool somebody = std::any_of(action.parts.begin(), action.parts.end(),
                                        [](const Part& part) { return part.alike != nullptr; });
      if (somebody) planned_.push_back(action);
      if (planned_.size() > most_actions) fail(action.line, "the system has too many actions");
      return;
    }
    const DeclaredSync::Part& part = sync.parts[at];
    const auto with = [&](const Alike* alike) {
      action.parts.push_back({part.process, part.event, alike});
      plan_parts(sync, at + 1, action);
      action.parts.pop_back();
    };
    // A process that never does this: nobody can, unless it need not.
    if (const auto groups = alike_.find({part.process, part.event}); groups != alike_.end()) {
      for (const Alike& group : groups->second) {
        if (part.weak) refuse_conditions(group, sync.line);
        with(&group);
      }
    }
    if (part.weak && !locations_without(part.process, part.event).empty()) with(nullptr);
  }

  // Whether it can take part must be a matter of its location alone.
  void refuse_conditions(const Alike& group, Line line) const {
    MAZURKA_CHECK(!group.edges.empty(), "a group of edges has one");
    const DeclaredEdge& edge = *group.edges.front();
    if (edge.guard.empty() && edge.statements.list.empty()) return;
    fail(line,
         "weak synchronisation (EVENT?) with edges that have a guard or a statement is not "
         "supported; such an edge is in line " +
             std::to_string(edge.line));
  }

  [[nodiscard]] std::vector<LocalState> locations_without(std::uint32_t process,
                                                          std::uint32_t event) const {
    const DeclaredProcess& declared = document_.processes[process];
    std::vector<LocalState> result;
    for (LocalState location = 0; location < declared.locations.size(); ++location) {
      if (std::none_of(declared.edges.begin(), declared.edges.end(), [&](const DeclaredEdge& edge) {
            return edge.event == event && edge.source == location;
          })) {
        result.push_back(location);
      }
    }
    return result;
  }

  // The event's name where that is unique, else with its processes, else with a number.
  void name_actions() {
    std::map<std::string, int> uses;
    for (const PlannedAction& action : planned_) ++uses[action.name];
    std::map<std::string, int> copies;
    for (PlannedAction& action : planned_) {
      if (uses[action.name] > 1) action.name = action.qualified;
      const int copy = ++copies[action.name];
      if (copy > 1) action.name += "_" + std::to_string(copy);
    }
  }

  [[nodiscard]] LocalState state_of(std::uint32_t variable, const Values& values) const {
    const DeclaredVariable& declared = document_.variables[variable];
    MAZURKA_CHECK(values[variable] >= declared.lowest && values[variable] <= declared.highest,
                  "a variable has a value that was declared");
    return static_cast<LocalState>(values[variable] - declared.lowest);
  }
  [[nodiscard]] std::uint32_t server_of(std::uint32_t variable) const {
    return static_cast<std::uint32_t>(document_.processes.size()) + variable;
  }

  void add_action(const PlannedAction& action) {
    Effect effect(document_, action.line);
    for (const Part& part : action.parts) {
      if (part.alike != nullptr) effect.add(*part.alike->edges.front());
    }
    effect.settle();
    if (!effect.possible()) return;
    std::vector<const Effect::Group*> alone;
    std::vector<const Effect::Group*> coupled;
    std::vector<std::vector<Effect::Change>> choices;
    for (const Effect::Group& group : effect.groups()) {
      if (group.variables.size() == 1) {
        alone.push_back(&group);
        continue;
      }
      coupled.push_back(&group);
      choices.push_back(effect.changes(group, most_actions));
      if (choices.back().empty()) return;
    }
    std::vector<std::size_t> chosen(coupled.size(), 0);
    while (true) {
      std::string name = action.name;
      const auto id = static_cast<ActionId>(network_.actions.size());
      for (std::size_t at = 0; at < coupled.size(); ++at) {
        add_change(coupled[at]->variables, choices[at][chosen[at]], id, name);
      }
      add_instance(action, std::move(name), effect, alone);
      std::size_t at = 0;
      for (; at < chosen.size(); ++at) {
        if (++chosen[at] < choices[at].size()) break;
        chosen[at] = 0;
      }
      if (at == chosen.size()) return;
    }
  }

  void add_change(const std::vector<std::uint32_t>& variables, const Effect::Change& change,
                  ActionId id, std::string& name) {
    const auto& [before, after] = change;
    for (const std::uint32_t variable : variables) {
      name += "_" + document_.variables[variable].name + "=" + std::to_string(before[variable]);
      network_.processes[server_of(variable)].transitions.push_back(
          {state_of(variable, before), id, state_of(variable, after)});
    }
  }

  void add_instance(const PlannedAction& action, std::string name, const Effect& effect,
                    const std::vector<const Effect::Group*>& alone) {
    const auto id = static_cast<ActionId>(network_.actions.size());
    MAZURKA_CHECK(lines_.size() == id && requires_.size() == id, "each action has its line");
    if (id >= most_actions) fail(action.line, "the system has too many actions");
    std::vector<std::uint32_t> needed;
    for (const Effect::Group* group : alone) {
      const std::uint32_t variable = group->variables[0];
      needed.push_back(variable);
      for (const auto& [before, after] : effect.changes(*group, most_actions)) {
        network_.processes[server_of(variable)].transitions.push_back(
            {state_of(variable, before), id, state_of(variable, after)});
      }
    }
    for (const Part& part : action.parts) add_part(part, id);
    network_.actions.push_back(std::move(name));
    lines_.push_back(action.line);
    requires_.push_back(std::move(needed));
  }

  void add_part(const Part& part, ActionId id) {
    std::vector<NetworkTransition>& transitions = network_.processes[part.process].transitions;
    if (part.alike == nullptr) {
      for (const LocalState location : locations_without(part.process, part.event)) {
        transitions.push_back({location, id, location});
      }
      return;
    }
    for (const DeclaredEdge* edge : part.alike->edges) {
      transitions.push_back({edge->source, id, edge->target});
      actions_of_[edge].push_back(id);
    }
  }

  // --- roles
  // ------------------------------------------------------------------------------------------

  void check_roles() {
    const std::vector<bool> impossible = drop_impossible();
    for (std::uint32_t at = 0; at < document_.processes.size(); ++at) {
      const DeclaredProcess& declared = document_.processes[at];
      NetworkProcess& process = network_.processes[at];
      if (declared.kind == DeclaredKind::server) process.role = Role::server;
      if (process.role != Role::client) continue;
      const std::vector<LocalState> cycle = find_cycle(process);
      if (cycle.empty()) {
        keep_impossible(at, impossible);
        continue;
      }
      if (declared.kind == DeclaredKind::client) {
        fail(declared.line, "client " + declared.name + " has a cycle through location " +
                                process.states[cycle.front()] +
                                "; clients must end by themselves, so unfold the loop");
      }
      process.role = Role::server;
    }
    const auto who = participants(network_);
    for (ActionId action = 0; action < who.size(); ++action) {
      const bool ends = who[action].empty() ||
                        std::any_of(who[action].begin(), who[action].end(), [&](auto process) {
                          return network_.processes[process].role == Role::client;
                        });
      if (!ends) {
        fail(lines_[action], "action " + network_.actions[action] +
                                 " has only cyclic processes or servers as participants; expected "
                                 "a client without a cycle among them");
      }
    }
    validate(network_);
  }

  // An action that a variable can never allow must stay impossible although the variable has no
  // transition with it: then nobody has one.
  [[nodiscard]] std::vector<bool> drop_impossible() {
    const auto who = participants(network_);
    std::vector<bool> impossible(network_.actions.size(), false);
    for (ActionId action = 0; action < network_.actions.size(); ++action) {
      for (const std::uint32_t variable : requires_[action]) {
        const std::uint32_t server = server_of(variable);
        impossible[action] = impossible[action] || std::find(who[action].begin(), who[action].end(),
                                                             server) == who[action].end();
      }
    }
    for (NetworkProcess& process : network_.processes) {
      std::erase_if(process.transitions,
                    [&](const NetworkTransition& one) { return impossible[one.action]; });
    }
    return impossible;
  }

  /// A client waits at edges that can never be taken. A process of no declared kind that has a
  /// cycle as written is a server, which does not wait, even if the cycle can never be walked.
  void keep_impossible(std::uint32_t at, const std::vector<bool>& impossible) {
    const DeclaredProcess& declared = document_.processes[at];
    NetworkProcess& process = network_.processes[at];
    if (declared.kind == DeclaredKind::unsaid && has_declared_cycle(declared)) return;
    for (const DeclaredEdge& edge : declared.edges) {
      const auto actions = actions_of_.find(&edge);
      const bool possible = actions != actions_of_.end() &&
                            std::any_of(actions->second.begin(), actions->second.end(),
                                        [&](ActionId action) { return !impossible[action]; });
      if (possible) continue;
      process.impossible.push_back({edge.source, document_.events[edge.event], edge.target});
    }
  }

  [[nodiscard]] static bool has_declared_cycle(const DeclaredProcess& declared) {
    NetworkProcess process;
    process.states = declared.locations;
    for (const DeclaredEdge& edge : declared.edges) {
      process.transitions.push_back({edge.source, 0, edge.target});
    }
    return !find_cycle(process).empty();
  }

  const Document& document_;
  Network network_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Alike>> alike_;
  std::vector<PlannedAction> planned_;
  std::map<const DeclaredEdge*, std::vector<ActionId>> actions_of_;
  std::vector<Line> lines_;                           // per action
  std::vector<std::vector<std::uint32_t>> requires_;  // per action: single variables
};

}  // namespace

Network expand(const Document& document) { return Expansion(document).run(); }

}  // namespace mazurka::automata
