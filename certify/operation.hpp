// What a process of the described program may do: kinds of objects, actions on them, operations.
//
// An operation is one atomic step: actions on zero or more objects, perhaps with the creation of
// processes, the wait for the end of another, a choice of data, or the end of the program. An
// outcome is what one performance of it gave: values observed and written, and the choice taken.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace certify {

inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

enum class Kind : std::uint8_t {
  memory,
  mutex,
  semaphore,
  read_write_lock,
  barrier,
  condition,
};
inline constexpr std::uint64_t kinds = 6;

enum class Action : std::uint8_t {
  // memory
  read,              // observes the value
  write,             // stores `operand`
  update,            // observes and stores, as the outcome says
  compare_exchange,  // the same, or only observes: the outcome says which
  add,               // of `operand`, in `width` bytes; nobody observes the value before
  flip_bits,
  set_bits,
  clear_bits,
  await,  // enabled while the value is `operand`
  // mutex
  lock,
  unlock,
  try_lock,
  reset,  // initialises or destroys it: it is free
  // semaphore
  take,
  post,
  try_take,
  look,  // observes its number
  // read-write lock
  lock_alone,
  unlock_alone,
  try_alone,
  share,
  stop_sharing,
  try_share,
  // barrier
  arrive,
  leave,  // enabled once `operand` processes have arrived
  // condition
  wait_in_order,  // the process begins to wait: the first to come is the first to be woken
  wait,           // the process begins to wait: any one of those that wait may be woken
  woken,          // enabled once the process has been woken
  wake_first,     // the process that has waited longest
  wake_any,       // one of those that wait: a choice
  wake_all,
};
inline constexpr std::uint64_t actions = 31;

/// The kind of object that an action is for.
[[nodiscard]] constexpr Kind kind_of(Action action) {
  if (action <= Action::await) return Kind::memory;
  if (action <= Action::reset) return Kind::mutex;
  if (action <= Action::look) return Kind::semaphore;
  if (action <= Action::try_share) return Kind::read_write_lock;
  if (action <= Action::leave) return Kind::barrier;
  return Kind::condition;
}

[[nodiscard]] std::string_view name(Kind kind);
[[nodiscard]] std::string_view name(Action action);

/// Which parts of an outcome an action has.
[[nodiscard]] constexpr bool observes(Action action) {
  return action == Action::read || action == Action::update || action == Action::compare_exchange ||
         action == Action::look;
}
[[nodiscard]] constexpr bool may_fail(Action action) {
  return action == Action::compare_exchange || action == Action::try_lock ||
         action == Action::try_take || action == Action::try_alone || action == Action::try_share;
}
[[nodiscard]] constexpr bool writes_outcome(Action action) {
  return action == Action::update || action == Action::compare_exchange;
}
[[nodiscard]] constexpr bool has_operand(Action action) {
  return action == Action::write || (action >= Action::add && action <= Action::await) ||
         action == Action::leave;
}

struct Part {
  std::uint32_t object = 0;
  Action action = Action::read;
  std::uint8_t width = 8;  // of arithmetic, in bytes
  std::uint64_t operand = 0;
  friend bool operator==(const Part&, const Part&) = default;
};

enum class Ending : std::uint8_t {
  no,
  stop,  // ends the program at once
  exit,  // ends the program once no other process can take a step
};

struct Operation {
  bool end = false;  // no operation: the process has ended
  Ending ending = Ending::no;
  std::uint32_t joins = none;  // enabled once this process has ended
  std::uint32_t choices = 1;   // of data
  std::vector<Part> parts;
  std::vector<std::uint32_t> spawns;
  friend bool operator==(const Operation&, const Operation&) = default;
};

struct PartOutcome {
  bool succeeded = true;
  std::uint64_t observed = 0;
  std::uint64_t written = 0;
  friend bool operator==(const PartOutcome&, const PartOutcome&) = default;
};

struct Outcome {
  std::uint32_t choice = 0;
  std::vector<PartOutcome> parts;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

}  // namespace certify
