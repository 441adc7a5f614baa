// A replayed step that was not what it had been, in words.
#pragma once

#include "core/run.hpp"
#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

[[nodiscard]] RawDivergence divergence_in_words(const Divergence& divergence);

}  // namespace mazurka::threads
