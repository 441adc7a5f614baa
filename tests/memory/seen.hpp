// What a search has seen of a program.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace mazurka::memory {

struct Seen {
  std::string problem;  // not empty: the search did not come to an end, or found something else
  std::set<std::string> outcomes;
  std::uint64_t executions = 0;
  std::uint64_t impossible = 0;
  std::uint64_t asleep = 0;
};

}  // namespace mazurka::memory
