// The nodes of a path at which something is still to be explored.
#pragma once

#include <cstddef>

#include "core/bit_set.hpp"

namespace mazurka {

inline constexpr std::size_t no_node = static_cast<std::size_t>(-1);

/// Only the deepest of them is ever asked for: OpenNodes::last().
using OpenNodes = BitSet<std::size_t, no_node>;

}  // namespace mazurka
