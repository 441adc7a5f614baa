// Lends a machine: takes tasks from the server, has each explored for a while, and tells what it
// came to and what is left.
//
// A worker may end at any time, in any way. What it has taken and not told of is taken over by
// others when it has been silent for a while.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "cluster/address.hpp"
#include "host/launcher.hpp"

namespace mazurka::cluster {

struct WorkOptions {
  Address address;
  unsigned jobs = 1;
  /// Whoever was silent for so long has lost its task.
  std::chrono::milliseconds silence{15000};
  /// Ends when there was nothing to do for so long.
  std::optional<std::chrono::milliseconds> idle;
  /// What happens, in a line.
  std::function<void(const std::string&)> say;
  /// Answers questions about races of a program with these suppressions.
  using Judge = std::function<host::RaceAnswer(const host::RaceQuestion&)>;
  std::function<Judge(const std::vector<host::Suppression>&)> make_judge;
};

/// Until it is interrupted, or idle for long. Throws host::InputError.
void work(const WorkOptions& options);

}  // namespace mazurka::cluster
