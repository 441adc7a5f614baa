// The search by several threads.
//
// What is taken from a node depends on the node alone, and that the explored graph has an
// equivalent of every maximal run is a property of each of its nodes by itself (exact.hpp: the
// three conditions of a certificate; there are no cycles, so no order is needed in which nodes are
// finished). So nodes may be expanded by anyone at any time, as long as looking for a node that
// makes another one needless and entering that other one is one step (shared_nodes.hpp).
//
// Which nodes there are does depend on the order where they have sleep sets: what comes early may
// make needless what comes later, or not. Without sleep sets in the nodes they are the same in any
// order.
#pragma once

#include "explorers/stateful/search.hpp"

namespace mazurka::stateful {

/// By settings.threads, also if that is one. Throws std::invalid_argument for a limit on the depth
/// of a search with reductions: how far a node is from the initial one would depend on the order.
[[nodiscard]] Result search_together(const System& system, const Settings& settings);

/// Every reachable state, breadth first: one level after the other.
[[nodiscard]] Result reach_together(const System& system, const Settings& settings);

}  // namespace mazurka::stateful
