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

#include "programs/automata/document.hpp"

namespace mazurka::automata {

namespace {

constexpr std::size_t most_actions = 200'000;

struct Alike {  // edges of one process and event that can share an action
  std::uint32_t process = 0;
  std::vector<const DeclaredEdge*> edges;
};

struct PlannedAction {
  std::string name;
  std::string qualified;
  std::vector<const Alike*> parts;
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
  using Values = std::vector<std::int64_t>;

  [[noreturn]] void fail(Line line, const std::string& message) const {
    throw SyntaxError(document_.file, line, message);
  }

  void add_processes() {
    for (const DeclaredProcess& declared : document_.processes) {
      network_.processes.push_back({declared.name,
                                    Role::client,
                                    declared.locations,
                                    static_cast<LocalState>(declared.initial),
                                    {}});
    }
    for (const DeclaredVariable& variable : document_.variables) {
      NetworkProcess server{variable.name,
                            Role::server,
                            {},
                            static_cast<LocalState>(variable.initial - variable.lowest),
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
      all.emplace_back(key.second,
                       DeclaredSync{{{key.first, key.second}}, groups.front().edges.front()->line});
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
                          document_.events[part.event];
    }
    action.name = same_event ? document_.events[sync.parts.front().event] : action.qualified;
    plan_parts(sync, 0, action);
  }

  void plan_parts(const DeclaredSync& sync, std::size_t at, PlannedAction& action) {
    if (at == sync.parts.size()) {
      planned_.push_back(action);
      if (planned_.size() > most_actions) fail(action.line, "the system has too many actions");
      return;
    }
    const auto groups = alike_.find({sync.parts[at].process, sync.parts[at].event});
    if (groups == alike_.end()) return;  // a process that never does this: nobody can
    for (const Alike& group : groups->second) {
      action.parts.push_back(&group);
      plan_parts(sync, at + 1, action);
      action.parts.pop_back();
    }
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

  // --- variables
  // ------------------------------------------------------------------------------------

  struct Effect {  // all guards and assignments of an action's parts, in order
    std::vector<const Condition*> guard;
    std::vector<const Assignment*> assignments;
  };

  static Effect effect_of(const PlannedAction& action) {
    Effect effect;
    for (const Alike* part : action.parts) {
      const DeclaredEdge& edge = *part->edges.front();
      for (const Condition& condition : edge.guard) effect.guard.push_back(&condition);
    }
    for (const Alike* part : action.parts) {
      const DeclaredEdge& edge = *part->edges.front();
      for (const Assignment& one : edge.assignments) effect.assignments.push_back(&one);
    }
    return effect;
  }

  /// The variables in groups: those that occur in one condition or assignment are in one group.
  static std::vector<std::vector<std::uint32_t>> couple(const Effect& effect) {
    std::vector<std::vector<std::uint32_t>> groups;
    const auto join = [&](const std::vector<std::uint32_t>& together) {
      std::vector<std::uint32_t> merged = together;
      std::erase_if(groups, [&](const std::vector<std::uint32_t>& group) {
        const bool meets = std::any_of(group.begin(), group.end(), [&](std::uint32_t variable) {
          return std::find(together.begin(), together.end(), variable) != together.end();
        });
        if (meets) merged.insert(merged.end(), group.begin(), group.end());
        return meets;
      });
      std::sort(merged.begin(), merged.end());
      merged.erase(std::unique(merged.begin(), merged.end()), merged.end());
      if (!merged.empty()) groups.push_back(std::move(merged));
    };
    for (const Condition* condition : effect.guard) {
      std::vector<std::uint32_t> together;
      condition->left.add_variables(together);
      condition->right.add_variables(together);
      join(together);
    }
    for (const Assignment* assignment : effect.assignments) {
      std::vector<std::uint32_t> together{assignment->variable};
      assignment->value.add_variables(together);
      join(together);
    }
    std::sort(groups.begin(), groups.end());
    return groups;
  }

  /// The values of a group's variables after the action, or false if it is not possible.
  bool perform(const Effect& effect, const std::vector<std::uint32_t>& group, Values& values,
               Line line) const {
    const auto concerns = [&](std::uint32_t variable) {
      return std::find(group.begin(), group.end(), variable) != group.end();
    };
    try {
      for (const Condition* condition : effect.guard) {
        std::vector<std::uint32_t> mentioned;
        condition->left.add_variables(mentioned);
        condition->right.add_variables(mentioned);
        const bool ours = mentioned.empty() || concerns(mentioned.front());
        if (ours && !condition->holds(values)) return false;
      }
      for (const Assignment* assignment : effect.assignments) {
        if (!concerns(assignment->variable)) continue;
        const std::int64_t value = assignment->value.evaluate(values);
        const DeclaredVariable& variable = document_.variables[assignment->variable];
        if (value < variable.lowest || value > variable.highest) return false;
        values[assignment->variable] = value;
      }
    } catch (const ExpressionError& error) {
      std::string when;
      for (const std::uint32_t variable : group) {
        when += (when.empty() ? " when " : ", ") + document_.variables[variable].name + " = " +
                std::to_string(values[variable]);
      }
      fail(line, error.what() + when);
    }
    return true;
  }

  [[nodiscard]] LocalState state_of(std::uint32_t variable, const Values& values) const {
    return static_cast<LocalState>(values[variable] - document_.variables[variable].lowest);
  }
  [[nodiscard]] std::uint32_t server_of(std::uint32_t variable) const {
    return static_cast<std::uint32_t>(document_.processes.size()) + variable;
  }

  /// What each combination of a group's values leads to: pairs of values before and after.
  std::vector<std::pair<Values, Values>> combinations(const Effect& effect,
                                                      const std::vector<std::uint32_t>& group,
                                                      Line line) const {
    std::vector<std::pair<Values, Values>> result;
    Values values(document_.variables.size(), 0);
    for (const std::uint32_t variable : group) {
      values[variable] = document_.variables[variable].lowest;
    }
    while (true) {
      Values after = values;
      if (perform(effect, group, after, line)) result.emplace_back(values, after);
      if (result.size() > most_actions) {
        fail(line, "an expression over several variables has too many combinations of values");
      }
      std::size_t at = 0;
      for (; at < group.size(); ++at) {
        const DeclaredVariable& variable = document_.variables[group[at]];
        if (++values[group[at]] <= variable.highest) break;
        values[group[at]] = variable.lowest;
      }
      if (at == group.size()) return result;
    }
  }

  void add_action(const PlannedAction& action) {
    const Effect effect = effect_of(action);
    std::vector<std::vector<std::uint32_t>> alone;
    std::vector<std::vector<std::uint32_t>> coupled;
    for (std::vector<std::uint32_t>& group : couple(effect)) {
      (group.size() == 1 ? alone : coupled).push_back(std::move(group));
    }
    // A condition without variables is decided here; it belongs to the empty group.
    Values none(document_.variables.size(), 0);
    if (!perform(effect, {}, none, action.line)) return;
    std::vector<std::vector<std::pair<Values, Values>>> choices;
    for (const std::vector<std::uint32_t>& group : coupled) {
      choices.push_back(combinations(effect, group, action.line));
    }
    std::vector<std::size_t> chosen(coupled.size(), 0);
    for (const auto& one : choices) {
      if (one.empty()) return;
    }
    while (true) {
      add_instance(action, effect, alone, coupled, choices, chosen);
      std::size_t at = 0;
      for (; at < chosen.size(); ++at) {
        if (++chosen[at] < choices[at].size()) break;
        chosen[at] = 0;
      }
      if (at == chosen.size()) return;
    }
  }

  void add_instance(const PlannedAction& action, const Effect& effect,
                    const std::vector<std::vector<std::uint32_t>>& alone,
                    const std::vector<std::vector<std::uint32_t>>& coupled,
                    const std::vector<std::vector<std::pair<Values, Values>>>& choices,
                    const std::vector<std::size_t>& chosen) {
    const auto id = static_cast<ActionId>(network_.actions.size());
    if (id >= most_actions) fail(action.line, "the system has too many actions");
    std::string name = action.name;
    for (std::size_t at = 0; at < coupled.size(); ++at) {
      const auto& [before, after] = choices[at][chosen[at]];
      for (const std::uint32_t variable : coupled[at]) {
        name += "_" + document_.variables[variable].name + "=" + std::to_string(before[variable]);
        network_.processes[server_of(variable)].transitions.push_back(
            {state_of(variable, before), id, state_of(variable, after)});
      }
    }
    for (const std::vector<std::uint32_t>& group : alone) {
      for (const auto& [before, after] : combinations(effect, group, action.line)) {
        network_.processes[server_of(group[0])].transitions.push_back(
            {state_of(group[0], before), id, state_of(group[0], after)});
      }
    }
    for (const Alike* part : action.parts) {
      for (const DeclaredEdge* edge : part->edges) {
        network_.processes[part->process].transitions.push_back({edge->source, id, edge->target});
      }
    }
    network_.actions.push_back(std::move(name));
    lines_.push_back(action.line);
    requires_.push_back(alone);
  }

  // --- roles
  // ------------------------------------------------------------------------------------------

  void check_roles() {
    drop_impossible();
    for (std::uint32_t at = 0; at < document_.processes.size(); ++at) {
      const DeclaredProcess& declared = document_.processes[at];
      NetworkProcess& process = network_.processes[at];
      if (declared.kind == DeclaredKind::server) process.role = Role::server;
      if (process.role != Role::client) continue;
      const std::vector<LocalState> cycle = find_cycle(process);
      if (cycle.empty()) continue;
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
  void drop_impossible() {
    const auto who = participants(network_);
    std::vector<bool> impossible(network_.actions.size(), false);
    for (ActionId action = 0; action < network_.actions.size(); ++action) {
      for (const std::vector<std::uint32_t>& group : requires_[action]) {
        const std::uint32_t server = server_of(group[0]);
        impossible[action] = impossible[action] || std::find(who[action].begin(), who[action].end(),
                                                             server) == who[action].end();
      }
    }
    for (NetworkProcess& process : network_.processes) {
      std::erase_if(process.transitions,
                    [&](const NetworkTransition& one) { return impossible[one.action]; });
    }
  }

  const Document& document_;
  Network network_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Alike>> alike_;
  std::vector<PlannedAction> planned_;
  std::vector<Line> lines_;                                        // per action
  std::vector<std::vector<std::vector<std::uint32_t>>> requires_;  // per action: single variables
};

}  // namespace

Network expand(const Document& document) { return Expansion(document).run(); }

}  // namespace mazurka::automata
