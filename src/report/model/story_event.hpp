// What the rows of a story say, taken apart for those who draw them: what was done to which object,
// what was seen there, what had to come before. The text of a row says the same to people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka {

/// Their names are those of docs/json.md, in the same order.
enum class Deed : std::uint8_t {
  other,
  start,
  join,
  lock,
  unlock,
  read,
  write,
  update,
  wait,
  woken,
  signal,
  broadcast,
  message,
  failure,
};
enum class ObjectType : std::uint8_t { memory, atomic, mutex, condition, other };

/// Why another process moves from a row on: it need not have (preempted), or the one before could
/// not go on (waits, ended); or one that was started takes its first step.
enum class SwitchKind : std::uint8_t { none, preempted, waits, ended, begins };

[[nodiscard]] constexpr std::string_view name(Deed deed) {
  constexpr std::string_view names[] = {"other",  "start",     "join",    "lock",   "unlock",
                                        "read",   "write",     "update",  "wait",   "woken",
                                        "signal", "broadcast", "message", "failure"};
  const auto at = static_cast<std::size_t>(deed);
  return at < std::size(names) ? names[at] : names[0];
}
[[nodiscard]] constexpr std::string_view name(ObjectType type) {
  constexpr std::string_view names[] = {"memory", "atomic", "mutex", "condition", "other"};
  const auto at = static_cast<std::size_t>(type);
  return at < std::size(names) ? names[at] : "other";
}
[[nodiscard]] constexpr std::string_view name(SwitchKind kind) {
  constexpr std::string_view names[] = {"none", "preempted", "waits", "ended", "begins"};
  const auto at = static_cast<std::size_t>(kind);
  return at < std::size(names) ? names[at] : names[0];
}

struct StoryObject {
  std::string name;
  ObjectType type = ObjectType::other;
  friend bool operator==(const StoryObject&, const StoryObject&) = default;
};

/// One automaton of a network goes from one of its locations to another.
struct StoryMove {
  std::size_t automaton = 0;  // index into Story::automata
  std::size_t from = 0;
  std::size_t to = 0;
};

/// Columns are indices into Story::processes, rows into Story::rows.
struct StoryEvent {
  Deed deed = Deed::other;
  std::optional<std::size_t> object;    // index into Story::objects
  std::optional<std::size_t> mutex;     // the object that a wait releases
  std::string value;                    // what was read, or what is there afterwards
  std::vector<std::size_t> peers;       // columns: those that are started, joined, woken
  std::vector<std::size_t> after;       // rows of others that happen before this one, and directly
  std::vector<std::size_t> not_after;   // rows of others that do not, though one might think so
  std::optional<std::size_t> woken_by;  // the row that has signalled
  std::vector<StoryMove> moves;
  SwitchKind switched = SwitchKind::none;
  std::size_t left_out = 0;  // events before this row that are not part of the story
};

/// A process can not go on between two of its rows.
struct StoryDelay {
  std::size_t process = 0;
  std::size_t from = 0;           // its row before
  std::optional<std::size_t> to;  // its row after; none: it never goes on
  std::string reason;             // "waits for T1 to finish"
};

/// Where a process is stuck for ever.
struct StoryStop {
  std::size_t process = 0;
  std::string reason;
  std::string place;
  std::vector<std::string> stack;
  std::optional<std::size_t> object;
  std::optional<std::size_t> holder;      // the column of who holds it ...
  std::optional<std::size_t> held_since;  // ... and the row since when
};

struct StorySource {
  std::string file;  // as in the rows' places
  std::string text;
  friend bool operator==(const StorySource&, const StorySource&) = default;
};

/// One automaton of a network.
struct StoryAutomaton {
  struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    std::string action;
  };
  std::string name;
  bool server = false;  // a lock, a variable, a channel: it has no row of its own
  std::vector<std::string> locations;
  std::size_t initial = 0;
  std::vector<Edge> edges;
};

}  // namespace mazurka
