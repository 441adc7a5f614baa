// Every interleaving.
//
// Idea. At each node every enabled process moves once, with each outcome its step can have. No
// reduction: the measure of all the others, and the reference that they are tested against.
//
// Neighbours. sleep.cpp is the same search with sleep sets.
#include <memory>

#include "core/technique.hpp"
#include "explorers/enumeration.hpp"

namespace mazurka {
std::unique_ptr<Explorer> make_exhaustive(const TechniqueOptions&) {
  return std::make_unique<Enumerator>(Path::Sleepers::only_remembered, Preemptions::any);
}

}  // namespace mazurka
