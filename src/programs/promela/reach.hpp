// All states of a model, breadth first: the shortest counter-example comes first. Or fewer of them:
// where somebody has local steps only (local_steps.hpp), the others wait, if all that these lead to
// is new. A state to which a step leads back was not new, so in every circle of the states that are
// searched there is one in which nobody waits, and nothing is put off for ever.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "programs/promela/machine.hpp"

namespace mazurka::promela {

struct Problem {
  enum class Kind : std::uint8_t { assertion, invalid_end };
  Kind kind{};
  std::string message;  // the text of the assertion, or what else is wrong
  Place place;
  std::vector<Taken> path;  // from the beginning
  Configuration last;       // of an invalid end: the state
};

struct Counts {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;  // between states; what is inside of atomic sequences is one
  std::uint64_t terminal = 0;     // states in which nobody can move ...
  std::uint64_t invalid = 0;      // ... and some process is not where it may end
  std::uint64_t cut = 0;          // states at the greatest depth
  std::size_t bytes = 0;
  double seconds = 0;
  double cpu_seconds = 0;
};

struct Settings {
  bool keep_going = false;  // after a problem
  bool allow_invalid_end = false;
  bool local_first = false;                               // fewer states, with the same problems
  std::uint64_t max_states = 0;                           // 0: no limit
  std::uint64_t max_depth = 0;                            // 0: no limit
  std::function<bool(const Counts& so_far)> interrupted;  // asked now and then
};

struct Result {
  enum class End : std::uint8_t { complete, problem, max_states, interrupted };
  End end = End::complete;
  Counts counts;
  std::vector<Problem> problems;  // the first one of each place
};

[[nodiscard]] Result reach(const Model& model, const Settings& settings);

}  // namespace mazurka::promela
