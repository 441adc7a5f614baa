// Every schedule with few preemptions.
//
// Idea. A preemption is a switch away from a process that could go on. Most bugs need one or two of
// them, and the number of schedules with at most N grows polynomially with the length of the
// program where the number of all schedules grows exponentially.
//
// Source. Musuvathi, Qadeer: iterative context bounding. There is no reduction here: the one
// schedule of a trace that a reduction keeps may be one that the bound forbids, and with it the
// others of that trace that the bound allows.
//
// When the bound forbade nothing, everything was explored.
//
// Neighbours. exhaustive.cpp is the same search without the bound.
#include <memory>

#include "core/technique.hpp"
#include "explorers/enumeration.hpp"

namespace mazurka {

std::unique_ptr<Explorer> make_bounded(const TechniqueOptions&) {
  return std::make_unique<Enumerator>(Path::Sleepers::only_remembered, Preemptions::bounded);
}

}  // namespace mazurka
