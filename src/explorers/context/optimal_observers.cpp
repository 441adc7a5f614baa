// Optimal DPOR with observers: the order of two writes matters only if it is observed.
//
// Idea. Two writes to one object race only if somebody later reads what the second one left there.
// N threads that write a variable which is read once, at the end, have N! traces but only N
// outcomes for the reader: who wrote last. The reversal of an observed race runs on to the
// observer, so that the reversed order is observed too.
//
// Source. Aronis, Jonsson, Lang, Sagonas: optimal DPOR with observers. The search is
// context_search.hpp, without its context sensitivity.
//
// Neighbours. optimal.cpp counts every write; optimal_context_observers.cpp also looks at values.
#include <memory>

#include "core/technique.hpp"
#include "explorers/context/search.hpp"

namespace mazurka {

std::unique_ptr<Explorer> make_optimal_observers(const TechniqueOptions&) {
  return make_context_search(
      {.technique = "optimal-observers", .context = false, .observers = true});
}

}  // namespace mazurka
