// Networks as text: the syntax that the reader takes, and drawings of the processes.
#pragma once

#include <string>

#include "core/network.hpp"

namespace mazurka::automata {

/// A file that gives the same network again: an event per action, in order, one synchronisation
/// per action with several participants. Names that the syntax does not allow are changed.
[[nodiscard]] std::string write_network(const Network& network);

/// Every process as a cluster, in the DOT language.
[[nodiscard]] std::string processes_to_dot(const Network& network);

}  // namespace mazurka::automata
