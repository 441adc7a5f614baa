#include "programs/actors/population.hpp"

#include <algorithm>
#include <new>

#include "core/check.hpp"

namespace mazurka::actors {

// What a set-up that threw has created may not have been constructed.
Population::~Population() {
  for (Actor& actor : actors_) {
    if (kept_) clear_state(actor);
    if (actor.state != nullptr) ::operator delete (actor.state, std::align_val_t{actor.alignment});
  }
}

void Population::keep() {
  kept_ = true;
  for (const std::uint32_t id : existing_) {
    const Actor& made = actors_[id];
    initial_.push_back({id, made.type, Block(made.type->value, made.state), made.watchers});
  }
}

void Population::reset() {
  for (std::size_t at = initial_.size(); at < existing_.size(); ++at) {
    Actor& actor = actors_[existing_[at]];
    actor.exists = false;
    actor.watchers.clear();
    actor.local = nullptr;
  }
  existing_.resize(initial_.size());
  for (const Initial& start : initial_) {
    Actor& actor = actors_[start.actor];
    if (actor.type == start.type) {
      actor.type->value.assign(actor.state, start.state.get());
    } else {
      replace(start.actor, *start.type, start.state.get());
    }
    actor.dead = false;
    actor.children = actor.sent = 0;
    actor.local = nullptr;
    if (actor.type->mortal) actor.watchers = start.watchers;
  }
}

std::uint32_t Population::create(const ActorType& type, std::uint32_t creator) {
  const std::size_t family = creator == nobody ? 0 : creator + std::size_t{1};
  const std::uint32_t nth = creator == nobody ? spawned_++ : actors_[creator].children++;
  if (children_.size() <= family) children_.resize(family + 1);
  if (children_[family].size() <= nth) {
    children_[family].push_back(static_cast<std::uint32_t>(actors_.size()));
    actors_.emplace_back();
  }
  MAZURKA_CHECK(nth < children_[family].size(), "the children of an actor are numbered in turn");
  const std::uint32_t id = children_[family][nth];
  MAZURKA_CHECK(!actors_[id].exists, "an actor is created once");
  Actor& actor = actors_[id];
  clear_state(actor);
  make_room(actor, type.value);
  actor.type = &type;
  actor.exists = true;
  actor.dead = false;
  actor.local = nullptr;
  actor.children = actor.sent = 0;
  actor.creator = creator;
  actor.nth = nth;
  actor.watchers.clear();
  actor.created = static_cast<std::uint32_t>(existing_.size());
  existing_.push_back(id);
  return id;
}

void Population::replace(std::uint32_t id, const ActorType& type, const void* state) {
  Actor& actor = actors_[id];
  clear_state(actor);
  make_room(actor, type.value);
  type.value.copy(actor.state, state);
  actor.type = &type;
}

void Population::clear_state(Actor& actor) {
  if (actor.type != nullptr) actor.type->value.destroy(actor.state);
  actor.type = nullptr;
}

void Population::make_room(Actor& actor, const ValueType& type) {
  if (actor.state != nullptr && actor.capacity >= type.size && actor.alignment >= type.alignment) {
    return;
  }
  if (actor.state != nullptr) ::operator delete (actor.state, std::align_val_t{actor.alignment});
  actor.capacity = type.size;
  actor.alignment = std::max(type.alignment, alignof(std::max_align_t));
  actor.state = ::operator new (actor.capacity, std::align_val_t{actor.alignment});
}

// --- fingerprints -------------------------------------------------------------------------------

// How many actors it has created decides what the next is called, how many messages it has sent
// into channels their places; who watches it is told its end.
std::uint64_t Population::beside_state(const Actor& actor) {
  std::uint64_t beside = detail::combine(actor.children, actor.sent);
  for (const auto& [watcher, handler] : actor.watchers) {
    beside = detail::combine(detail::combine(beside, watcher),
                             reinterpret_cast<std::uintptr_t>(handler));
  }
  return beside;
}

std::uint64_t Population::state_hash(std::uint32_t id) const {
  const Actor& actor = actors_[id];
  return detail::combine(
      detail::combine(reinterpret_cast<std::uintptr_t>(actor.type), beside_state(actor)),
      actor.dead ? 0 : actor.type->value.hash(actor.state));
}

Fingerprint Population::fingerprint() const {
  Fingerprint whole;
  for (const std::uint32_t id : existing_) whole ^= part(id);
  return whole;
}

}  // namespace mazurka::actors
