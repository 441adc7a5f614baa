// The checker's own model of the objects: when an action is enabled, what it does, what commutes.
//
// It knows nothing of the tables of the program that wrote the certificate. If the two disagree, a
// log cannot be performed here as it says, or a demand stays open.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "operation.hpp"

namespace certify {

/// What an action turned out to be. Two accesses to one object commute if both read, or if both
/// are of one class of commuting changes.
enum class Class : std::uint8_t { write, read, add, flip_bits, set_bits, clear_bits };

[[nodiscard]] constexpr bool conflict(Class one, Class other) {
  return one != other || one == Class::write;
}

struct Value {
  std::uint64_t number = 0;
  std::vector<std::uint32_t> waiting;  // of a condition, in order of arrival
  std::vector<std::uint32_t> woken;
  std::vector<std::uint32_t> sharers;  // of a read-write lock; `number` of them
};

/// Who has a read-write lock alone is this number of sharers.
inline constexpr std::uint64_t held_alone = ~std::uint64_t{0};

/// True if `process` can perform the action on an object with this value.
[[nodiscard]] bool enabled(const Part& part, std::uint32_t process, const Value& value);

/// True if the action can ever be disabled.
[[nodiscard]] bool is_guarded(Action action);

/// The number of ways in which the action can be performed now.
[[nodiscard]] std::uint32_t choices(const Part& part, const Value& value);

struct Effect {
  Class performed = Class::read;
  bool succeeded = true;
  std::uint64_t observed = 0;
};

/// Performs the action. What an update stores is taken from `outcome`; everything else is worked
/// out here. Requires: enabled, and `choice` below choices().
Effect perform(const Part& part, std::uint32_t process, std::uint32_t choice,
               const PartOutcome& outcome, Value& value);

/// A message if the action makes no sense for an object with this value: an unlock of a mutex that
/// is free, a lock given back that the process does not share.
[[nodiscard]] std::optional<std::string_view> misuse(const Part& part, std::uint32_t process,
                                                     const Value& value);

}  // namespace certify
