// The commands about networks of automata.
#pragma once

#include <functional>
#include <string>

#include "cli/options.hpp"
#include "core/outcome.hpp"

namespace mazurka::cli {

/// Checks the network that the options name and hands the outcome, and how it looks as JSON, to
/// `report`, whose answer is the exit code. Does not come back from a check that would not end.
int check_network(const Options& options, const std::function<int(const Outcome&)>& report);

int generate_network(const NetworkToWrite& written);
int convert_network(const NetworkToWrite& written);

}  // namespace mazurka::cli
