// Random programs. Most messages have a receive that was made for them, so that many programs come
// to their end; wildcards, orders and what is left out by chance make the rest.
#pragma once

#include <cstdint>

#include "mpi/reference/program.hpp"

namespace mazurka::mpi_reference {

struct Wishes {
  bool collectives = true;
  bool tests = true;  // and nonblocking probes
};

[[nodiscard]] Program random_program(std::uint64_t seed, const Wishes& wishes);

}  // namespace mazurka::mpi_reference
