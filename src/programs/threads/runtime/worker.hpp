// Carries out what the front process asks for (protocol.hpp), on the program that `runtime` runs.
#pragma once

#include "host/channel.hpp"

namespace mazurka::threads {
using namespace host;

[[nodiscard]] Reply carry_out(const Request& request, Progress& progress, const Channel& channel);

}  // namespace mazurka::threads
