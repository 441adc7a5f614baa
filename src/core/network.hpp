// A network of automata as plain data: the facet of a program whose states can be copied.
//
// A process has local states and transitions labelled with actions. An action happens in all the
// processes that know it at once (its participants), so a global state is a tuple of local states
// and two actions commute if they share no participant. Clients are acyclic and every action has
// one among its participants, so every run ends; servers (locks, variables, channels) may have
// cycles.
//
// Front-ends build a Network; the stateful technique explores it. Nothing here is virtual: what a
// process may still do locally, which is all that the reductions ask for, is in the data.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka {

enum class Role : std::uint8_t { client, server };

using ActionId = std::uint32_t;
using LocalState = std::uint32_t;

inline constexpr std::uint32_t no_target = std::numeric_limits<std::uint32_t>::max();

struct NetworkTransition {
  LocalState source = 0;
  ActionId action = 0;
  LocalState target = 0;
  friend bool operator==(const NetworkTransition&, const NetworkTransition&) = default;
};

/// An edge that is written down but can never be taken: its guard holds for no value, or a process
/// that would have to take part has no such edge.
struct ImpossibleTransition {
  LocalState source = 0;
  std::string action;
  LocalState target = 0;
  friend bool operator==(const ImpossibleTransition&, const ImpossibleTransition&) = default;
};

struct NetworkProcess {
  std::string name;
  Role role = Role::client;
  std::vector<std::string> states;
  LocalState initial = 0;
  std::vector<NetworkTransition> transitions;  // at most one per state and action
  /// Of clients only. No technique takes them, but a state with one is not an end: a client in it
  /// waits for ever.
  std::vector<ImpossibleTransition> impossible;
};

struct Network {
  std::string name;
  std::vector<std::string> actions;  // their order is the order in which techniques try them
  std::vector<NetworkProcess> processes;
};

/// The network breaks a rule that the exploration needs; says which, and where.
class NetworkError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The participants of every action: the processes that have a transition with it.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> participants(const Network& network);

/// Throws NetworkError for a cyclic client, an action without a client, two transitions of one
/// state with one action, a state or action that does not exist, a server with an impossible
/// transition.
void validate(const Network& network);

/// The states in which the process still wants something: those that are not its end.
[[nodiscard]] std::vector<bool> wanting_states(const NetworkProcess& process);

/// A cycle of the process as its states, first and last the same; empty if it has none.
[[nodiscard]] std::vector<LocalState> find_cycle(const NetworkProcess& process);

/// What to look for: a disjunction of conjunctions of "this process is in one of these states".
struct StatePredicate {
  struct Literal {
    std::uint32_t process = 0;
    std::vector<bool> holds;  // per local state
  };
  std::vector<std::vector<Literal>> alternatives;

  [[nodiscard]] bool empty() const { return alternatives.empty(); }
  template <typename StateOf>
  [[nodiscard]] bool operator()(StateOf&& state_of) const {
    for (const std::vector<Literal>& conjunction : alternatives) {
      bool all = true;
      for (const Literal& literal : conjunction) {
        if (!literal.holds[state_of(literal.process)]) {
          all = false;
          break;
        }
      }
      if (all) return true;
    }
    return false;
  }
};

/// "P0=B & P1=B | x>=2": process or variable, one of = != < <= > >=, a state's name. The order
/// comparisons need states with numbers for names. Throws NetworkError.
[[nodiscard]] StatePredicate parse_predicate(const Network& network, std::string_view text);

/// A reduction keeps the order of dependent actions only, so two processes need not be seen in two
/// given states at once. The returned network has one more server, which takes part in every action
/// that changes the truth of a literal of a conjunction over several processes: those actions are
/// then dependent, and the predicate is reached in the reduced graph if it can be reached at all.
[[nodiscard]] Network with_observer(const Network& network, const StatePredicate& predicate);

}  // namespace mazurka
