// Source DPOR: for each race one more first step at its node, with sleep sets.
//
// Idea. To reverse a race, the sequence v (reversal.hpp) must be explored from the node before the
// first event, up to equivalence. It is enough to start with any of its initials, the steps that
// could come first in v; if one of them is on the node's agenda or was explored there already,
// nothing is added. Sleep sets abandon what turns out to be explored elsewhere.
//
// Source. Abdulla, Aronsson, Jonsson, Sagonas: source sets. Races are analysed once, at the end of
// each execution, abandoned ones included: that finds the races which an analysis at each step
// would find, and those of still disabled steps. The short v is what an analysis at each step would
// see; it does not depend on how the execution goes on, so a race is analysed once.
//
// Neighbours. dpor.cpp adds the racing process itself rather than asking what is there already;
// optimal.cpp keeps all of v, so that nothing is ever abandoned.
#include <memory>

#include "core/explorer.hpp"
#include "core/happens_before.hpp"
#include "explorers/path.hpp"
#include "explorers/resumable.hpp"
#include "explorers/reversal.hpp"

namespace mazurka {
namespace {

class Analysis {
 public:
  static constexpr bool needs_enabled = false;

  Analysis(const Vocabulary& vocabulary, const Path& path, Agenda& agenda)
      : path_(path),
        agenda_(agenda),
        happens_before_(vocabulary),
        reversal_(vocabulary, happens_before_, path.sleepers()) {}

  void remember() { happens_before_.update(path_.execution(), 0); }

  void analyse() {
    happens_before_.update(path_.execution(), path_.kept());
    for (const Race& race : happens_before_.races()) {
      if (reversal_.begins_asleep(path_.execution(), race)) continue;
      reversal_.build_brief();
      ask_for_an_initial(agenda_, reversal_);
    }
  }

 private:
  const Path& path_;
  Agenda& agenda_;
  HappensBefore happens_before_;
  Reversal reversal_;
};

using Source = ResumableExplorer<AgendaSearch<Analysis>>;

}  // namespace

std::unique_ptr<Explorer> make_source(const TechniqueOptions&) {
  return std::make_unique<Source>();
}

}  // namespace mazurka
