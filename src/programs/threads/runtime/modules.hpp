// What the process consists of: the program and its libraries, and where they were loaded.
#pragma once

#include <vector>

#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

[[nodiscard]] std::vector<RawModule> loaded_modules();

}  // namespace mazurka::threads
