// A set of events of the unfolding.
#pragma once

#include <cstdint>

#include "core/bit_set.hpp"

namespace mazurka::unfolding {

using EventId = std::uint32_t;
inline constexpr EventId no_event_id = static_cast<EventId>(-1);

using EventSet = BitSet<EventId, no_event_id>;

}  // namespace mazurka::unfolding
