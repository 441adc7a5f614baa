#include "programs/promela/translation.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/check.hpp"
#include "programs/promela/assembly.hpp"

namespace mazurka::promela {

void Knowledge::gives_up(const std::string& why) { throw NotTranslated(why); }

namespace {

constexpr std::uint32_t most_values = 5'000;  // of one object
constexpr std::uint32_t most_locals = 4'000;  // local states of one process
constexpr std::size_t most_actions = 200'000;
constexpr std::size_t most_work = 3'000'000;  // steps executed

bool begins_with(const std::vector<Taken>& trail, const std::vector<Taken>& prefix) {
  return trail.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), trail.begin(),
                                                     [](const Taken& one, const Taken& other) {
                                                       return one.process == other.process &&
                                                              one.statement == other.statement;
                                                     });
}

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
    play_prelude(model_, translation_);
    collect_objects();
    collect_processes();
    while (pass()) {
    }
    assemble(model_, parts_, translation_);
    return std::move(translation_);
  }

 private:
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
      const auto number = static_cast<std::uint32_t>(parts_.objects.size());
      MAZURKA_CHECK(object_at_.emplace(offset, number).second, "no two objects are at one place");
      SharedObject& object = parts_.objects.emplace_back();
      object.offset = offset;
      object.size = size;
      object.values(slice(start, object.offset, size));
    };
    for (const Model::Span& cell : model_.cells) add(before_globals + cell.offset, cell.size);
    for (const Configuration::Channel& channel : start.channels) {
      const ChannelType& type = model_.channel_types[channel.type];
      if (type.capacity != 0) add(channel.offset, type.size());
    }
    parts_.moves.resize(parts_.objects.size());
  }

  void collect_processes() {
    const Configuration& start = translation_.start;
    for (std::uint32_t process = 0; process < start.processes.size(); ++process) {
      Client& client = parts_.clients.emplace_back();
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
    orders_.resize(parts_.clients.size());
    const Past nothing(parts_.clients.size(), 0);
    for (Client& client : parts_.clients) note_past(client.pasts, 0, nothing);
    for (SharedObject& object : parts_.objects) note_past(object.pasts, 0, nothing);
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
    MAZURKA_CHECK(process < state.processes.size(), "no process of a network disappears");
    Bytes local = slice(state, state.processes[process], size_of_process(process));
    local.push_back(failed ? 1 : 0);
    return local;
  }
  /// Everything once, with the values and local states known so far. Whether there are new ones.
  bool pass() {
    news_ = false;
    translation_.network = {};
    translation_.trails.clear();
    for (Client& client : parts_.clients) client.edges.clear();
    for (std::vector<Move>& moves : parts_.moves) moves.clear();
    for (std::uint32_t client = 0; client < parts_.clients.size(); ++client) {
      for (std::uint32_t local = 0; local < parts_.clients[client].locals.size(); ++local) {
        execute_all(client, local);
      }
    }
    return news_;
  }
  void note_past(std::vector<Pasts>& pasts, std::uint32_t of, const Past& past) {
    if (pasts.size() <= of) pasts.resize(of + 1);
    if (pasts[of].add(past, orders_)) news_ = true;
  }

  /// All pasts of a state in which they move and these values are there.
  [[nodiscard]] std::vector<Past> pasts_of(const Moving& moving,
                                           const std::vector<Knowledge::Entry>& known) const {
    std::vector<Past> all = parts_.clients[moving.client].pasts[moving.local].all();
    const auto restrict_to = [&](const Pasts& more) {
      Pasts both;
      for (const Past& one : all) {
        for (const Past& other : more.all()) {
          const std::optional<Past> past = joined(one, other, orders_);
          if (past && (*past)[moving.client] == moving.local &&
              (!moving.partner || orders_[moving.partner->first].is_before_or_same(
                                      (*past)[moving.partner->first], moving.partner->second))) {
            both.add(*past, orders_);
          }
        }
      }
      all = both.all();
    };
    if (moving.partner)
      restrict_to(parts_.clients[moving.partner->first].pasts[moving.partner->second]);
    for (const Knowledge::Entry& entry : known) {
      if (!entry.blind) restrict_to(parts_.objects[entry.object].pasts[entry.value]);
    }
    return all;
  }

  void execute_all(std::uint32_t client, std::uint32_t local) {
    const std::vector<Transition>& all = parts_.location_of(client, local, model_).transitions;
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
    for (std::uint32_t partner = 0; partner < parts_.clients.size(); ++partner) {
      if (partner == moving.client) continue;
      for (std::uint32_t local = 0; local < parts_.clients[partner].locals.size(); ++local) {
        const std::vector<Transition>& all = parts_.location_of(partner, local, model_).transitions;
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
      pasts_ = pasts_of(moving, known);
      if (pasts_.empty()) continue;
      if (++work_ > most_work) throw NotTranslated("its network would be too large");
      if (work_ % 1024 == 0 && interrupted_()) throw NotTranslated("there was no time for it");
      results_.clear();
      failures_.clear();
      knowledge_.begin(known, single);
      try {
        const bool moved = machine_.expand_one(configuration(moving, known),
                                               parts_.clients[moving.client].process, transition);
        // It can move, and nobody else ever will: in a network that would look like a deadlock.
        if (moved && results_.empty() && failures_.empty()) {
          throw NotTranslated("an atomic sequence of it can go round in a circle for ever");
        }
        take_results(moving);
      } catch (const Wanted& wanted) {
        for (std::uint32_t value = 0; value < parts_.objects[wanted.object].values.size();
             ++value) {
          waiting.push_back(known);
          waiting.back().push_back({wanted.object, value, false});
        }
      }
    }
  }

  [[nodiscard]] Configuration configuration(const Moving& moving,
                                            const std::vector<Knowledge::Entry>& known) const {
    Configuration state = translation_.start;
    for (const Client& client : parts_.clients) state.go_to(client.process, client.resting);
    const auto put = [&](std::uint32_t client, std::uint32_t local) {
      const Bytes& bytes = parts_.clients[client].locals[local];
      MAZURKA_CHECK(bytes.size() == size_of_process(parts_.clients[client].process) + 1,
                    "a local state is as long as its process");
      std::copy(bytes.begin(), bytes.end() - 1,
                state.bytes.begin() + state.processes[parts_.clients[client].process]);
    };
    put(moving.client, moving.local);
    if (moving.partner) put(moving.partner->first, moving.partner->second);
    for (const Knowledge::Entry& entry : known) {
      const SharedObject& object = parts_.objects[entry.object];
      const Bytes& value = object.values[entry.value];
      MAZURKA_CHECK(value.size() == object.size, "a value is as long as its object");
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
          [&](const Taken& one) { return one.process != parts_.clients[moving.client].process; });
      if (met == moving.partner.has_value()) add_action(moving, reached, failed);
    }
    for (const std::vector<Taken>& failure : failures_) {
      const bool goes_on =
          std::any_of(results_.begin(), results_.end(),
                      [&](const Reached& reached) { return begins_with(reached.trail, failure); });
      if (goes_on) continue;
      std::erase_if(knowledge_.entries, [](const Knowledge::Entry& one) { return one.blind; });
      Configuration stopped = configuration(moving, knowledge_.entries);
      stopped.go_to(parts_.clients[moving.client].process, parts_.clients[moving.client].resting);
      add_action(moving, {stopped, failure}, true);
    }
  }

  void add_action(const Moving& moving, const Reached& reached, bool failed) {
    const auto action = static_cast<ActionId>(translation_.trails.size());
    if (action >= most_actions) throw NotTranslated("its network would be too large");
    MAZURKA_CHECK(!reached.trail.empty(), "an action is made of steps");
    translation_.trails.push_back(reached.trail);
    translation_.network.actions.push_back(model_.statements[reached.trail.front().statement].text);
    std::vector<Past> pasts = pasts_;
    const auto pass = [&](std::uint32_t client, std::uint32_t local) {
      const std::uint32_t target = add_edge(client, local, action, reached.state, failed);
      for (Past& past : pasts) past[client] = target;
    };
    pass(moving.client, moving.local);
    if (moving.partner) pass(moving.partner->first, moving.partner->second);
    for (const Past& past : pasts) {
      note_past(parts_.clients[moving.client].pasts, past[moving.client], past);
      if (!moving.partner) continue;
      const std::uint32_t partner = moving.partner->first;
      note_past(parts_.clients[partner].pasts, past[partner], past);
    }
    for (const Knowledge::Entry& entry : knowledge_.entries) {
      SharedObject& object = parts_.objects[entry.object];
      const std::uint32_t after = object.values(slice(reached.state, object.offset, object.size));
      if (object.values.size() > most_values) throw NotTranslated("a variable has too many values");
      parts_.moves[entry.object].push_back({action, entry, after});
      if (!entry.blind && entry.value == after) continue;
      for (const Past& past : pasts) note_past(object.pasts, after, past);
    }
  }

  std::uint32_t add_edge(std::uint32_t which, std::uint32_t local, ActionId action,
                         const Configuration& to, bool failed) {
    Client& client = parts_.clients[which];
    const bool failed_before = client.locals[local].back() != 0;
    const std::uint32_t target =
        client.locals(local_of(to, client.process, failed || failed_before));
    if (client.locals.size() > most_locals) {
      throw NotTranslated(parts_.name_of(which, model_) + " has too many local states");
    }
    client.edges.push_back({local, action, target});
    if (orders_[which].add(local, target)) news_ = true;
    if (local != 0 && orders_[which].is_before_or_same(target, local)) {
      throw NotTranslated(parts_.name_of(which, model_) + " can go round in a circle (" +
                          model_.where(parts_.location_of(which, local, model_).place) + ")");
    }
    return target;
  }

  const Model& model_;
  const std::function<bool()>& interrupted_;
  Translation translation_;
  std::map<std::uint32_t, std::uint32_t> object_at_;
  Parts parts_;
  Knowledge knowledge_;
  Machine machine_;
  std::vector<Reached> results_;
  std::vector<std::vector<Taken>> failures_;
  std::vector<LocalOrder> orders_;  // per client
  std::vector<Past> pasts_;         // of the step that is executed
  bool news_ = false;               // in this pass
  std::size_t work_ = 0;
};

}  // namespace

Translation translate(const Model& model, const std::function<bool()>& interrupted) {
  return Translator(model, interrupted).run();
}

}  // namespace mazurka::promela
