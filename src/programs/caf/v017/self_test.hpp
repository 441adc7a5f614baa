// Whether the library calls the functions that have taken the place of its own.
#pragma once

#include <string>

#include "caf/all.hpp"

namespace mazurka::caf::v017 {

/// Why programs can not be explored; empty: they can.
[[nodiscard]] std::string self_test(::caf::actor_system& system);

}  // namespace mazurka::caf::v017
