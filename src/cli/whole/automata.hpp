// The commands about networks of automata.
#pragma once

#include "cli/kind.hpp"

namespace mazurka::cli {

/// Checks the network that the options name. Does not come back from a check that would not end.
int check_network(const Options& options, const Tell& tell);

int generate_network(const NetworkToWrite& written);
int convert_network(const NetworkToWrite& written);

}  // namespace mazurka::cli
