// Random programs, a profile at a time.
//
// Idea. A program with a bit of everything has too many states to be looked at completely, and
// rarely gets two uses of one thing into each other's way. So each program is of a profile: a few
// kinds of statements that belong together. Number n of a seed is always the same program.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "native/program.hpp"

namespace mazurka::native {

/// The names of all profiles.
std::span<const std::string_view> profiles();

/// Program `number` of this seed; `profile` is one of profiles().
Program generate(std::string_view profile, std::uint64_t seed, std::uint64_t number);

}  // namespace mazurka::native
