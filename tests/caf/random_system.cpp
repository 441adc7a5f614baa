#include "caf/random_system.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <sstream>

namespace mazurka::caf_test {

namespace {

using ::caf::actor;
using ::caf::event_based_actor;
using ::caf::infinite;

class Generator {
 public:
  explicit Generator(std::uint64_t number) : random_(number), has_all_(number >= second_family) {}

  Script make() {
    Script script;
    script.actors = 2 + below(2);
    const int types = script.actors + 1;
    rich_ = below(3) != 0;
    script.keeps_references = below(2) == 0;
    script.types.resize(static_cast<std::size_t>(types));
    for (auto& type : script.types) {
      for (int kind = 0; kind <= Script::kinds; ++kind) type.push_back(actions(kind));
    }
    const int messages = 1 + below(2);
    for (int at = 0; at < messages; ++at) {
      script.messages.push_back({below(script.actors), below(Script::kinds)});
    }
    return script;
  }

 private:
  int below(int end) { return static_cast<int>(random_() % static_cast<std::uint64_t>(end)); }

  std::vector<Action> actions(int kind) {
    std::vector<Action> all;
    const int most = kind == Script::kinds ? 1 : 2;  // in the beginning
    const int number = below(most + 1);
    for (int at = 0; at < number; ++at) all.push_back(action());
    return all;
  }

  Action action() {
    using Kind = Action::Kind;
    static constexpr Kind plain[] = {Kind::send, Kind::send, Kind::request_then};
    static constexpr Kind all[] = {
        Kind::send,         Kind::send,         Kind::send,          Kind::send_urgent,
        Kind::request_then, Kind::request_then, Kind::request_await, Kind::delayed_send,
        Kind::spawn,        Kind::monitor,      Kind::monitor,       Kind::link,
        Kind::send_exit,    Kind::drop,         Kind::accept_all,    Kind::accept_even,
        Kind::hold_answer,  Kind::quit,         Kind::attach};
    static constexpr Kind more[] = {Kind::request_for_a_while,
                                    Kind::delegate,
                                    Kind::delegate,
                                    Kind::spawn_monitored,
                                    Kind::spawn_lazy,
                                    Kind::accept_even_nested,
                                    Kind::unbecome,
                                    Kind::accept_for_a_while,
                                    Kind::survive,
                                    Kind::fail,
                                    Kind::stop_with_error};
    const auto one_of = [this](const auto& kinds) {
      return kinds[below(static_cast<int>(std::size(kinds)))];
    };
    const bool unusual = has_all_ && below(2) == 0;
    const Kind kind = unusual ? one_of(more) : rich_ ? one_of(all) : one_of(plain);
    return {kind, below(4), below(Script::kinds)};
  }

  std::mt19937_64 random_;
  bool has_all_;
  bool rich_ = false;
};

/// What all actors of an execution share: it is not changed but for the log, of which each has its
/// own line.
struct Shared {
  const Script& script;
  Log& log;
};

class Performer final : public event_based_actor {
 public:
  Performer(::caf::actor_config& config, Shared* shared, int type, std::string name,
            std::vector<actor> known)
      : event_based_actor(config),
        shared_(shared),
        type_(type),
        name_(std::move(name)),
        known_(std::move(known)) {}

  ::caf::behavior make_behavior() override {
    set_default_handler(::caf::skip);
    set_down_handler([this](const ::caf::down_msg&) { note("down"); });
    note("begins");
    act(Script::kinds, name_, 1);
    return accepting_all();
  }

  // Those that know each other would never be destroyed.
  void on_exit() override {
    known_.clear();
    delegates_to_ = nullptr;
  }

  static constexpr int fuel_of_main = 2;

 private:
  using Result = ::caf::result<std::string>;

  ::caf::behavior accepting_all() {
    return {[this](int kind, const std::string& name, int fuel, const actor& from) -> Result {
      return handle(kind, name, fuel, from);
    }};
  }
  ::caf::behavior accepting_even() {
    return {[this](int kind, const std::string& name, int fuel, const actor& from) -> Result {
      if (kind % 2 != 0) return ::caf::skip;
      return handle(kind, name, fuel, from);
    }};
  }

  ::caf::behavior accepting_for_a_while() {
    return {[this](int kind, const std::string& name, int fuel, const actor& from) -> Result {
              return handle(kind, name, fuel, from);
            },
            ::caf::after(std::chrono::seconds(1)) >>
                [this] {
                  note("nothing came");
                  become(accepting_all());
                }};
  }

  Result handle(int kind, const std::string& name, int fuel, const actor& from) {
    note(name);
    if (held_.pending()) held_.deliver(std::string("late " + name));
    if (from != nullptr && known_.size() < 4) known_.push_back(from);
    hold_ = fails_ = false;
    delegates_to_ = nullptr;
    act(kind, name, fuel);
    if (delegates_to_ != nullptr && fuel > 0) {
      delegate(delegates_to_, delegated_kind_, name + ".d", fuel - 1, actor());
      return ::caf::delegated<std::string>();
    }
    if (fails_) return ::caf::make_error(::caf::sec::runtime_error);
    if (!hold_) return "answer to " + name;
    held_ = make_response_promise();
    return ::caf::delegated<std::string>();
  }

  void note(const std::string& what) { shared_->log[name_] += what + ";"; }

  void act(int kind, const std::string& cause, int fuel) {
    const auto& actions =
        shared_->script.types[static_cast<std::size_t>(type_)][static_cast<std::size_t>(kind)];
    int nth = 0;
    for (const Action& action : actions) perform(action, cause + "." + std::to_string(nth++), fuel);
  }

  [[nodiscard]] actor target(const Action& action) const {
    if (known_.empty()) return nullptr;
    return known_[static_cast<std::size_t>(action.target) % known_.size()];
  }

  void perform(const Action& action, const std::string& name, int fuel) {
    using Kind = Action::Kind;
    const actor whom = target(action);
    const bool talks =
        action.kind <= Kind::delayed_send || action.kind == Kind::request_for_a_while;
    const bool spawns = action.kind == Kind::spawn || action.kind == Kind::spawn_monitored ||
                        action.kind == Kind::spawn_lazy;
    if ((talks || spawns) && fuel == 0) return;
    const bool needs_other = talks || action.kind == Kind::monitor || action.kind == Kind::link ||
                             action.kind == Kind::send_exit || action.kind == Kind::attach ||
                             action.kind == Kind::delegate;
    if (needs_other && whom == nullptr) return;
    if (spawns) {
      spawn_child(action, name);
      return;
    }
    if (talks) {
      talk(action, whom, name, fuel - 1);
      return;
    }
    switch (action.kind) {
      case Kind::monitor: monitor(whom); break;
      case Kind::link: link_to(whom); break;
      case Kind::send_exit: send_exit(whom, ::caf::exit_reason::user_shutdown); break;
      case Kind::drop: known_.clear(); break;
      case Kind::accept_all: become(accepting_all()); break;
      case Kind::accept_even: become(accepting_even()); break;
      case Kind::hold_answer: hold_ = true; break;
      case Kind::attach: attach_to(whom, name); break;
      case Kind::delegate:
        delegates_to_ = whom;
        delegated_kind_ = action.message;
        break;
      case Kind::accept_even_nested:
        ++nested_;
        become(::caf::keep_behavior, accepting_even());
        break;
      case Kind::unbecome:
        if (nested_ > 0) unbecome();
        nested_ = std::max(nested_ - 1, 0);
        break;
      case Kind::accept_for_a_while: become(accepting_for_a_while()); break;
      case Kind::survive: set_exit_handler([this](const ::caf::exit_msg&) { note("exit"); }); break;
      case Kind::fail: fails_ = true; break;
      case Kind::stop_with_error:
        nested_ = 0;  // it has no behaviour any more
        quit(::caf::sec::runtime_error);
        break;
      default:
        nested_ = 0;
        quit();
        break;
    }
  }

  void spawn_child(const Action& action, const std::string& name) {
    using Kind = Action::Kind;
    const int type = action.target % static_cast<int>(shared_->script.types.size());
    const std::string child_name = "new " + name;
    const std::vector<actor> others(known_);
    actor child;
    switch (action.kind) {
      case Kind::spawn_monitored:
        child = spawn<Performer, ::caf::monitored>(shared_, type, child_name, others);
        break;
      case Kind::spawn_lazy:
        child = spawn<Performer, ::caf::lazy_init>(shared_, type, child_name, others);
        break;
      default: child = spawn<Performer>(shared_, type, child_name, others); break;
    }
    if (known_.size() < 4) known_.push_back(child);
  }

  // What is attached must not hold the actor it is attached to.
  void attach_to(const actor& whom, const std::string& name) {
    const ::caf::actor_addr self = address();
    ::caf::actor_cast<::caf::abstract_actor*>(whom)->attach_functor([self, name] {
      const auto here = ::caf::actor_cast<actor>(self);
      if (here != nullptr) ::caf::anon_send(here, 0, name, 0, actor());
    });
  }

  void talk(const Action& action, const actor& whom, const std::string& name, int fuel) {
    using Kind = Action::Kind;
    const actor self(this);
    const auto answered = [this, name](const std::string& text) { note(name + " " + text); };
    const auto failed = [this, name](const ::caf::error&) { note(name + " failed"); };
    switch (action.kind) {
      case Kind::send: send(whom, action.message, name, fuel, self); break;
      case Kind::send_urgent:
        send<::caf::message_priority::high>(whom, action.message, name, fuel, self);
        break;
      case Kind::request_then:
        request(whom, infinite, action.message, name, fuel, self).then(answered, failed);
        break;
      case Kind::request_for_a_while:
        request(whom, std::chrono::seconds(2), action.message, name, fuel, self)
            .then(answered, failed);
        break;
      case Kind::request_await:
        request(whom, infinite, action.message, name, fuel, self).await(answered, failed);
        break;
      default:
        delayed_send(whom, std::chrono::seconds(1 + action.target % 2), action.message, name, fuel,
                     self);
        break;
    }
  }

  Shared* shared_;
  int type_;
  std::string name_;
  std::vector<actor> known_;
  ::caf::response_promise held_;
  bool hold_ = false;
  bool fails_ = false;
  int nested_ = 0;
  actor delegates_to_;
  int delegated_kind_ = 0;
};

}  // namespace

Script make_script(std::uint64_t number) { return Generator(number).make(); }

std::string to_text(const Script& script) {
  static constexpr const char* names[] = {"send",           "send_urgent",
                                          "request_then",   "request_await",
                                          "delayed_send",   "spawn",
                                          "monitor",        "link",
                                          "send_exit",      "drop",
                                          "accept_all",     "accept_even",
                                          "hold_answer",    "quit",
                                          "attach",         "request_for_a_while",
                                          "delegate",       "spawn_monitored",
                                          "spawn_lazy",     "accept_even_nested",
                                          "unbecome",       "accept_for_a_while",
                                          "survive",        "fail",
                                          "stop_with_error"};
  std::ostringstream text;
  text << script.actors << " actors" << (script.keeps_references ? ", held by main" : "") << "\n";
  for (std::size_t type = 0; type < script.types.size(); ++type) {
    for (std::size_t kind = 0; kind < script.types[type].size(); ++kind) {
      for (const Action& action : script.types[type][kind]) {
        text << "type " << type << " on " << kind << ": " << names[static_cast<int>(action.kind)]
             << " target " << action.target << " message " << action.message << "\n";
      }
    }
  }
  for (const Script::First& first : script.messages) {
    text << "main sends " << first.message << " to " << first.actor << "\n";
  }
  return text.str();
}

void perform(const Script& script, ::caf::actor_system& system, Log& log) {
  log.clear();
  static Shared* shared = nullptr;
  delete shared;  // actors of the execution before are gone
  shared = new Shared{script, log};
  std::vector<actor> all;
  for (int at = 0; at < script.actors; ++at) {
    all.push_back(system.spawn<Performer>(shared, at, "a" + std::to_string(at), all));
  }
  int number = 0;
  for (const Script::First& first : script.messages) {
    ::caf::anon_send(all[static_cast<std::size_t>(first.actor)], first.message,
                     "m" + std::to_string(number++), Performer::fuel_of_main,
                     all[static_cast<std::size_t>(first.message) % all.size()]);
  }
  if (!script.keeps_references) all.clear();
  ::caf::scoped_actor self(system);
  caf::Test::run_until_idle();
}

}  // namespace mazurka::caf_test
