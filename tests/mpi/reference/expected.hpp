// What brute force says of a program.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "mpi/reference/program.hpp"

namespace mazurka::mpi_reference {

/// As the checker's options have it.
struct Way {
  std::string buffering = "infinite";  // or zero, each
  std::string collectives = "sync";    // or loose
};

struct Expected {
  /// Outcomes with the number of executions that have them; more is not possible.
  std::map<std::string, std::size_t> most;
  /// There must be these; in programs without tests all of them.
  std::set<std::string> least;
  /// Exactly so many executions per outcome: what is matched shows in the end.
  bool countable = false;
  bool complete = true;  // else there are too many states
};

[[nodiscard]] Expected expect(const Program& program, const Way& way);

[[nodiscard]] inline bool is_deadlock(const std::string& outcome) {
  return outcome.starts_with("deadlock");
}

}  // namespace mazurka::mpi_reference
