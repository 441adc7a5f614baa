// The search behind optimal-observers, optimal-context and optimal-context-observers.
//
// It walks the tree as optimal.cpp does, with three differences:
//
//  - what is pending at a node is a plain list of sequences (pending_sequences.hpp), not a tree;
//  - a node also has sequences that need not be done (avoidance.hpp): a race whose two orders lead
//    to the same state is explored in one order only. An execution that completes such a sequence
//    ends there; its races are analysed like those of any other;
//  - the canonical order of the two may hide races which the pruned order would have shown. So the
//    races are analysed a second time in an order from which the commuting pairs are removed, until
//    that yields no new commuting pairs (relaxed races).
//
// With observers, the order of two writes counts only if it is observed (observation.hpp), and the
// reversal of an observed race runs on to one that observes it.
//
// Source. Albert, Garcia de la Banda, Gomez-Zamalloa, Isabel, Stuckey: optimal context-sensitive
// DPOR with observers; repaired as docs/techniques.md tells ("Where we depart from the papers").
#pragma once

#include <memory>
#include <string_view>

#include "core/explorer.hpp"

namespace mazurka {

struct ContextSearchKind {
  std::string_view technique;  // for messages
  bool context = false;        // prune what commutes in its context
  bool observers = false;      // unobserved writes do not race
  bool source = false;         // a race that is seen asks for a first step, not for a sequence
  bool guided = true;          // what may complete a sequence that need not be done goes first
  bool anticipating = false;   // cut as soon as nothing can come between any more
  bool whole_states = false;   // compare whole states (Schedule::whole_states)
};

[[nodiscard]] std::unique_ptr<Explorer> make_context_search(const ContextSearchKind& kind);

/// Throws std::runtime_error if the program's states cannot be compared.
void require_states(const Session& session, std::string_view technique);

}  // namespace mazurka
