// A counter-example as decisions, to be executed again.
//
// In every state the machine tells the successors and the failures in a fixed order. A decision is
// who moves and the number of what follows in that order, so a schedule is as good as the text of
// the model that it belongs to.
#pragma once

#include <span>
#include <vector>

#include "core/ids.hpp"
#include "programs/promela/reach.hpp"

namespace mazurka::promela {

/// The decisions that take the steps of the problem's path, and end there.
[[nodiscard]] std::vector<Decision> schedule_of(const Model& model, const Problem& problem);

/// What the decisions lead to. Throws NetworkError if they can not be taken, or if nothing is wrong
/// in the end.
[[nodiscard]] Problem follow(const Model& model, std::span<const Decision> decisions);

}  // namespace mazurka::promela
