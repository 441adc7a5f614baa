// Optimal DPOR with context sensitivity and observers: all that is known to prune, together.
//
// Idea. Unobserved writes do not race (optimal_observers.cpp); of those that do, one order is
// enough if both lead to the same state (optimal_context.cpp).
//
// Source. Albert and others: optimal context-sensitive DPOR with observers, repaired. The search is
// context_search.hpp. An observed race is checked exactly, by the state after its two writes; a
// check by what the observers make of it brought nothing on any program we have.
#include <memory>

#include "core/technique.hpp"
#include "explorers/context/search.hpp"

namespace mazurka {

std::unique_ptr<Explorer> make_optimal_context_observers(const TechniqueOptions& options) {
  return make_context_search({.technique = "optimal-context-observers",
                              .context = true,
                              .observers = true,
                              .whole_states = options.has("whole-states")});
}

}  // namespace mazurka
