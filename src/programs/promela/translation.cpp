#include "programs/promela/translation.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "programs/promela/objects.hpp"

namespace mazurka::promela {

void Knowledge::gives_up(const std::string& why) { throw NotTranslated(why); }

namespace {

constexpr std::size_t longest_prelude = 10'000;  // steps
constexpr std::uint32_t most_values = 5'000;     // of one object
constexpr std::uint32_t most_locals = 20'000;    // local states of one process
constexpr std::size_t most_actions = 200'000;
constexpr std::size_t most_work = 3'000'000;  // steps executed
constexpr std::uint64_t largest_tables = 100'000'000;

bool begins_with(const std::vector<Taken>& trail, const std::vector<Taken>& prefix) {
  return trail.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), trail.begin(),
                                                     [](const Taken& one, const Taken& other) {
                                                       return one.process == other.process &&
                                                              one.statement == other.statement;
                                                     });
}

/// The only way the model can begin, while init is alone: it starts the others.
class Prelude {
 public:
  explicit Prelude(const Model& model)
      : machine_(model, {[this](const Configuration& state, const std::vector<Taken>& trail) {
                           ++successors_;
                           next_ = state;
                           trail_ = trail;
                         },
                         [this](const std::string&, const Place&, const std::vector<Taken>&) {
                           ++successors_;
                           ++successors_;
                         }}) {}

  void play(Translation& translation) {
    machine_.keep_values(true);
    translation.start = machine_.initial();
    for (std::size_t steps = 0; translation.start.processes.size() == 1; ++steps) {
      successors_ = 0;
      if (!machine_.expand(translation.start) || successors_ != 1 || steps > longest_prelude ||
          next_.processes.empty()) {
        return;
      }
      translation.start = next_;
      translation.before.insert(translation.before.end(), trail_.begin(), trail_.end());
    }
  }

 private:
  Machine machine_;
  std::size_t successors_ = 0;
  Configuration next_;
  std::vector<Taken> trail_;
};

class Translator {
 public:
  Translator(const Model& model, const std::function<bool()>& interrupted)
      : model_(model),
        interrupted_(interrupted),
        knowledge_(object_at_),
        machine_(model,
                 {[this](const Configuration& state, const std::vector<Taken>& trail) {
                    results_.push_back({state, trail});
                  },
                  [this](const std::string&, const Place&, const std::vector<Taken>& trail) {
                    failures_.push_back(trail);
                  }},
                 &knowledge_) {
    machine_.keep_values(true);
  }

  Translation run() {
    if (model_.has_timeout) throw NotTranslated("it has a timeout");
    Prelude(model_).play(translation_);
    collect_objects();
    collect_processes();
    while (pass()) {
    }
    build();
    return std::move(translation_);
  }

 private:
  struct Client {
    std::uint32_t process = 0;
    LocationId resting = 0;  // where it does nothing at all
    Numbered locals;         // bytes of the process, and whether an assertion has failed
    std::vector<NetworkTransition> edges;
  };
  struct Move {
    ActionId action = 0;
    Knowledge::Entry before;
    std::uint32_t after = 0;
  };
  struct Reached {
    Configuration state;
    std::vector<Taken> trail;
  };
  struct Moving {  // one process, or the two of a rendezvous
    std::uint32_t client = 0;
    std::uint32_t local = 0;
    std::optional<std::pair<std::uint32_t, std::uint32_t>> partner;  // client and local
  };

  void collect_objects() {
    const Configuration& start = translation_.start;
    const auto add = [&](std::uint32_t offset, std::uint32_t size) {
      object_at_[offset] = static_cast<std::uint32_t>(objects_.size());
      SharedObject& object = objects_.emplace_back();
      object.offset = offset;
      object.size = size;
      object.values(slice(start, object.offset, size));
    };
    for (const Model::Span& cell : model_.cells) add(before_globals + cell.offset, cell.size);
    for (const Configuration::Channel& channel : start.channels) {
      const ChannelType& type = model_.channel_types[channel.type];
      if (type.capacity != 0) add(channel.offset, type.size());
    }
    moves_.resize(objects_.size());
  }

  void collect_processes() {
    const Configuration& start = translation_.start;
    for (std::uint32_t process = 0; process < start.processes.size(); ++process) {
      Client& client = clients_.emplace_back();
      client.process = process;
      const std::vector<Location>& locations = model_.proctypes[start.proctype(process)].locations;
      for (LocationId at = 0; at < locations.size(); ++at) {
        const std::vector<Transition>& all = locations[at].transitions;
        if (all.size() == 1 && model_.statements[all.front().statement].act == Act::end) {
          client.resting = at;
        }
      }
      client.locals(local_of(start, process, false));
    }
  }

  [[nodiscard]] static Bytes slice(const Configuration& state, std::uint32_t at,
                                   std::uint32_t size) {
    return {state.bytes.begin() + at, state.bytes.begin() + at + size};
  }
  [[nodiscard]] std::uint32_t size_of_process(std::uint32_t process) const {
    return before_locals + model_.proctypes[translation_.start.proctype(process)].size;
  }
  [[nodiscard]] Bytes local_of(const Configuration& state, std::uint32_t process,
                               bool failed) const {
    Bytes local = slice(state, state.processes[process], size_of_process(process));
    local.push_back(failed ? 1 : 0);
    return local;
  }
  [[nodiscard]] const Location& location_of(std::uint32_t client, std::uint32_t local) const {
    const Bytes& bytes = clients_[client].locals[local];
    return model_.proctypes[bytes[0]].locations[bytes[1] | std::size_t{bytes[2]} << 8];
  }

  /// Everything once, with the values and local states known so far. Whether there are new ones.
  bool pass() {
    const std::size_t before = known();
    translation_.network = {};
    translation_.trails.clear();
    for (Client& client : clients_) client.edges.clear();
    for (std::vector<Move>& moves : moves_) moves.clear();
    for (std::uint32_t client = 0; client < clients_.size(); ++client) {
      for (std::uint32_t local = 0; local < clients_[client].locals.size(); ++local) {
        execute_all(client, local);
      }
    }
    return known() != before;
  }
  [[nodiscard]] std::size_t known() const {
    std::size_t count = 0;
    for (const SharedObject& object : objects_) count += object.values.size();
    for (const Client& client : clients_) count += client.locals.size();
    return count;
  }

  void execute_all(std::uint32_t client, std::uint32_t local) {
    const std::vector<Transition>& all = location_of(client, local).transitions;
    for (std::size_t at = 0; at < all.size(); ++at) {
      const Statement& statement = model_.statements[all[at].statement];
      if (statement.act == Act::end) continue;
      const bool single = statement.act == Act::assign && !all[at].atomic;
      const std::size_t before = translation_.trails.size();
      execute({client, local, std::nullopt}, at, single);
      if (statement.act == Act::send && translation_.trails.size() == before) {
        execute_with_partners({client, local, std::nullopt}, at);
      }
    }
  }

  void execute_with_partners(Moving moving, std::size_t transition) {
    for (std::uint32_t partner = 0; partner < clients_.size(); ++partner) {
      if (partner == moving.client) continue;
      for (std::uint32_t local = 0; local < clients_[partner].locals.size(); ++local) {
        const std::vector<Transition>& all = location_of(partner, local).transitions;
        if (std::none_of(all.begin(), all.end(), [&](const Transition& one) {
              return model_.statements[one.statement].act == Act::receive;
            })) {
          continue;
        }
        moving.partner = {partner, local};
        execute(moving, transition, false);
      }
    }
  }

  /// With every combination of the values that it asks for.
  void execute(const Moving& moving, std::size_t transition, bool single) {
    std::vector<std::vector<Knowledge::Entry>> waiting{{}};
    while (!waiting.empty()) {
      const std::vector<Knowledge::Entry> known = std::move(waiting.back());
      waiting.pop_back();
      if (++work_ > most_work) throw NotTranslated("its network would be too large");
      if (work_ % 1024 == 0 && interrupted_()) throw NotTranslated("there was no time for it");
      results_.clear();
      failures_.clear();
      knowledge_.begin(known, single);
      try {
        (void)machine_.expand_one(configuration(moving, known), clients_[moving.client].process,
                                  transition);
        take_results(moving);
      } catch (const Wanted& wanted) {
        for (std::uint32_t value = 0; value < objects_[wanted.object].values.size(); ++value) {
          waiting.push_back(known);
          waiting.back().push_back({wanted.object, value, false});
        }
      }
    }
  }

  [[nodiscard]] Configuration configuration(const Moving& moving,
                                            const std::vector<Knowledge::Entry>& known) const {
    Configuration state = translation_.start;
    for (const Client& client : clients_) state.go_to(client.process, client.resting);
    const auto put = [&](std::uint32_t client, std::uint32_t local) {
      const Bytes& bytes = clients_[client].locals[local];
      std::copy(bytes.begin(), bytes.end() - 1,
                state.bytes.begin() + state.processes[clients_[client].process]);
    };
    put(moving.client, moving.local);
    if (moving.partner) put(moving.partner->first, moving.partner->second);
    for (const Knowledge::Entry& entry : known) {
      const SharedObject& object = objects_[entry.object];
      const Bytes& value = object.values[entry.value];
      std::copy(value.begin(), value.end(), state.bytes.begin() + object.offset);
    }
    return state;
  }

  void take_results(const Moving& moving) {
    for (const Reached& reached : results_) {
      const bool failed = std::any_of(
          failures_.begin(), failures_.end(),
          [&](const std::vector<Taken>& failure) { return begins_with(reached.trail, failure); });
      // A rendezvous with somebody is not one of the sender alone, and the other way round.
      const bool met = std::any_of(
          reached.trail.begin(), reached.trail.end(),
          [&](const Taken& one) { return one.process != clients_[moving.client].process; });
      if (met == moving.partner.has_value()) add_action(moving, reached, failed);
    }
    for (const std::vector<Taken>& failure : failures_) {
      const bool goes_on =
          std::any_of(results_.begin(), results_.end(),
                      [&](const Reached& reached) { return begins_with(reached.trail, failure); });
      if (goes_on) continue;
      std::erase_if(knowledge_.entries, [](const Knowledge::Entry& one) { return one.blind; });
      Configuration stopped = configuration(moving, knowledge_.entries);
      stopped.go_to(clients_[moving.client].process, clients_[moving.client].resting);
      add_action(moving, {stopped, failure}, true);
    }
  }

  void add_action(const Moving& moving, const Reached& reached, bool failed) {
    const auto action = static_cast<ActionId>(translation_.trails.size());
    if (action >= most_actions) throw NotTranslated("its network would be too large");
    translation_.trails.push_back(reached.trail);
    translation_.network.actions.push_back(model_.statements[reached.trail.front().statement].text);
    add_edge(moving.client, moving.local, action, reached.state, failed);
    if (moving.partner) {
      add_edge(moving.partner->first, moving.partner->second, action, reached.state, failed);
    }
    for (const Knowledge::Entry& entry : knowledge_.entries) {
      SharedObject& object = objects_[entry.object];
      const std::uint32_t after = object.values(slice(reached.state, object.offset, object.size));
      if (object.values.size() > most_values) throw NotTranslated("a variable has too many values");
      moves_[entry.object].push_back({action, entry, after});
    }
  }

  void add_edge(std::uint32_t which, std::uint32_t local, ActionId action, const Configuration& to,
                bool failed) {
    Client& client = clients_[which];
    const bool failed_before = client.locals[local].back() != 0;
    const std::uint32_t target =
        client.locals(local_of(to, client.process, failed || failed_before));
    if (client.locals.size() > most_locals) {
      throw NotTranslated(name_of(which) + " has too many local states");
    }
    client.edges.push_back({local, action, target});
  }

  [[nodiscard]] std::string name_of(std::uint32_t client) const {
    const std::uint32_t process = clients_[client].process;
    return model_.proctypes[translation_.start.proctype(process)].name + " " +
           std::to_string(process);
  }

  // --- the network

  void build() {
    Network& network = translation_.network;
    network.name = "promela";
    for (std::uint32_t client = 0; client < clients_.size(); ++client) build_client(client);
    add_waiting();
    std::uint64_t cells = 0;
    for (std::uint32_t object = 0; object < objects_.size(); ++object) {
      if (moves_[object].empty()) continue;
      cells += std::uint64_t{objects_[object].values.size()} * moves_[object].size();
      if (cells > largest_tables) throw NotTranslated("its network would be too large");
      build_server(object);
    }
    validate(network);
  }

  void build_client(std::uint32_t which) {
    Client& client = clients_[which];
    NetworkProcess& process = translation_.network.processes.emplace_back();
    process.name = name_of(which);
    process.transitions = client.edges;
    StatePredicate::Literal failed{which, std::vector<bool>(client.locals.size() + 1)};
    bool any = false;
    for (std::uint32_t local = 0; local < client.locals.size(); ++local) {
      process.states.push_back(model_.where(location_of(which, local).place) + " " +
                               std::to_string(local));
      failed.holds[local] = client.locals[local].back() != 0;
      any = any || failed.holds[local];
    }
    process.states.emplace_back("nowhere");
    if (any) translation_.failed.alternatives.push_back({failed});
    const std::vector<LocalState> cycle = find_cycle(process);
    if (!cycle.empty()) {
      throw NotTranslated(name_of(which) + " can go round in a circle (" +
                          model_.where(location_of(which, cycle.front()).place) + ")");
    }
  }

  /// Who waits for what never comes must not look like somebody who has ended.
  void add_waiting() {
    Network& network = translation_.network;
    NetworkProcess never;
    never.name = "(never)";
    never.role = Role::server;
    never.states = {"never", "always"};
    for (std::uint32_t which = 0; which < clients_.size(); ++which) {
      NetworkProcess& process = network.processes[which];
      std::vector<bool> moves(clients_[which].locals.size());
      for (const NetworkTransition& edge : process.transitions) moves[edge.source] = true;
      for (std::uint32_t local = 0; local < moves.size(); ++local) {
        const bool may_end = location_of(which, local).may_end;
        if (may_end && moves[local]) {
          throw NotTranslated(name_of(which) + " may wait at an end label (" +
                              model_.where(location_of(which, local).place) + ")");
        }
        if (may_end || moves[local]) continue;
        const auto action = static_cast<ActionId>(network.actions.size());
        network.actions.emplace_back("never");
        translation_.trails.emplace_back();
        process.transitions.push_back({local, action, clients_[which].locals.size()});
        never.transitions.push_back({1, action, 1});
      }
    }
    if (!never.transitions.empty()) network.processes.push_back(never);
  }

  void build_server(std::uint32_t which) {
    NetworkProcess& server = translation_.network.processes.emplace_back();
    const SharedObject& object = objects_[which];
    server.name = "shared " + std::to_string(object.offset);
    server.role = Role::server;
    for (std::uint32_t value = 0; value < object.values.size(); ++value) {
      server.states.push_back(std::to_string(value));
    }
    for (const Move& move : moves_[which]) {
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
  const std::function<bool()>& interrupted_;
  Translation translation_;
  std::map<std::uint32_t, std::uint32_t> object_at_;
  std::vector<SharedObject> objects_;
  std::vector<Client> clients_;
  std::vector<std::vector<Move>> moves_;  // per object
  Knowledge knowledge_;
  Machine machine_;
  std::vector<Reached> results_;
  std::vector<std::vector<Taken>> failures_;
  std::size_t work_ = 0;
};

}  // namespace

Translation translate(const Model& model, const std::function<bool()>& interrupted) {
  return Translator(model, interrupted).run();
}

}  // namespace mazurka::promela
