// The tree of a search in words.
#pragma once

#include "host/protocol.hpp"
#include "programs/threads/host/symbols.hpp"
#include "report/model/exploration_tree.hpp"

namespace mazurka::threads {
using namespace host;

[[nodiscard]] ExplorationTree told_tree(const Symbols& symbols, const RawTree& raw);

}  // namespace mazurka::threads
