// Variables whose accesses the compiler's instrumentation leaves out.
//
// clang instruments accesses of 1, 2, 4, 8 and 16 bytes. On x86-64 a `long double` has ten, in
// sixteen bytes of memory: what the program does with one is not seen, and no data race on it.
#pragma once

#include <string>
#include <vector>

#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

/// The first such variable or member of the user's own code, by its name; empty: there is none.
[[nodiscard]] std::string unseen_variable(const std::vector<RawModule>& modules);

}  // namespace mazurka::threads
