#include "programs/automata/writer.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace mazurka::automata {

namespace {

/// Names that are allowed and different from each other, as close to the given ones as possible.
class SafeNames {
 public:
  std::string operator()(const std::string& wanted) {
    std::string name;
    for (const char c : wanted) {
      const bool good = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
      name += good ? c : '_';
    }
    if (name.empty()) name = "_";
    std::string unique = name;
    for (int copy = 2; !taken_.insert(unique).second; ++copy) {
      unique = name + "_" + std::to_string(copy);
    }
    return unique;
  }

 private:
  std::unordered_set<std::string> taken_;
};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

}  // namespace

std::string write_network(const Network& network) {
  const auto who = participants(network);
  SafeNames safe_events;
  SafeNames safe_processes;
  SafeNames safe_system;
  std::vector<std::string> events;
  std::vector<std::string> processes;
  for (const std::string& action : network.actions) events.push_back(safe_events(action));
  for (const NetworkProcess& process : network.processes) {
    processes.push_back(safe_processes(process.name));
  }
  std::map<std::string, std::string> never;  // events of impossible edges, by action
  for (const NetworkProcess& process : network.processes) {
    for (const ImpossibleTransition& step : process.impossible) {
      if (!never.contains(step.action)) never[step.action] = safe_events(step.action);
    }
  }
  std::string text = "system:" + safe_system(network.name) + "\n\n";
  for (ActionId action = 0; action < events.size(); ++action) {
    if (!who[action].empty()) text += "event:" + events[action] + "\n";
  }
  for (const auto& [action, event] : never) text += "event:" + event + "\n";
  for (std::size_t at = 0; at < network.processes.size(); ++at) {
    const NetworkProcess& process = network.processes[at];
    text += "\nprocess:" + processes[at] +
            (process.role == Role::client ? "{kind: client}\n" : "{kind: server}\n");
    SafeNames safe_states;
    std::vector<std::string> states;
    for (LocalState state = 0; state < process.states.size(); ++state) {
      states.push_back(safe_states(process.states[state]));
      text += "location:" + processes[at] + ":" + states.back() +
              (state == process.initial ? "{initial:}\n" : "\n");
    }
    std::vector<NetworkTransition> transitions = process.transitions;
    std::sort(transitions.begin(), transitions.end(), [](const auto& one, const auto& other) {
      return std::pair(one.source, one.action) < std::pair(other.source, other.action);
    });
    for (const NetworkTransition& step : transitions) {
      text += "edge:" + processes[at] + ":" + states[step.source] + ":" + states[step.target] +
              ":" + events[step.action] + "\n";
    }
    for (const ImpossibleTransition& step : process.impossible) {
      text += "edge:" + processes[at] + ":" + states[step.source] + ":" + states[step.target] +
              ":" + never.at(step.action) + "{provided: 0}\n";
    }
  }
  text += "\n";
  for (ActionId action = 0; action < who.size(); ++action) {
    if (who[action].size() < 2) continue;
    text += "sync";
    for (const std::uint32_t process : who[action]) {
      text += ":" + processes[process] + "@" + events[action];
    }
    text += "\n";
  }
  return text;
}

std::string processes_to_dot(const Network& network) {
  std::string text = "digraph " + quoted(network.name) + " {\n";
  for (std::size_t at = 0; at < network.processes.size(); ++at) {
    const NetworkProcess& process = network.processes[at];
    const std::string prefix = "p" + std::to_string(at) + "_";
    const bool client = process.role == Role::client;
    text += "  subgraph cluster_" + std::to_string(at) +
            " {\n    label=" + quoted(process.name + (client ? " (client)" : " (server)")) + ";\n";
    for (LocalState state = 0; state < process.states.size(); ++state) {
      text += "    " + prefix + std::to_string(state) + " [label=" + quoted(process.states[state]) +
              (state == process.initial ? ", style=bold];\n" : "];\n");
    }
    for (const NetworkTransition& step : process.transitions) {
      text += "    " + prefix + std::to_string(step.source) + " -> " + prefix +
              std::to_string(step.target) + " [label=" + quoted(network.actions[step.action]) +
              "];\n";
    }
    for (const ImpossibleTransition& step : process.impossible) {
      text += "    " + prefix + std::to_string(step.source) + " -> " + prefix +
              std::to_string(step.target) + " [style=dashed, label=" + quoted(step.action) + "];\n";
    }
    text += "  }\n";
  }
  return text + "}\n";
}

}  // namespace mazurka::automata
