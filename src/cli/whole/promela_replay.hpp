// Findings of Promela models: their schedules are written to files, and executed again.
#pragma once

#include <string>

#include "cli/kind.hpp"
#include "cli/options.hpp"
#include "report/model/outcome.hpp"

namespace mazurka::cli {

/// A schedule for every finding. One that can not be written costs the file, not the finding.
void save_promela_schedules(const Options& options, Outcome& outcome);

/// Throws for what is wrong with the input.
int replay_promela(const Options& options, const Tell& tell);

}  // namespace mazurka::cli
