// The actors of an execution and their local states.
//
// An actor's id is interned from (actor that created it, n-th created by it), so it is the same in
// every equivalent interleaving and references can be compared. The memory of its state stays with
// it from one execution to the next; the actors of the set-up begin each with a copy of the state
// that they had then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "mazurka/actors/erased.hpp"
#include "programs/actors/guards.hpp"
#include "programs/actors/nobody.hpp"

namespace mazurka::actors {

struct Actor {
  const ActorType* type = nullptr;
  void* state = nullptr;  // constructed as `type` if `type` is set
  std::size_t capacity = 0;
  std::size_t alignment = 0;
  bool exists = false;
  bool dead = false;
  std::uint32_t created = 0;       // n-th on this path
  std::uint32_t children = 0;      // created by it so far
  std::uint32_t sent = 0;          // into channels, so far; urgent ones in the upper half
  std::uint32_t creator = nobody;  // nobody: the set-up
  std::uint32_t nth = 0;           // among its creator's children
  const GuardTable::LocalState* local = nullptr;  // interned, if known
  std::vector<std::pair<std::uint32_t, const Handler*>> watchers;
};

class Population {
 public:
  Population() = default;
  Population(const Population&) = delete;
  Population& operator=(const Population&) = delete;
  ~Population();

  /// The set-up is over: its actors are as they are now after each reset.
  void keep();
  void reset();

  /// How many there have been, on whatever path.
  [[nodiscard]] std::size_t size() const { return actors_.size(); }
  /// Whether there is one on this path, dead or alive.
  [[nodiscard]] bool has(std::uint32_t id) const {
    return id < actors_.size() && actors_[id].exists;
  }
  [[nodiscard]] Actor& operator[](std::uint32_t id) { return actors_[id]; }
  [[nodiscard]] const Actor& operator[](std::uint32_t id) const { return actors_[id]; }
  [[nodiscard]] Actor& at(std::uint32_t id) { return actors_.at(id); }
  /// In the order of creation on this path.
  [[nodiscard]] const std::vector<std::uint32_t>& existing() const { return existing_; }

  /// Its state is for the caller to construct. `creator`: nobody is the set-up.
  std::uint32_t create(const ActorType& type, std::uint32_t creator);
  /// It becomes another, with a copy of this state.
  void replace(std::uint32_t id, const ActorType& type, const void* state);

  /// A number for what belongs to the actor and is not in its own state.
  [[nodiscard]] static std::uint64_t beside_state(const Actor& actor);
  /// A number for its local state.
  [[nodiscard]] std::uint64_t state_hash(std::uint32_t id) const;
  /// Its part of the fingerprint, and all of them.
  [[nodiscard]] Fingerprint part(std::uint32_t id) const {
    return fingerprint_of(id, state_hash(id));
  }
  [[nodiscard]] Fingerprint fingerprint() const;

 private:
  struct Initial {
    std::uint32_t actor;
    const ActorType* type;
    Block state;
    std::vector<std::pair<std::uint32_t, const Handler*>> watchers;
  };
  static void clear_state(Actor& actor);
  static void make_room(Actor& actor, const ValueType& type);

  std::vector<Actor> actors_;
  std::vector<std::vector<std::uint32_t>> children_;  // per creator: ids of actors; set-up first
  std::vector<std::uint32_t> existing_;
  std::uint32_t spawned_ = 0;  // by the set-up
  std::vector<Initial> initial_;
  bool kept_ = false;
};

}  // namespace mazurka::actors
