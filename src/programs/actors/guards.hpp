// Guards as data: which messages an actor would accept in which local state.
//
// The vocabulary asks a guard with a number that stands for the message and a value that the object
// had. Messages are interned by content into classes; the value is the address of an interned copy
// of the actor's local state, which remembers its verdict per class. The copies live as long as the
// program, so the value stays valid in every execution that carries it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "mazurka/actors/erased.hpp"

namespace mazurka::actors {

/// A value that the engine owns, without its type.
class Block {
 public:
  Block() = default;
  Block(const ValueType& type, const void* from);
  Block(Block&& other) noexcept;
  Block& operator=(Block&& other) noexcept;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block();
  [[nodiscard]] const void* get() const { return memory_; }

 private:
  const ValueType* type_ = nullptr;
  void* memory_ = nullptr;
};

class GuardTable {
 public:
  /// A local state, or the end of an actor.
  class LocalState {
   public:
    LocalState(const GuardTable& table, const ActorType* type, Block state, std::uint64_t beside)
        : table_(table), type_(type), state_(std::move(state)), beside_(beside) {}
    [[nodiscard]] bool accepts(std::uint16_t message_class) const;
    [[nodiscard]] std::uint64_t value() const { return reinterpret_cast<std::uintptr_t>(this); }

   private:
    friend class GuardTable;
    const GuardTable& table_;
    const ActorType* type_;  // null: the actor is dead
    Block state_;
    std::uint64_t beside_;
    mutable std::vector<std::int8_t> verdicts_;  // per class: -1 unknown
  };

  GuardTable() : dead_(*this, nullptr, {}, 0) {}

  /// The number of the message's content. Throws std::length_error past 65535 of them.
  [[nodiscard]] std::uint16_t class_of(const Handler& handler, const void* arguments);
  /// `beside`: a number for what belongs to the actor and is not in its own state. Guards do not
  /// see it, but where it differs the values must.
  [[nodiscard]] const LocalState& state_of(const ActorType& type, const void* state,
                                           std::uint64_t beside);
  [[nodiscard]] const LocalState& dead() const { return dead_; }

  /// For the vocabulary.
  [[nodiscard]] static bool holds(std::uint16_t message_class, std::uint64_t value) {
    const auto* state = reinterpret_cast<const LocalState*>(static_cast<std::uintptr_t>(value));
    return state == nullptr || state->accepts(message_class);
  }

 private:
  struct Class {
    const Handler* handler;
    Block arguments;
  };
  std::deque<Class> classes_;
  std::unordered_multimap<std::uint64_t, std::uint16_t> class_by_hash_;
  std::deque<LocalState> states_;
  std::unordered_multimap<std::uint64_t, const LocalState*> state_by_hash_;
  LocalState dead_;
};

}  // namespace mazurka::actors
