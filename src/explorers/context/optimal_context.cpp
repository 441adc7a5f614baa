// Optimal DPOR with context sensitivity: of two steps that commute here, one order is enough.
//
// Idea. Two dependent steps often commute in the very state in which they meet: they write the same
// value, or add to the same sum. Then both orders lead to one state, and all that follows needs to
// be explored only once.
//
// Source. Albert and others: optimal context-sensitive DPOR, repaired. The search is
// context_search.hpp, without its observers.
//
// Neighbours. optimal_context_observers.cpp also disregards writes that nobody reads.
#include <memory>

#include "core/technique.hpp"
#include "explorers/context/search.hpp"

namespace mazurka {

std::unique_ptr<Explorer> make_optimal_context(const TechniqueOptions& options) {
  return make_context_search({.technique = "optimal-context",
                              .context = true,
                              .observers = false,
                              .whole_states = options.has("whole-states")});
}

}  // namespace mazurka
