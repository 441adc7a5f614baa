// From executions to events: the configuration that an execution is, and its extensions.
//
// An extension of a configuration C is an event whose history lies in C. For an operation `a` that
// some process has announced, its histories H in C are: all that its process did, what it was
// caused by, and any set of events that depend on it, with their histories. Since the operations
// are persistent, each of these is a history that `a` really can have: nothing in C could disable
// it.
//
// It is enough to look at an operation when it is performed, and, if it never is, at the end: what
// comes after it in C depends on it, if on anything, and so is in none of its histories. That is
// Theorem 1 of Pham, Jéron and Quinson: extensions are found as the configuration grows, each once.
// Their case distinction by the type of the action (how many maximal events of which type a history
// can have) is replaced by one enumeration over the events that the footprints call dependent; for
// operations on one object these form a chain, so it takes as many steps as there are histories.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/execution.hpp"
#include "explorers/unfolding/event_structure.hpp"

namespace mazurka::unfolding {

class Configuration {
 public:
  Configuration(const Vocabulary& vocabulary, EventStructure& structure)
      : vocabulary_(vocabulary), structure_(structure) {}

  /// Takes in an execution that shares its first `kept` events with the previous one, and makes the
  /// events of all its extensions. Returns why that cannot be done: an operation is not persistent.
  [[nodiscard]] std::string take_in(const Execution& execution, std::size_t kept);

  [[nodiscard]] const std::vector<EventId>& events() const { return events_; }
  [[nodiscard]] std::size_t size() const { return events_.size(); }
  [[nodiscard]] EventId operator[](std::size_t at) const { return events_[at]; }

 private:
  /// Of an object: where it was touched in each mode.
  using Touches = std::array<std::vector<std::uint32_t>, max_modes>;

  [[nodiscard]] std::string refusal(const Step& step) const;
  void forget_from(std::size_t kept, const Execution& execution);
  void find_base(const Step& step, std::span<const std::uint32_t> causes);
  [[nodiscard]] bool in_base(EventId event) const;
  void find_dependent(const Step& step);
  void find_dependent(const Access& access);
  /// Makes an event for every history; returns the one with the largest.
  EventId extend(const Step& step);
  void enumerate(const Step& step, std::size_t at);
  /// The event at the position belongs to its process and to the objects that it touches.
  void link(const Step& step, std::size_t at);

  const Vocabulary& vocabulary_;
  EventStructure& structure_;
  std::vector<EventId> events_;               // by position
  std::vector<std::vector<EventId>> chains_;  // per process: its events
  std::vector<Touches> touches_;              // per object
  std::vector<std::uint32_t> causes_;         // scratch: of a step
  std::vector<EventId> base_;                 // scratch: what every history has
  std::vector<std::uint32_t> positions_;      // scratch: those of the next
  std::vector<EventId> dependent_;            // scratch: what a history may have, oldest first
  std::vector<EventId> chosen_;               // scratch: base and what was chosen of the dependent
  EventSet excluded_;                         // scratch
};

}  // namespace mazurka::unfolding
