// Source DPOR: for each race one more first step at its node, with sleep sets.
//
// Idea. To reverse a race, the sequence v (reversal.hpp) must be explored from the node before the
// first event, up to equivalence. It is enough to start with any of its initials, the steps that
// could come first in v; if one of them is in the node's backtrack set or was explored there
// already, nothing is added. Sleep sets abandon what turns out to be explored elsewhere.
//
// Source. Abdulla, Aronsson, Jonsson, Sagonas: source sets. Races are analysed once, at the end of
// each execution, abandoned ones included: that finds the races which an analysis at each step
// would find, and those of still disabled steps. The short v is what an analysis at each step would
// see; it does not depend on how the execution goes on, so a race is analysed once.
//
// Neighbours. dpor.cpp adds the racing process itself rather than asking what is there already;
// optimal.cpp keeps all of v, so that nothing is ever abandoned.
#include <memory>

#include "core/technique.hpp"
#include "explorers/resumable.hpp"
#include "explorers/source_rule.hpp"

namespace mazurka {
namespace {

class SourceAnalysis : public SourceRule {
 public:
  static constexpr bool needs_enabled = false;

  using SourceRule::SourceRule;

  void analyse() {
    find_races();
    ask_for_initials();
  }
};

using Source = ResumableExplorer<BacktrackSearch<SourceAnalysis>>;

}  // namespace

std::unique_ptr<Explorer> make_source(const TechniqueOptions&) {
  return std::make_unique<Source>();
}

}  // namespace mazurka
