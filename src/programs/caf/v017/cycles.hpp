// Actors that hold each other when an execution is over.
//
// The library would never destroy them: it counts references, and they are never let go. A program
// that runs once does not mind, but one that is performed again and again would use up all memory.
// So what is left is destroyed, and in its place comes something that can still be held: the
// program may have kept a reference in a variable of its own.
#pragma once

#include <vector>

#include "caf/all.hpp"

namespace mazurka::caf::v017 {

/// They have ended, and nobody is to use them any more.
void destroy(const std::vector<::caf::actor_addr>& actors);

}  // namespace mazurka::caf::v017
