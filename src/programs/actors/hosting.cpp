// What handlers and the set-up ask of the configuration.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "programs/actors/configuration.hpp"
#include "programs/actors/failures.hpp"

namespace mazurka::actors {

// Handlers that are const member functions are independent of each other, so they must not do what
// depends on their order.
void Configuration::refuse_if_reading(const char* what) const {
  if (current_ == nobody || !mails_[current_].handler->only_reads) return;
  throw std::logic_error("the handler `" + std::string(mails_[current_].handler->name) +
                         "` is const, so it can not " + what);
}

void* Configuration::send(const Handler& handler, std::uint32_t to, std::uint32_t& request) {
  request = static_cast<std::uint32_t>(mails_.size());
  void* memory = allocate(handler.arguments);
  post(Mail::Kind::message, &handler, to).arguments = memory;
  return memory;
}

Message& Configuration::await(std::uint32_t request, const Handler& handler) {
  if (current_ == nobody) throw std::logic_error("only an actor can await an answer");
  if (request >= mails_.size() || mails_[request].sent_by != current_) {
    throw std::logic_error("an answer is awaited in another step than its request was sent");
  }
  mails_[request].reply = static_cast<std::uint32_t>(replies_.size());
  replies_.push_back({{&handler, allocate(handler.arguments), nullptr}, self_});
  return replies_.back().message;
}

void* Configuration::spawn(const ActorType& type, std::uint32_t& id) {
  refuse_if_reading("create actors");
  if (current_ != nobody && !rules_.invariants.empty() && watches(type) &&
      !watches(*actors_[self_].type)) {
    mistake_ = "an invariant reads actors of the type `" + std::string(type.name) +
               "`, so it must name the type that creates them, too: `" +
               std::string(actors_[self_].type->name) + "`";
  }
  const std::size_t creator = current_ == nobody ? 0 : self_ + std::size_t{1};
  const std::uint32_t nth = current_ == nobody ? spawned_++ : actors_[self_].children++;
  if (children_.size() <= creator) children_.resize(creator + 1);
  if (children_[creator].size() <= nth) {
    children_[creator].push_back(static_cast<std::uint32_t>(actors_.size()));
    actors_.emplace_back();
  }
  id = children_[creator][nth];
  Actor& actor = actors_[id];
  clear_state(actor);
  make_room(actor, type.value);
  actor.type = &type;
  actor.exists = true;
  actor.dead = false;
  actor.local = nullptr;
  actor.children = actor.sent = 0;
  actor.creator = self_;
  actor.nth = nth;
  actor.watchers.clear();
  actor.created = static_cast<std::uint32_t>(existing_.size());
  existing_.push_back(id);
  return actor.state;
}

void* Configuration::become(const ActorType& type) {
  refuse_if_reading("become another");
  if (current_ == nobody || !actors_[self_].type->becomes) {
    throw std::logic_error("an actor that becomes another needs `using becomes = void;`");
  }
  next_type_ = &type;
  next_state_ = allocate(type.value);
  return next_state_;
}

void Configuration::stop() {
  refuse_if_reading("stop");
  if (current_ == nobody || !actors_[self_].type->mortal) {
    throw std::logic_error("an actor that stops needs `static constexpr bool mortal = true;`");
  }
  stopping_ = true;
}

void Configuration::crash(std::uint32_t actor) { post(Mail::Kind::crash, nullptr, actor); }

// In the set-up nothing has happened yet; later the actor may have ended, and only it can tell.
void Configuration::monitor(std::uint32_t watcher, std::uint32_t actor, const Handler& handler) {
  if (current_ != nobody) {
    post(Mail::Kind::watch, &handler, actor);
  } else {
    actors_.at(actor).watchers.emplace_back(watcher, &handler);
  }
}

void Configuration::expect(bool condition, const std::string& text) {
  if (!condition) throw Expectation{text};
}

const ActorType* Configuration::type_of(std::uint32_t actor) const {
  if (actor >= actors_.size() || !actors_[actor].exists || actors_[actor].dead) return nullptr;
  return actors_[actor].type;
}

const void* Configuration::state_of(std::uint32_t actor) const {
  if (type_of(actor) == nullptr) {
    throw std::logic_error("the state of an actor that does not exist is read; ask has() first");
  }
  return actors_[actor].state;
}

std::size_t Configuration::pending(const Handler* handler) const {
  if (checking_invariants_ && !rules_.watch_all) {
    throw std::invalid_argument("an invariant that names types looks at messages; name none");
  }
  return static_cast<std::size_t>(
      std::count_if(mails_.begin(), mails_.end(), [&](const Mail& mail) {
        return !mail.delivered && mail.kind == Mail::Kind::message && mail.handler == handler;
      }));
}

std::string Configuration::label(const Mail& mail) const {
  if (mail.kind == Mail::Kind::crash) return "crash";
  if (mail.kind == Mail::Kind::watch) return "monitor";
  return std::string(mail.handler->name) + "(" + mail.handler->show(mail.arguments, *this) + ")";
}

// The n-th of its type on this path, unless the set-up gave it a name.
std::string Configuration::name_of(std::uint32_t actor) const {
  for (const auto& [id, name] : rules_.names) {
    if (id == actor) return name;
  }
  if (actor >= actors_.size() || actors_[actor].type == nullptr) return "?";
  const ActorType* type = actors_[actor].type;
  std::size_t number = 0;
  std::size_t same = 0;
  for (const std::uint32_t id : existing_) {
    if (actors_[id].type != type) continue;
    ++same;
    if (id == actor) number = same;
  }
  return std::string(type->name) + (same > 1 ? " " + std::to_string(number) : "");
}

}  // namespace mazurka::actors
