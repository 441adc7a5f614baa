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
#include <optional>

#include "core/explorer.hpp"
#include "core/happens_before.hpp"
#include "explorers/path.hpp"
#include "explorers/reversal.hpp"

namespace mazurka {
namespace {

class Search {
 public:
  explicit Search(Session& session)
      : session_(session),
        path_(session, Path::Sleepers::kept_asleep, false),
        happens_before_(session.vocabulary()),
        reversal_(session.vocabulary(), happens_before_, path_.sleepers()) {}

  bool explore() {
    while (path_.perform()) {
      happens_before_.update(path_.execution(), path_.kept());
      for (const Race& race : happens_before_.races()) {
        if (reversal_.begins_asleep(path_.execution(), race)) continue;
        reversal_.build_brief();
        ask_for_an_initial(agenda_, reversal_);
      }
      const std::size_t node = agenda_.deepest();
      if (node == OpenNodes::none) return all_explored(session_);
      if (session_.stop()) return false;
      path_.estimate([&](std::size_t at) { return agenda_.decisions(at).size(); });
      go_on(node);
    }
    return false;
  }

  void save(ArchiveWriter& archive) const {
    path_.save(archive);
    agenda_.save(archive);
  }
  bool resume(ArchiveReader& archive) {
    if (!path_.load(archive)) return false;
    agenda_.load(archive);
    happens_before_.update(path_.execution(), 0);
    go_on(agenda_.deepest());
    return explore();
  }

 private:
  void go_on(std::size_t node) {
    path_.put_to_sleep(node);
    path_.leave(node);
    path_.decide(agenda_.take(node));
  }

  Session& session_;
  Path path_;
  HappensBefore happens_before_;
  Reversal reversal_;
  Agenda agenda_;
};

class Source final : public Explorer {
 public:
  bool explore(Session& session) override { return search_.emplace(session).explore(); }
  [[nodiscard]] bool resumable() const override { return true; }
  void save(ArchiveWriter& archive) const override { search_->save(archive); }
  bool resume(Session& session, ArchiveReader& archive) override {
    return search_.emplace(session).resume(archive);
  }

 private:
  std::optional<Search> search_;
};

}  // namespace

std::unique_ptr<Explorer> make_source(const TechniqueOptions&) {
  return std::make_unique<Source>();
}

}  // namespace mazurka
