// Networks in C++: add processes and edges by name, then take the network.
//
//   NetworkBuilder net("handshake");
//   net.client("P", "start").server("door", "closed");
//   net.edge("P", "start", "open", "inside").edge("door", "closed", "open", "opened");
//
// A process takes part in every action that one of its edges carries. Locks and variables, the
// usual servers, have short forms. Names that are not known yet are added where they are used,
// actions in the order in which they are first used: that is the order techniques try them in.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/network.hpp"

namespace mazurka::automata {

class NetworkBuilder {
 public:
  explicit NetworkBuilder(std::string name) { network_.name = std::move(name); }

  NetworkBuilder& client(const std::string& process, const std::string& initial) {
    return add(process, Role::client, initial);
  }
  NetworkBuilder& server(const std::string& process, const std::string& initial) {
    return add(process, Role::server, initial);
  }
  /// An edge that is there already is not added again.
  NetworkBuilder& edge(const std::string& process, const std::string& from,
                       const std::string& action, const std::string& to);

  /// A lock does not know who holds it.
  NetworkBuilder& lock(const std::string& name) { return server(name, "free"); }
  NetworkBuilder& acquire(const std::string& client, const std::string& from,
                          const std::string& lock, const std::string& to,
                          const std::string& action = {});
  NetworkBuilder& release(const std::string& client, const std::string& from,
                          const std::string& lock, const std::string& to,
                          const std::string& action = {});

  /// A variable with the values 0 ... last.
  NetworkBuilder& variable(const std::string& name, int initial, int last);
  NetworkBuilder& write(const std::string& client, const std::string& from,
                        const std::string& variable, int value, const std::string& to,
                        const std::string& suffix = {});
  NetworkBuilder& read(const std::string& client, const std::string& from,
                       const std::string& variable, int value, const std::string& to);
  /// One action for all values that pass the test; `text` names it.
  NetworkBuilder& test(const std::string& client, const std::string& from,
                       const std::string& variable, std::span<const int> values,
                       const std::string& text, const std::string& to);

  /// Validated; throws NetworkError.
  [[nodiscard]] Network take();

 private:
  NetworkBuilder& add(const std::string& process, Role role, const std::string& initial);
  [[nodiscard]] std::uint32_t process_id(const std::string& name) const;
  LocalState state_id(std::uint32_t process, const std::string& name);

  Network network_;
  std::unordered_map<std::string, std::uint32_t> processes_;
  std::unordered_map<std::string, ActionId> actions_;
  std::vector<std::unordered_map<std::string, LocalState>> states_;
  std::vector<std::unordered_set<std::uint64_t>> edges_;  // source and action
  std::unordered_map<std::string, int> last_value_;
};

}  // namespace mazurka::automata
