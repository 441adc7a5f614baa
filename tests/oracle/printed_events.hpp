// Executions of a model as the papers speak of them: events that read and write objects, and the
// happens-before relation among them, with or without observers.
//
// Plain and slow on purpose: everything is computed anew from the sequence of processes. Only what
// the papers' programs have is known: deterministic steps on variables, mutexes, awaits and joins.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/model.hpp"

namespace mazurka::oracle::printed {

using Processes = std::vector<std::size_t>;
using Indices = std::vector<std::size_t>;
/// A bit per object. Registers, the outcomes of assertions and the ends of processes are objects.
using Objects = std::uint64_t;

struct Event {
  std::size_t process = 0;
  Objects reads = 0;
  Objects writes = 0;
};

/// What a step is said to touch: all that it may touch, or what it did touch in this state.
enum class Footprints : std::uint8_t { possible, actual };

/// The process must be enabled. Throws std::invalid_argument for steps unknown to the papers.
Event perform(const Model& model, Footprints footprints, State& state, std::size_t process);

struct Path {
  std::vector<Event> events;
  State end;
};

/// Nothing if some process is disabled when its turn comes.
[[nodiscard]] std::optional<Path> follow(const Model& model, Footprints footprints, State state,
                                         const Processes& sequence);

[[nodiscard]] bool equal_on(const State& one, const State& other, Objects objects);

/// One writes what the other reads.
[[nodiscard]] bool read_write(const Event& one, const Event& other);

/// Happens-before. With observers, two writes are ordered only if a later event reads the second.
class Order {
 public:
  Order(const std::vector<Event>& events, bool observers);

  [[nodiscard]] bool before(std::size_t one, std::size_t other) const {
    return (before_[other] >> one & 1U) != 0;
  }
  [[nodiscard]] bool first(std::size_t event) const { return before_[event] == 0; }
  /// Different processes, ordered, and nothing in between.
  [[nodiscard]] bool race(std::size_t one, std::size_t other) const;
  /// The first events that read what the second wrote over the first's value. None if the two are
  /// ordered for another reason than both writing.
  [[nodiscard]] Indices observers(std::size_t one, std::size_t other) const;

 private:
  [[nodiscard]] Indices readers(std::size_t write, Objects objects) const;

  const std::vector<Event>& events_;
  bool observers_;
  std::vector<std::uint64_t> before_;  // a bit per earlier event
};

}  // namespace mazurka::oracle::printed
