// Explores with several processes at once, each of which has a part of what is left to do.
//
// An exploration that is saved is a list of tasks which need nothing but themselves (a technique
// that is Technique::divisible), so any process can go on with any part of it. A process explores
// for a while, a short one if others have nothing to do, saves what is left and ends; that is
// divided among whoever has nothing to do. The processes know nothing of each other. What one has
// done counts once it has told so: if it dies its part is explored again (supervisor.hpp), and
// nothing is lost or counted twice.
#pragma once

#include "host/supervisor.hpp"

namespace mazurka::host {

/// How many explore.
struct Processes {
  unsigned most = 1;
  bool at_once = true;      // false: one, until the search has taken a while
  std::uint64_t slice = 0;  // executions that each performs in one go; 0: as many as time allows
};

/// Like supervise(), which it is for one process.
[[nodiscard]] Supervised supervise_jobs(const Launch& launch, const Processes& processes);

}  // namespace mazurka::host
