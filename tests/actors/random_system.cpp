#include "actors/random_system.hpp"

#include <random>
#include <set>
#include <type_traits>

namespace mazurka::actors_test {

Script random_script(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](int bound) {
    return static_cast<int>(random() % static_cast<std::uint64_t>(bound));
  };
  Script script;
  script.actors = 2 + below(3);
  script.classes = 1 + below(3);
  script.guarded = below(2) == 0;
  script.fifo = below(4) == 0;
  script.peeks = below(3) == 0;
  script.mortal = below(4) == 0;
  script.reactions.resize(static_cast<std::size_t>(script.classes));
  script.closed.resize(static_cast<std::size_t>(script.classes));
  for (int kind = 0; kind < script.classes; ++kind) {
    const auto at = static_cast<std::size_t>(kind);
    for (std::size_t value = 0; value < values; ++value) {
      for (std::size_t state = 0; state < states; ++state) {
        Script::Reaction& reaction = script.reactions[at][value][state];
        const bool reads = script.peeks && static_cast<int>(value) == Script::peek;
        reaction.next = reads ? static_cast<int>(state) : below(states);
        for (int left = below(3); left > 0; --left) {
          const int whom = below(8);
          const int target = whom == 0             ? Script::self
                             : whom == 1 && !reads ? Script::fresh
                                                   : below(script.actors);
          reaction.sends.push_back({target, below(values)});
        }
        script.closed[at][value][state] = script.guarded && !reads && below(4) == 0;
      }
    }
  }
  for (int left = 2 + below(3); left > 0; --left) {
    script.initial.push_back({below(script.actors), below(values), below(3)});
  }
  if (script.mortal) script.initial.push_back({below(script.actors), Script::crash, 0});
  script.urgent = script.fifo && below(2) == 0;
  return script;
}

std::string to_string(const Script& script) {
  std::string text = std::to_string(script.actors) + " actors, " + std::to_string(script.classes) +
                     " classes" + (script.guarded ? ", guarded" : "") +
                     (script.fifo ? ", fifo" : "") + (script.peeks ? ", 2 only reads" : "") +
                     (script.mortal ? ", mortal" : "") + (script.urgent ? ", 1 is urgent" : "") +
                     "\n";
  for (const Script::Initial& message : script.initial) {
    text += "  start: " + std::to_string(message.value) + " to " + std::to_string(message.target) +
            ", fuel " + std::to_string(message.fuel) + "\n";
  }
  for (std::size_t kind = 0; kind < script.reactions.size(); ++kind) {
    for (std::size_t value = 0; value < values; ++value) {
      for (std::size_t state = 0; state < states; ++state) {
        const Script::Reaction& reaction = script.reactions[kind][value][state];
        text += "  class " + std::to_string(kind) + " value " + std::to_string(value) + " state " +
                std::to_string(state) + ": ";
        if (script.closed[kind][value][state]) {
          text += "closed\n";
          continue;
        }
        text += "state " + std::to_string(reaction.next);
        for (const Script::Sending& sending : reaction.sends) {
          text += ", " + std::to_string(sending.value) + " to " + std::to_string(sending.target);
        }
        text += "\n";
      }
    }
  }
  return text;
}

// --- the system ---------------------------------------------------------------------------------

namespace {

struct Packet {
  int value = 0;
  int fuel = 0;
};

template <typename Actor>
const Script::Reaction& reaction_of(const Actor& actor, const Packet& packet) {
  return actor.script->reactions[static_cast<std::size_t>(actor.kind)][static_cast<std::size_t>(
      packet.value)][static_cast<std::size_t>(actor.state)];
}

template <typename Actor>
void post(const Script& script, Context& context, Ref<Actor> target, const Packet& packet) {
  if (script.peeks && packet.value == Script::peek) {
    context.send<&Actor::peek>(target, packet);
  } else if (script.urgent && packet.value == Script::rush) {
    context.send<&Actor::rush>(target, packet);
  } else {
    context.send<&Actor::take>(target, packet);
  }
}

template <typename Actor>
void send_all(const Actor& actor, Context& context, const Packet& packet) {
  if (packet.fuel == 0) return;
  for (const Script::Sending& sending : reaction_of(actor, packet).sends) {
    Ref<Actor> target;
    if (sending.target == Script::self) {
      target = context.self<Actor>();
    } else if (sending.target == Script::fresh) {
      target =
          context.spawn<Actor>(actor.script, sending.value % actor.script->classes, 0, actor.known);
    } else {
      target = actor.known[static_cast<std::size_t>(sending.target)];
    }
    post(*actor.script, context, target, {sending.value, packet.fuel - 1});
  }
}

template <typename Actor>
void react(Actor& actor, Context& context, const Packet& packet) {
  const int next = reaction_of(actor, packet).next;
  send_all(actor, context, packet);
  actor.state = next;
}

template <typename Actor>
bool open_to(const Actor& actor, const Packet& packet) {
  return !actor.script->closed[static_cast<std::size_t>(actor.kind)][static_cast<std::size_t>(
      packet.value)][static_cast<std::size_t>(actor.state)];
}

struct Open {
  std::shared_ptr<const Script> script;
  int kind = 0;
  int state = 0;
  std::vector<Ref<Open>> known;
  void take(Context& context, const Packet& packet) { react(*this, context, packet); }
  void rush(Context& context, const Packet& packet) { react(*this, context, packet); }
  static constexpr bool urgent(on<&Open::rush>) { return true; }
  void peek(Context& context, const Packet& packet) const { send_all(*this, context, packet); }
};

struct Choosy {
  std::shared_ptr<const Script> script;
  int kind = 0;
  int state = 0;
  std::vector<Ref<Choosy>> known;
  void take(Context& context, const Packet& packet) { react(*this, context, packet); }
  void rush(Context& context, const Packet& packet) { react(*this, context, packet); }
  static constexpr bool urgent(on<&Choosy::rush>) { return true; }
  void peek(Context& context, const Packet& packet) const { send_all(*this, context, packet); }
  bool accepts(on<&Choosy::take>, const Packet& packet) const { return open_to(*this, packet); }
  bool accepts(on<&Choosy::rush>, const Packet& packet) const { return open_to(*this, packet); }
};

struct Mortal {
  static constexpr bool mortal = true;
  std::shared_ptr<const Script> script;
  int kind = 0;
  int state = 0;
  std::vector<Ref<Mortal>> known;
  void take(Context& context, const Packet& packet) { react(*this, context, packet); }
  void rush(Context& context, const Packet& packet) { react(*this, context, packet); }
  static constexpr bool urgent(on<&Mortal::rush>) { return true; }
  void peek(Context& context, const Packet& packet) const { send_all(*this, context, packet); }
  bool accepts(on<&Mortal::take>, const Packet& packet) const { return open_to(*this, packet); }
  bool accepts(on<&Mortal::rush>, const Packet& packet) const { return open_to(*this, packet); }
};

template <typename Actor>
void set_up(Setup& system, const std::shared_ptr<const Script>& script) {
  std::vector<Ref<Actor>> all;
  for (int at = 0; at < script->actors; ++at) {
    all.push_back(system.spawn<Actor>(script, at % script->classes));
  }
  for (const Ref<Actor>& actor : all) system.state(actor).known = all;
  for (const Script::Initial& message : script->initial) {
    const Ref<Actor> target = all[static_cast<std::size_t>(message.target)];
    if (message.value != Script::crash) {
      post(*script, system, target, {message.value, message.fuel});
    } else if constexpr (std::is_same_v<Actor, Mortal>) {
      system.crash(target);
    }
  }
  if (script->fifo) system.use_fifo_channels();
}

}  // namespace

System system_of(const std::shared_ptr<const Script>& script) {
  return [script](Setup& system) {
    if (script->mortal) {
      set_up<Mortal>(system, script);
    } else if (script->guarded) {
      set_up<Choosy>(system, script);
    } else {
      set_up<Open>(system, script);
    }
  };
}

// --- brute force --------------------------------------------------------------------------------

std::string trace_text(const std::map<std::string, std::vector<Handled>>& handled) {
  std::string text;
  for (const auto& [actor, messages] : handled) {
    if (messages.empty()) continue;
    text += actor + ":";
    std::set<std::string> reads;
    const auto flush = [&] {
      for (const std::string& name : reads) text += " " + name;
      reads.clear();
    };
    for (const Handled& message : messages) {
      if (message.read) {
        reads.insert(message.name);
      } else {
        flush();
        text += " " + message.name;
      }
    }
    flush();
    text += ";";
  }
  return text;
}

namespace {

struct World {
  struct Actor {
    int kind = 0;
    int state = 0;
    int children = 0;
    bool dead = false;
  };
  struct Message {
    std::string name;
    std::string from;
    std::string to;
    int value;
    int fuel;
  };
  std::map<std::string, Actor> actors;
  std::vector<Message> pending;  // in the order of sending
  std::map<std::string, std::vector<Handled>> handled;
};

class Enumeration {
 public:
  Enumeration(const Script& script, std::size_t limit) : script_(script), limit_(limit) {}

  Traces run() {
    World world;
    for (int at = 0; at < script_.actors; ++at) {
      world.actors["a" + std::to_string(at)] = {at % script_.classes, 0, 0, false};
    }
    for (std::size_t at = 0; at < script_.initial.size(); ++at) {
      const Script::Initial& message = script_.initial[at];
      world.pending.push_back({"m" + std::to_string(at), "", "a" + std::to_string(message.target),
                               message.value, message.fuel});
    }
    go(world);
    return too_many_ ? Traces() : traces_;
  }

 private:
  [[nodiscard]] bool is_urgent(const World::Message& message) const {
    return script_.urgent && message.value == Script::rush;
  }

  [[nodiscard]] bool enabled(const World& world, std::size_t at) const {
    const World::Message& message = world.pending[at];
    if (script_.fifo) {
      for (std::size_t earlier = 0; earlier < at; ++earlier) {
        const World::Message& other = world.pending[earlier];
        const bool overtakes = is_urgent(message) && !is_urgent(other);
        if (other.from == message.from && other.to == message.to && !overtakes) return false;
      }
    }
    if (message.value == Script::crash) return true;
    const World::Actor& actor = world.actors.at(message.to);
    return !actor.dead &&
           !script_.closed[static_cast<std::size_t>(actor.kind)][static_cast<std::size_t>(
               message.value)][static_cast<std::size_t>(actor.state)];
  }

  void deliver(World& world, std::size_t at) const {
    const World::Message message = world.pending[at];
    world.pending.erase(world.pending.begin() + static_cast<std::ptrdiff_t>(at));
    // In a FIFO channel the order counts, whatever the handlers do; a mortal reader has a guard.
    const bool read = script_.peeks && message.value == Script::peek;
    world.handled[message.to].push_back({message.name, read && !script_.fifo && !script_.mortal});
    World::Actor& actor = world.actors.at(message.to);
    if (message.value == Script::crash) {
      actor.dead = true;
      return;
    }
    const Script::Reaction& reaction =
        script_.reactions[static_cast<std::size_t>(actor.kind)][static_cast<std::size_t>(
            message.value)][static_cast<std::size_t>(actor.state)];
    actor.state = reaction.next;
    if (message.fuel == 0) return;
    int sent = 0;
    for (const Script::Sending& sending : reaction.sends) {
      std::string to = "a" + std::to_string(sending.target);
      if (sending.target == Script::self) to = message.to;
      if (sending.target == Script::fresh) {
        to = message.to + "a" + std::to_string(world.actors.at(message.to).children++);
        world.actors[to] = {sending.value % script_.classes, 0, 0, false};
      }
      world.pending.push_back({message.name + "." + std::to_string(sent++), message.to, to,
                               sending.value, message.fuel - 1});
    }
  }

  void go(const World& world) {
    if (too_many_ || !seen_.insert(trace_text(world.handled)).second) return;
    if (seen_.size() > limit_) too_many_ = true;
    bool any = false;
    for (std::size_t at = 0; at < world.pending.size(); ++at) {
      if (!enabled(world, at)) continue;
      any = true;
      World next = world;
      deliver(next, at);
      go(next);
    }
    if (any) return;
    bool waiting = false;
    for (const World::Message& message : world.pending) {
      waiting = waiting || !world.actors.at(message.to).dead;
    }
    traces_[trace_text(world.handled)] = waiting;
  }

  const Script& script_;
  std::size_t limit_;
  bool too_many_ = false;
  std::set<std::string> seen_;  // prefixes of traces: what follows depends on nothing else
  Traces traces_;
};

}  // namespace

Traces brute_force(const Script& script, std::size_t limit) {
  return Enumeration(script, limit).run();
}

}  // namespace mazurka::actors_test
