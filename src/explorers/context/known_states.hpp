// The states from which everything has been explored.
//
// A state is known by its fingerprint. With each goes a number for what may still happen from there
// (explorers/context/prospects.hpp): whoever arrives again needs that and nothing else. What is
// forgotten is explored again if the search gets there again.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "explorers/context/bounded_table.hpp"

namespace mazurka {

using KnownStates = BoundedTable<Fingerprint, std::uint32_t, FingerprintHash,
                                 TableSize{.first = 1U << 10, .last = 1U << 23, .group = 16}>;

}  // namespace mazurka
