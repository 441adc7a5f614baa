#include "core/network.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

#include "core/check.hpp"

namespace mazurka {

namespace {

[[noreturn]] void refuse(const std::string& message) { throw NetworkError(message); }

std::string shown_cycle(const NetworkProcess& process, const std::vector<LocalState>& cycle) {
  constexpr std::size_t most_shown = 12;
  std::string text;
  for (std::size_t at = 0; at < cycle.size(); ++at) {
    if (at == most_shown) return text + " -> ...";
    text += (at == 0 ? "" : " -> ") + process.states[cycle[at]];
  }
  return text;
}

void validate_process(const Network& network, const NetworkProcess& process) {
  if (process.initial >= process.states.size()) {
    refuse("process " + process.name + " has no initial state");
  }
  std::unordered_set<std::uint64_t> seen;
  for (const NetworkTransition& transition : process.transitions) {
    if (transition.source >= process.states.size() || transition.target >= process.states.size() ||
        transition.action >= network.actions.size()) {
      refuse("process " + process.name + " has a transition to nowhere");
    }
    if (!seen.insert(std::uint64_t{transition.source} << 32U | transition.action).second) {
      refuse("process " + process.name + " has two transitions with action " +
             network.actions[transition.action] + " from state " +
             process.states[transition.source]);
    }
  }
  for (const ImpossibleTransition& transition : process.impossible) {
    if (transition.source >= process.states.size() || transition.target >= process.states.size()) {
      refuse("process " + process.name + " has a transition to nowhere");
    }
    if (process.role != Role::client) {
      refuse("server " + process.name + " has an impossible transition: servers do not wait");
    }
  }
  if (process.role != Role::client) return;
  const std::vector<LocalState> cycle = find_cycle(process);
  if (!cycle.empty()) {
    refuse("client " + process.name + " has a cycle (" + shown_cycle(process, cycle) +
           "); clients must end by themselves, so unfold the loop or make it a server");
  }
}

}  // namespace

std::vector<std::vector<std::uint32_t>> participants(const Network& network) {
  std::vector<std::vector<std::uint32_t>> result(network.actions.size());
  for (std::uint32_t process = 0; process < network.processes.size(); ++process) {
    for (const NetworkTransition& transition : network.processes[process].transitions) {
      std::vector<std::uint32_t>& who = result[transition.action];
      if (who.empty() || who.back() != process) who.push_back(process);
    }
  }
  return result;
}

std::vector<bool> wanting_states(const NetworkProcess& process) {
  std::vector<bool> wanting(process.states.size(), false);
  for (const NetworkTransition& step : process.transitions) wanting[step.source] = true;
  for (const ImpossibleTransition& step : process.impossible) wanting[step.source] = true;
  return wanting;
}

std::vector<LocalState> find_cycle(const NetworkProcess& process) {
  enum class Colour : std::uint8_t { fresh, open, done };
  std::vector<std::vector<LocalState>> next(process.states.size());
  for (const NetworkTransition& transition : process.transitions) {
    next[transition.source].push_back(transition.target);
  }
  std::vector<Colour> colours(process.states.size(), Colour::fresh);
  std::vector<std::pair<LocalState, std::size_t>> path;
  for (LocalState start = 0; start < process.states.size(); ++start) {
    if (colours[start] != Colour::fresh) continue;
    path.emplace_back(start, 0);
    colours[start] = Colour::open;
    while (!path.empty()) {
      auto& [state, at] = path.back();
      if (at == next[state].size()) {
        colours[state] = Colour::done;
        path.pop_back();
        continue;
      }
      const LocalState target = next[state][at++];
      if (colours[target] == Colour::open) {
        std::vector<LocalState> cycle{target};
        auto from = std::find_if(path.begin(), path.end(),
                                 [&](const auto& step) { return step.first == target; });
        for (++from; from != path.end(); ++from) cycle.push_back(from->first);
        cycle.push_back(target);
        return cycle;
      }
      if (colours[target] == Colour::fresh) {
        colours[target] = Colour::open;
        path.emplace_back(target, 0);
      }
    }
  }
  return {};
}

void validate(const Network& network) {
  for (const NetworkProcess& process : network.processes) validate_process(network, process);
  const auto who = participants(network);
  for (ActionId action = 0; action < who.size(); ++action) {
    const bool has_client = std::any_of(
        who[action].begin(), who[action].end(),
        [&](std::uint32_t process) { return network.processes[process].role == Role::client; });
    if (!who[action].empty() && !has_client) {
      refuse("action " + network.actions[action] + " has no client among its participants (" +
             network.processes[who[action].front()].name + (who[action].size() > 1 ? ", ..." : "") +
             "), so it might go on for ever");
    }
  }
}

// --- predicates ----------------------------------------------------------------------------------

namespace {

enum class Comparison : std::uint8_t { equal, unequal, less, at_most, greater, at_least };

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<long long> number(std::string_view text) {
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool compare(Comparison comparison, long long one, long long other) {
  switch (comparison) {
    case Comparison::equal: return one == other;
    case Comparison::unequal: return one != other;
    case Comparison::less: return one < other;
    case Comparison::at_most: return one <= other;
    case Comparison::greater: return one > other;
    case Comparison::at_least: return one >= other;
  }
  return false;
}

struct SplitLiteral {
  std::string_view process;
  Comparison comparison{};
  std::string_view state;
};

SplitLiteral split_literal(std::string_view text) {
  static constexpr std::pair<std::string_view, Comparison> operators[] = {
      {"==", Comparison::equal},    {"!=", Comparison::unequal}, {"<=", Comparison::at_most},
      {">=", Comparison::at_least}, {"=", Comparison::equal},    {"<", Comparison::less},
      {">", Comparison::greater}};
  const std::size_t at = text.find_first_of("=!<>");
  if (at != std::string_view::npos) {
    for (const auto& [sign, comparison] : operators) {
      if (text.substr(at).starts_with(sign)) {
        return {trimmed(text.substr(0, at)), comparison, trimmed(text.substr(at + sign.size()))};
      }
    }
  }
  refuse("'" + std::string(text) + "' is no condition; write PROCESS=LOCATION or VARIABLE<NUMBER");
}

StatePredicate::Literal parse_literal(const Network& network, std::string_view text) {
  const auto [name, comparison, state] = split_literal(text);
  StatePredicate::Literal literal;
  while (literal.process < network.processes.size() &&
         network.processes[literal.process].name != name) {
    ++literal.process;
  }
  if (literal.process == network.processes.size()) {
    refuse("there is no process or variable '" + std::string(name) + "'");
  }
  const NetworkProcess& process = network.processes[literal.process];
  if (comparison == Comparison::equal || comparison == Comparison::unequal) {
    bool known = false;
    for (const std::string& candidate : process.states) {
      known = known || candidate == state;
      literal.holds.push_back((candidate == state) == (comparison == Comparison::equal));
    }
    if (!known) refuse(process.name + " has no state '" + std::string(state) + "'");
    return literal;
  }
  const auto bound = number(state);
  if (!bound) refuse("'" + std::string(state) + "' is no number");
  for (const std::string& candidate : process.states) {
    const auto value = number(candidate);
    if (!value) refuse("the states of " + process.name + " are no numbers");
    literal.holds.push_back(compare(comparison, *value, *bound));
  }
  return literal;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(trimmed(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
    if (text.starts_with(separator)) text.remove_prefix(1);  // && and ||
  }
}

}  // namespace

StatePredicate parse_predicate(const Network& network, std::string_view text) {
  StatePredicate predicate;
  for (const std::string_view alternative : split(text, '|')) {
    std::vector<StatePredicate::Literal>& conjunction = predicate.alternatives.emplace_back();
    for (const std::string_view literal : split(alternative, '&')) {
      conjunction.push_back(parse_literal(network, literal));
    }
  }
  return predicate;
}

Network with_observer(const Network& network, const StatePredicate& predicate) {
  std::vector<bool> visible(network.actions.size(), false);
  bool any = false;
  for (const std::vector<StatePredicate::Literal>& conjunction : predicate.alternatives) {
    const bool local = std::all_of(conjunction.begin(), conjunction.end(), [&](const auto& one) {
      return one.process == conjunction.front().process;
    });
    if (local) continue;
    for (const StatePredicate::Literal& literal : conjunction) {
      MAZURKA_CHECK(literal.process < network.processes.size() &&
                        literal.holds.size() == network.processes[literal.process].states.size(),
                    "a literal says for each state of a process of this network whether it holds");
      for (const NetworkTransition& step : network.processes[literal.process].transitions) {
        if (literal.holds[step.source] == literal.holds[step.target]) continue;
        visible[step.action] = any = true;
      }
    }
  }
  Network observed = network;
  if (!any) return observed;
  NetworkProcess observer{"(observer)", Role::server, {"watching"}, 0, {}, {}};
  for (ActionId action = 0; action < visible.size(); ++action) {
    if (visible[action]) observer.transitions.push_back({0, action, 0});
  }
  observed.processes.push_back(std::move(observer));
  return observed;
}

}  // namespace mazurka
