// What an event did to an atomic variable: the part of an execution graph that it is.
//
// Where executions are explored as graphs (explorers/graphs), an event that touches an atomic
// variable depends on nothing but the event that wrote what it reads. All else that there is to say
// of it is said here.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"

namespace mazurka {

struct GraphStep {
  static constexpr std::uint64_t no_variable = ~std::uint64_t{0};

  std::uint64_t variable = no_variable;  // none: it touches no atomic variable
  bool reads = false;
  bool writes = false;
  /// The event that wrote what it reads or, if it only writes, what it goes right behind in the
  /// order of modification; no_event: what was there before all of them.
  std::uint32_t source = no_event;
  /// Whom it could read from if that had not been read and written over by another event.
  std::vector<std::uint32_t> taken{};

  [[nodiscard]] bool touches() const { return variable != no_variable; }
  friend bool operator==(const GraphStep&, const GraphStep&) = default;
};

/// In a schedule: the decision's outcome says it, and not which event is the source.
inline constexpr std::uint32_t by_outcome = no_event - 1;

}  // namespace mazurka
