// The tree of a search in words.
#pragma once

#include "core/exploration_tree.hpp"
#include "host/protocol.hpp"
#include "programs/threads/host/symbols.hpp"

namespace mazurka::threads {

[[nodiscard]] ExplorationTree told_tree(const Symbols& symbols, const RawTree& raw);

}  // namespace mazurka::threads
