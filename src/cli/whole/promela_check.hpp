// One check of a Promela model, from the file to the outcome.
#pragma once

#include <string>

#include "cli/kinds/promela.hpp"
#include "cli/whole/automata_check.hpp"
#include "programs/promela/reach.hpp"

namespace mazurka::cli {

/// Throws for what is wrong with the input.
[[nodiscard]] AutomataOutcome check_promela(const AutomataRequest& request, SoFar& so_far);

/// The problem in words.
[[nodiscard]] FindingReport told_problem(const promela::Model& model,
                                         const promela::Problem& problem);

}  // namespace mazurka::cli
