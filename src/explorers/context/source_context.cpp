// Source DPOR with context sensitivity: sleep *sequences* next to sleep sets.
//
// Idea. When a race is found, and its two orders lead to the same state, then the reversed order is
// a sequence that need not be done: it sleeps at its node as a process does in a sleep set. Steps
// are taken from it as the exploration takes them; when its last step is due, the execution ends.
//
// Source. Albert, Arenas, Garcia de la Banda, Gomez-Zamalloa, Stuckey: context-sensitive DPOR, with
// its two optimisations as switches: `cut` (CDPOR2) and `guide` (with `cut`: CDPOR3). The printed
// algorithm loses final states; the repair is that of context_search.hpp, which this is with one
// difference: a race that an execution shows asks for one more first step at its node (source
// sets), not for all of the reversed sequence. So executions may also end asleep.
//
// Neighbours. source_chains.cpp (`chains`) also ends executions whose chains of any length lead to
// a known state; optimal_context.cpp asks for the sequence.
#include <memory>

#include "core/technique.hpp"
#include "explorers/context/search.hpp"

namespace mazurka {

std::unique_ptr<Explorer> make_source_chains();

std::unique_ptr<Explorer> make_source_context(const TechniqueOptions& options) {
  if (options.has("chains")) return make_source_chains();
  return make_context_search({.technique = "source-context",
                              .context = true,
                              .source = true,
                              .guided = options.has("guide"),
                              .anticipating = options.has("cut")});
}

}  // namespace mazurka
