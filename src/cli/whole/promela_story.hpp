// A run of a Promela model as a table: a column per process.
#pragma once

#include "programs/promela/reach.hpp"
#include "report/model/story.hpp"

namespace mazurka::cli {

[[nodiscard]] Story tell_promela(const promela::Model& model, const promela::Problem& problem);

}  // namespace mazurka::cli
