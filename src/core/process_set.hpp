// A set of processes.
#pragma once

#include "core/bit_set.hpp"
#include "core/ids.hpp"

namespace mazurka {

using ProcessSet = BitSet<ProcessId, no_process>;

}  // namespace mazurka
