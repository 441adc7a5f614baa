// A run of a Promela model as a table: a column per process.
#pragma once

#include "core/story.hpp"
#include "programs/promela/reach.hpp"

namespace mazurka::cli {

[[nodiscard]] Story tell_promela(const promela::Model& model, const promela::Problem& problem);

}  // namespace mazurka::cli
