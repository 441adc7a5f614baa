// The rule of source DPOR (source.cpp): of each race, one initial of its reversal is asked for,
// explored or asleep at the race's node. dpor.cpp adds it to a rule of its own.
#pragma once

#include "analysis/happens_before.hpp"
#include "analysis/reversal.hpp"
#include "explorers/path.hpp"

namespace mazurka {

class SourceRule {
 public:
  SourceRule(const Vocabulary& vocabulary, const Path& path, BacktrackSets& backtrack)
      : path_(path),
        backtrack_(backtrack),
        happens_before_(vocabulary),
        reversal_(vocabulary, happens_before_, path.sleepers()) {}

  /// The path's execution was analysed before; later ones will share events with it.
  void remember() { happens_before_.update(path_.execution(), 0); }
  /// Finds the races that are new in the path's execution.
  void find_races() { happens_before_.update(path_.execution(), path_.kept()); }
  [[nodiscard]] const HappensBefore& happens_before() const { return happens_before_; }

  void ask_for_initials() {
    for (const Race& race : happens_before_.races()) {
      if (reversal_.begins_asleep(path_.execution(), race)) continue;
      reversal_.build_brief();
      ask_for_an_initial(backtrack_, reversal_);
    }
  }

 private:
  const Path& path_;
  BacktrackSets& backtrack_;
  HappensBefore happens_before_;
  Reversal reversal_;
};

}  // namespace mazurka
