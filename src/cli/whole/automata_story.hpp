// A run of a network as a table: a column per client that moves or waits.
#pragma once

#include <vector>

#include "core/network.hpp"
#include "report/model/story.hpp"

namespace mazurka::cli {

/// `deadlock`: and who waits for what at its end.
[[nodiscard]] Story tell_run(const Network& network, const std::vector<ActionId>& path,
                             bool deadlock);

}  // namespace mazurka::cli
