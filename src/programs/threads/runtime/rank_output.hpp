// Whose output it is: lines that ranks of an MPI program print begin with their rank.
//
// For a replay, where output is shown. The standard streams become streams that pass on what they
// get at once, each line with the rank that is running then.
#pragma once

#include <cstdio>

namespace mazurka::threads {

/// From now on.
void tell_output_of_ranks_apart();
/// The stream that the program's output goes to in the place of this one, which may be itself.
[[nodiscard]] std::FILE* shown(std::FILE* stream);

}  // namespace mazurka::threads
