// What a search has seen of a program.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace mazurka::memory {

struct Seen {
  std::string problem;  // not empty: the search did not come to an end, or found something else
  /// And how many executions had each of them, if that is known.
  std::map<std::string, std::size_t> outcomes;
  std::uint64_t nonzero_exits = 0;
  bool deadlock = false;
  std::uint64_t executions = 0;
  std::uint64_t impossible = 0;
  std::uint64_t asleep = 0;
};

}  // namespace mazurka::memory
