#include "programs/automata/builder.hpp"

namespace mazurka::automata {

NetworkBuilder& NetworkBuilder::add(const std::string& process, Role role,
                                    const std::string& initial) {
  const auto id = static_cast<std::uint32_t>(network_.processes.size());
  if (!processes_.emplace(process, id).second) {
    throw NetworkError("there are two processes called " + process);
  }
  network_.processes.push_back({process, role, {}, 0, {}, {}});
  states_.emplace_back();
  edges_.emplace_back();
  state_id(id, initial);
  return *this;
}

std::uint32_t NetworkBuilder::process_id(const std::string& name) const {
  const auto found = processes_.find(name);
  if (found == processes_.end()) throw NetworkError("there is no process called " + name);
  return found->second;
}

LocalState NetworkBuilder::state_id(std::uint32_t process, const std::string& name) {
  std::vector<std::string>& states = network_.processes[process].states;
  const auto [place, fresh] =
      states_[process].emplace(name, static_cast<LocalState>(states.size()));
  if (fresh) states.push_back(name);
  return place->second;
}

NetworkBuilder& NetworkBuilder::edge(const std::string& process, const std::string& from,
                                     const std::string& action, const std::string& to) {
  const std::uint32_t id = process_id(process);
  const auto [place, fresh] =
      actions_.emplace(action, static_cast<ActionId>(network_.actions.size()));
  if (fresh) network_.actions.push_back(action);
  const LocalState source = state_id(id, from);
  const NetworkTransition transition{source, place->second, state_id(id, to)};
  std::vector<NetworkTransition>& known = network_.processes[id].transitions;
  if (edges_[id].insert(std::uint64_t{source} << 32U | place->second).second) {
    known.push_back(transition);
    return *this;
  }
  for (const NetworkTransition& other : known) {
    if (other == transition) return *this;
  }
  known.push_back(transition);  // take() will refuse it, with its names
  return *this;
}

NetworkBuilder& NetworkBuilder::acquire(const std::string& client, const std::string& from,
                                        const std::string& lock, const std::string& to,
                                        const std::string& action) {
  const std::string label = action.empty() ? client + "_take_" + lock : action;
  return edge(client, from, label, to).edge(lock, "free", label, "taken");
}

NetworkBuilder& NetworkBuilder::release(const std::string& client, const std::string& from,
                                        const std::string& lock, const std::string& to,
                                        const std::string& action) {
  const std::string label = action.empty() ? client + "_release_" + lock : action;
  return edge(client, from, label, to).edge(lock, "taken", label, "free");
}

NetworkBuilder& NetworkBuilder::variable(const std::string& name, int initial, int last) {
  server(name, std::to_string(initial));
  for (int value = 0; value <= last; ++value) state_id(process_id(name), std::to_string(value));
  last_value_[name] = last;
  return *this;
}

NetworkBuilder& NetworkBuilder::write(const std::string& client, const std::string& from,
                                      const std::string& variable, int value, const std::string& to,
                                      const std::string& suffix) {
  const std::string label = client + "_set_" + variable + "_" + std::to_string(value) + suffix;
  edge(client, from, label, to);
  for (int old = 0; old <= last_value_.at(variable); ++old) {
    edge(variable, std::to_string(old), label, std::to_string(value));
  }
  return *this;
}

NetworkBuilder& NetworkBuilder::read(const std::string& client, const std::string& from,
                                     const std::string& variable, int value,
                                     const std::string& to) {
  return test(client, from, variable, {&value, 1}, "is_" + std::to_string(value), to);
}

NetworkBuilder& NetworkBuilder::test(const std::string& client, const std::string& from,
                                     const std::string& variable, std::span<const int> values,
                                     const std::string& text, const std::string& to) {
  const std::string label = client + "_" + variable + "_" + text;
  edge(client, from, label, to);
  for (const int value : values) {
    edge(variable, std::to_string(value), label, std::to_string(value));
  }
  return *this;
}

Network NetworkBuilder::take() {
  validate(network_);
  return std::move(network_);
}

}  // namespace mazurka::automata
