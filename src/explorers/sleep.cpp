// Sleep sets alone.
//
// Idea. At each node every enabled process moves unless it is asleep: a step that was explored at
// a node need not be taken again further down until something dependent with it has happened. That
// completes every trace exactly once, but begins many executions that end with everybody asleep.
//
// Source. Godefroid: sleep sets.
//
// Neighbours. exhaustive.cpp without the sleeping; dpor.cpp, source.cpp and optimal.cpp keep the
// sleep sets and ask for less at each node.
#include <memory>

#include "core/technique.hpp"
#include "explorers/enumeration.hpp"

namespace mazurka {
std::unique_ptr<Explorer> make_sleep(const TechniqueOptions&) {
  return std::make_unique<Enumerator>(Path::Sleepers::kept_asleep, Preemptions::any);
}

}  // namespace mazurka
