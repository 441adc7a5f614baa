// Writes down what the steps of a search's tree did, by performing its paths again.
#pragma once

#include <functional>

#include "driver/tree_recorder.hpp"
#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

/// `enough`: the search was interrupted, nobody waits for more.
[[nodiscard]] RawTree write_down(const UntoldTree& untold, const Request& request,
                                 const std::function<bool()>& enough);

}  // namespace mazurka::threads
