// Random small networks: blocking, choice, cycles in servers, actions with one to four
// participants, clients that meet without a server, edges that can never be taken.
#pragma once

#include <cstdint>

#include "core/network.hpp"

namespace mazurka::automata_test {

[[nodiscard]] Network random_network(std::uint64_t seed);

}  // namespace mazurka::automata_test
