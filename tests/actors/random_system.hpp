// Random systems of actors, and what they can do: by brute force, without the engine.
//
// A script says for each class of actors, value of a message and local state what the next state is
// and what is sent to whom; messages carry fuel, so every execution ends. Guards close a class to a
// value in some states. Actors may be created on the way. Some messages may be handled by a const
// member function, which changes nothing. Actors may fail. Channels may be FIFO, and a value urgent
// in them.
//
// A trace is told by what each actor handled, in which order: deliveries to one actor are dependent
// (unless both only read), and nothing else that could be exchanged is. Messages are named by
// (message whose handling sent them, n-th sent), actors by (actor that created them, n-th created).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mazurka/actors.hpp"

namespace mazurka::actors_test {

inline constexpr int values = 3;
inline constexpr int states = 3;

struct Script {
  struct Sending {
    int target = 0;  // an initial actor; `self` or `fresh` otherwise
    int value = 0;
  };
  static constexpr int self = -1;
  static constexpr int fresh = -2;
  struct Reaction {
    int next = 0;
    std::vector<Sending> sends;
  };
  struct Initial {
    int target = 0;
    int value = 0;
    int fuel = 0;
  };
  static constexpr int crash = -3;  // as the value of an initial message: its target fails
  static constexpr int peek = 2;    // if `peeks`: the value that is handled by the const function
  static constexpr int rush = 1;    // if `urgent`: the value that is urgent
  int actors = 2;
  int classes = 2;
  bool guarded = false;
  bool fifo = false;
  bool peeks = false;
  bool mortal = false;
  bool urgent = false;  // only with FIFO channels does it make a difference
  std::vector<std::array<std::array<Reaction, states>, values>> reactions;  // per class
  std::vector<std::array<std::array<bool, states>, values>> closed;         // per class
  std::vector<Initial> initial;
};

[[nodiscard]] Script random_script(std::uint64_t seed);
[[nodiscard]] std::string to_string(const Script& script);

/// The system that performs the script.
[[nodiscard]] System system_of(const std::shared_ptr<const Script>& script);

/// Every trace, and whether it ends in a deadlock. Empty if there are more than `limit`.
using Traces = std::map<std::string, bool>;
[[nodiscard]] Traces brute_force(const Script& script, std::size_t limit);

/// What an actor handled: the message's name, and whether that was reading only.
struct Handled {
  std::string name;
  bool read = false;
};
/// A trace in writing: per actor, by name, the names of what it handled; adjacent reads are sorted.
[[nodiscard]] std::string trace_text(const std::map<std::string, std::vector<Handled>>& handled);

}  // namespace mazurka::actors_test
