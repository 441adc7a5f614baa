// What handlers, the set-up and conditions ask of the configuration.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "programs/actors/configuration.hpp"

namespace mazurka::actors {

// Handlers that are const member functions are independent of each other, so they must not do what
// depends on their order.
void Configuration::refuse_if_reading(const char* what) const {
  if (mails_.current() == nobody) return;
  const Handler& handler = *mails_[mails_.current()].handler;
  if (!handler.only_reads) return;
  throw std::logic_error("the handler `" + std::string(handler.name) +
                         "` is const, so it can not " + what);
}

void* Configuration::send(const Handler& handler, std::uint32_t to, std::uint32_t& request) {
  request = static_cast<std::uint32_t>(mails_.size());
  void* memory = mails_.allocate(handler.arguments);
  post(Mail::Kind::message, &handler, to).arguments = memory;
  return memory;
}

Message& Configuration::await(std::uint32_t request, const Handler& handler) {
  return mails_.await(request, handler);
}

void* Configuration::spawn(const ActorType& type, std::uint32_t& id) {
  refuse_if_reading("create actors");
  if (self() != nobody && !invariants_.empty() && invariants_.watch(type) &&
      !invariants_.watch(*population_[self()].type)) {
    mistake_ = "an invariant reads actors of the type `" + std::string(type.name) +
               "`, so it must name the type that creates them, too: `" +
               std::string(population_[self()].type->name) + "`";
  }
  id = population_.create(type, self());
  return population_[id].state;
}

void* Configuration::become(const ActorType& type) {
  refuse_if_reading("become another");
  if (self() == nobody || !population_[self()].type->becomes) {
    throw std::logic_error("an actor that becomes another needs `using becomes = void;`");
  }
  next_type_ = &type;
  next_state_ = mails_.allocate(type.value);
  return next_state_;
}

void Configuration::stop() {
  refuse_if_reading("stop");
  if (self() == nobody || !population_[self()].type->mortal) {
    throw std::logic_error("an actor that stops needs `static constexpr bool mortal = true;`");
  }
  stopping_ = true;
}

void Configuration::crash(std::uint32_t actor) { post(Mail::Kind::crash, nullptr, actor); }

// In the set-up nothing has happened yet; later the actor may have ended, and only it can tell.
void Configuration::monitor(std::uint32_t watcher, std::uint32_t actor, const Handler& handler) {
  if (self() != nobody) {
    post(Mail::Kind::watch, &handler, actor);
  } else {
    population_.at(actor).watchers.emplace_back(watcher, &handler);
  }
}

void Configuration::expect(bool condition, const std::string& text) {
  if (!condition) throw Expectation{text};
}

const ActorType* Configuration::type_of(std::uint32_t actor) const {
  return population_.has(actor) && !population_[actor].dead ? population_[actor].type : nullptr;
}

const void* Configuration::state_of(std::uint32_t actor) const {
  if (type_of(actor) == nullptr) {
    throw std::logic_error("the state of an actor that does not exist is read; ask has() first");
  }
  return population_[actor].state;
}

std::size_t Configuration::pending(const Handler* handler) const {
  invariants_.check_reading_messages();
  return static_cast<std::size_t>(
      std::count_if(mails_.begin(), mails_.end(), [&](const Mail& mail) {
        return !mail.delivered && mail.kind == Mail::Kind::message && mail.handler == handler;
      }));
}

// As the set-up calls it; else the n-th of its type in the set-up, or the n-th that its creator has
// created: "Parent 2", "Child of Parent 2", "Child 3 of Parent 2", "Child 3.1 of Parent 2".
std::string Configuration::name_of(std::uint32_t actor) const {
  for (const auto& [id, name] : rules_.names) {
    if (id == actor) return name;
  }
  if (actor >= population_.size() || population_[actor].type == nullptr) return "?";
  const std::string type(population_[actor].type->name);
  if (population_[actor].creator == nobody) return type + number_in_set_up(actor);
  std::string line;  // of descent
  std::uint32_t ancestor = actor;
  for (; population_[ancestor].creator != nobody; ancestor = population_[ancestor].creator) {
    line = std::to_string(population_[ancestor].nth + 1) + (line.empty() ? "" : "." + line);
  }
  return type + (line == "1" ? "" : " " + line) + " of " + name_of(ancestor);
}

std::string Configuration::number_in_set_up(std::uint32_t actor) const {
  std::size_t number = 0;
  std::size_t same = 0;
  for (const std::uint32_t id : population_.existing()) {
    const Actor& other = population_[id];
    if (other.creator != nobody || other.type != population_[actor].type) continue;
    ++same;
    if (id == actor) number = same;
  }
  return same > 1 ? " " + std::to_string(number) : "";
}

}  // namespace mazurka::actors
