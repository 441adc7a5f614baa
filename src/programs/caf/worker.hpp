// A CAF program as a checker of itself.
#pragma once

#include <string>

#include "host/channel.hpp"
#include "programs/caf/system.hpp"

namespace mazurka::caf {

/// Performs the request that waits in the channel and sends the reply. `refusal`: why nothing can
/// be explored; empty: it can.
int answer(System* system, const std::string& refusal, const host::Channel& channel);

/// One execution, as the program would have by itself.
int perform_once(System& system);

}  // namespace mazurka::caf
