#include "programs/promela/assembly.hpp"

#include "core/check.hpp"

namespace mazurka::promela {

namespace {

constexpr std::uint64_t largest_tables = 100'000'000;

class Assembler {
 public:
  Assembler(const Model& model, const Parts& parts, Translation& translation)
      : model_(model), parts_(parts), translation_(translation) {}

  void run() {
    Network& network = translation_.network;
    network.name = "promela";
    for (std::uint32_t client = 0; client < parts_.clients.size(); ++client) build_client(client);
    add_waiting();
    std::uint64_t cells = 0;
    for (std::uint32_t object = 0; object < parts_.objects.size(); ++object) {
      if (parts_.moves[object].empty()) continue;
      cells += std::uint64_t{parts_.objects[object].values.size()} * parts_.moves[object].size();
      if (cells > largest_tables) throw NotTranslated("its network would be too large");
      build_server(object);
    }
    // Ensures: a path of the network can be retold as steps of the model.
    MAZURKA_CHECK(translation_.trails.size() == network.actions.size(),
                  "each action has its trail");
    validate(network);
  }

 private:
  void build_client(std::uint32_t which) {
    const Client& client = parts_.clients[which];
    NetworkProcess& process = translation_.network.processes.emplace_back();
    process.name = parts_.name_of(which, model_);
    process.transitions = client.edges;
    StatePredicate::Literal failed{which, std::vector<bool>(client.locals.size() + 1)};
    bool any = false;
    for (std::uint32_t local = 0; local < client.locals.size(); ++local) {
      process.states.push_back(model_.where(parts_.location_of(which, local, model_).place) + " " +
                               std::to_string(local));
      failed.holds[local] = client.locals[local].back() != 0;
      any = any || failed.holds[local];
    }
    process.states.emplace_back("nowhere");
    if (any) translation_.failed.alternatives.push_back({failed});
    const std::vector<LocalState> cycle = find_cycle(process);
    if (!cycle.empty()) {
      throw NotTranslated(parts_.name_of(which, model_) + " can go round in a circle (" +
                          model_.where(parts_.location_of(which, cycle.front(), model_).place) +
                          ")");
    }
  }

  /// Who waits for what never comes must not look like somebody who has ended.
  void add_waiting() {
    Network& network = translation_.network;
    NetworkProcess never;
    never.name = "(never)";
    never.role = Role::server;
    never.states = {"never", "always"};
    for (std::uint32_t which = 0; which < parts_.clients.size(); ++which) {
      NetworkProcess& process = network.processes[which];
      std::vector<bool> moves(parts_.clients[which].locals.size());
      for (const NetworkTransition& edge : process.transitions) moves[edge.source] = true;
      for (std::uint32_t local = 0; local < moves.size(); ++local) {
        const bool may_end = parts_.location_of(which, local, model_).may_end;
        if (may_end && moves[local]) {
          throw NotTranslated(parts_.name_of(which, model_) + " may wait at an end label (" +
                              model_.where(parts_.location_of(which, local, model_).place) + ")");
        }
        if (may_end || moves[local]) continue;
        const auto action = static_cast<ActionId>(network.actions.size());
        network.actions.emplace_back("never");
        translation_.trails.emplace_back();
        process.transitions.push_back({local, action, parts_.clients[which].locals.size()});
        never.transitions.push_back({1, action, 1});
      }
    }
    if (!never.transitions.empty()) network.processes.push_back(never);
  }

  void build_server(std::uint32_t which) {
    NetworkProcess& server = translation_.network.processes.emplace_back();
    const SharedObject& object = parts_.objects[which];
    server.name = "shared " + std::to_string(object.offset);
    server.role = Role::server;
    for (std::uint32_t value = 0; value < object.values.size(); ++value) {
      server.states.push_back(std::to_string(value));
    }
    for (const Move& move : parts_.moves[which]) {
      MAZURKA_CHECK(move.after < object.values.size(), "an object changes to a value that it has");
      if (!move.before.blind) {
        server.transitions.push_back({move.before.value, move.action, move.after});
        continue;
      }
      for (std::uint32_t value = 0; value < object.values.size(); ++value) {
        server.transitions.push_back({value, move.action, move.after});
      }
    }
  }

  const Model& model_;
  const Parts& parts_;
  Translation& translation_;
};

}  // namespace

void assemble(const Model& model, const Parts& parts, Translation& translation) {
  Assembler(model, parts, translation).run();
}

}  // namespace mazurka::promela
