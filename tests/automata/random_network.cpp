#include "automata/random_network.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace mazurka::automata_test {

namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Network run() {
    clients_ = below(3) + 2;
    servers_ = below(4) + 1;
    network_.name = "random";
    for (std::uint32_t at = 0; at < clients_ + servers_; ++at) add_process(at);
    for (std::uint32_t client = 0; client < clients_; ++client) add_actions(client);
    for (ActionId action = 0; action < members_.size(); ++action) {
      for (const std::uint32_t process : members_[action]) {
        if (process >= clients_) serve(process, action);
      }
    }
    for (std::uint32_t client = 0; client < clients_; ++client) behave(client);
    for (std::uint32_t client = 0; client < clients_; ++client) want_the_impossible(client);
    return std::move(network_);
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  void add_process(std::uint32_t at) {
    const bool client = at < clients_;
    NetworkProcess process;
    process.name = (client ? "C" : "S") + std::to_string(client ? at : at - clients_);
    process.role = client ? Role::client : Role::server;
    const std::uint32_t states = client ? below(4) + 2 : below(3) + 1;
    for (std::uint32_t state = 0; state < states; ++state) {
      process.states.push_back("s" + std::to_string(state));
    }
    network_.processes.push_back(std::move(process));
    style_.push_back(below(3));
  }

  void add_actions(std::uint32_t client) {
    const std::uint32_t count = below(4) + 1;
    for (std::uint32_t n = 0; n < count; ++n) {
      std::set<std::uint32_t> who{client, clients_ + below(servers_)};
      const std::uint32_t kind = below(10);
      if (kind == 0) who = {client};                          // a step of its own
      if (kind == 1) who.insert(clients_ + below(servers_));  // perhaps two servers
      if (kind == 2) who.insert(below(clients_));             // perhaps two clients
      if (kind == 3) who.insert({below(clients_), clients_ + below(servers_)});
      if (kind == 4) who = {client, below(clients_)};  // no server at all
      network_.actions.push_back("a" + std::to_string(network_.actions.size()));
      members_.emplace_back(who.begin(), who.end());
    }
  }

  void add(std::uint32_t process, LocalState from, ActionId action, LocalState to) {
    std::vector<NetworkTransition>& known = network_.processes[process].transitions;
    const bool there = std::any_of(known.begin(), known.end(), [&](const auto& one) {
      return one.source == from && one.action == action;
    });
    if (!there) known.push_back({from, action, to});
  }

  void serve(std::uint32_t server, ActionId action) {
    const auto states = static_cast<std::uint32_t>(network_.processes[server].states.size());
    const std::uint32_t value = below(states);
    const bool other = below(2) == 0;
    if (style_[server] == 0) {  // anything
      for (LocalState state = 0; state < states; ++state) {
        if (below(3) != 0) add(server, state, action, below(states));
      }
    } else if (style_[server] == 1) {  // a variable
      for (LocalState state = 0; state < states; ++state) {
        if (other) add(server, state, action, value);
      }
      add(server, value, action, value);
    } else {  // a lock
      add(server, other ? 0 : states - 1, action, other ? states - 1 : 0);
    }
    if (network_.processes[server].transitions.empty() ||
        network_.processes[server].transitions.back().action != action) {
      add(server, 0, action, 0);  // a participant must know the action
    }
  }

  void behave(std::uint32_t client) {
    std::vector<ActionId> known;
    for (ActionId action = 0; action < members_.size(); ++action) {
      if (std::find(members_[action].begin(), members_[action].end(), client) !=
          members_[action].end()) {
        known.push_back(action);
      }
    }
    const auto states = static_cast<std::uint32_t>(network_.processes[client].states.size());
    const auto pick = [&] { return known[below(static_cast<std::uint32_t>(known.size()))]; };
    for (LocalState state = 0; state + 1 < states; ++state) add(client, state, pick(), state + 1);
    for (std::uint32_t n = below(states + 1); n > 0; --n) {
      const LocalState from = below(states - 1);
      add(client, from, pick(), from + 1 + below(states - 1 - from));
    }
    for (const ActionId action : known) {  // every participant must know the action
      const LocalState from = below(states - 1);
      add(client, from, action, from + 1 + below(states - 1 - from));
    }
  }

  /// One client in six waits somewhere for what can never happen.
  void want_the_impossible(std::uint32_t client) {
    if (below(6) != 0) return;
    NetworkProcess& process = network_.processes[client];
    const auto states = static_cast<std::uint32_t>(process.states.size());
    process.impossible.push_back({below(states), "never", states - 1});
  }

  std::mt19937_64 random_;
  std::uint32_t clients_ = 0;
  std::uint32_t servers_ = 0;
  Network network_;
  std::vector<std::uint32_t> style_;
  std::vector<std::vector<std::uint32_t>> members_;
};

}  // namespace

Network random_network(std::uint64_t seed) {
  // Neighbouring seeds must not give neighbouring networks.
  return Generator(seed * 0x9e3779b97f4a7c15U + 0x632be59bd9b4e019U).run();
}

}  // namespace mazurka::automata_test
