// No actor, or no message: where something comes from the set-up, or there is nothing.
#pragma once

#include <cstdint>

namespace mazurka::actors {

inline constexpr std::uint32_t nobody = ~std::uint32_t{0};

}  // namespace mazurka::actors
