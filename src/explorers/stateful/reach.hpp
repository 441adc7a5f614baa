// Every reachable state, breadth first: the yardstick for all reductions.
#pragma once

#include "explorers/stateful/search.hpp"

namespace mazurka::stateful {

/// Settings::max_work counts what reductions look at; an edge takes as long as about ten of these.
[[nodiscard]] constexpr std::uint64_t reach_work(std::uint64_t edges) { return edges * 10; }

[[nodiscard]] Result reach(const System& system, const Settings& settings);

/// The actions, in the network's numbering, of a path given as packed states, last one first.
[[nodiscard]] std::vector<ActionId> actions_between(
    const System& system, const std::vector<const Word*>& states_backwards);

}  // namespace mazurka::stateful
