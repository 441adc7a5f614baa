// Every reachable state, breadth first: the yardstick for all reductions.
#pragma once

#include "explorers/stateful/search.hpp"

namespace mazurka::stateful {

[[nodiscard]] Result reach(const System& system, const Settings& settings);

/// The actions, in the network's numbering, of a path given as packed states, last one first.
[[nodiscard]] std::vector<ActionId> actions_between(
    const System& system, const std::vector<const Word*>& states_backwards);

}  // namespace mazurka::stateful
