// What a process does with something that is not memory: a file, a descriptor, the environment.
#pragma once

#include <cstdint>

namespace mazurka::threads {

/// Additions may come in any order, but for who looks.
enum class Use : std::uint8_t { looks, adds, changes };

}  // namespace mazurka::threads
