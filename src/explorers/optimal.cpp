// Optimal DPOR: every trace exactly once, and no execution is ever abandoned as redundant.
//
// Idea. Source DPOR (source.cpp) remembers of a reversed race only one first step, and may then
// run into a part of the tree that is explored already; the sleep sets notice that too late. Here
// the whole reversing sequence v is kept and followed, and a race is reversed only if v is not
// redundant, that is, if no step asleep at its node is a weak initial of v.
//
// Source. Abdulla, Aronsson, Jonsson, Sagonas: optimal dynamic partial order reduction. A plain
// list of sequences per node, handed down in the same way, is as optimal, but grows with the number
// of traces where the tree shares (one writer, readers that read twice).
//
// Blocking. The races include those of steps that are still disabled when an execution ends
// (core/happens_before.hpp); with executed events alone, `lock m || lock m` with no unlock would
// miss one of its two behaviours.
//
// Old races. The whole v depends on how the execution went on after its second event, so a race
// between repeated events may ask for more than it did before. Analysing races only when their
// second event is new loses traces: in
//   a: x=0 || b: x=1 || c: y=1; y=1 || d: assert y!=0; x=2
// the trace b a d c c, where b and a are reversed first and d then moves before c. It is enough to
// keep the races that were not settled: those that the short v settles, or a sleeping step that is
// an initial of v, stay settled.
//
// Cost. Clocks of repeated events are kept, few races stay open, a sleep set is a view of one
// stack, branches are recycled. Nothing is allocated once warm.
#include <cstdint>
#include <memory>
#include <vector>

#include "core/explorer.hpp"
#include "core/happens_before.hpp"
#include "explorers/path.hpp"
#include "explorers/resumable.hpp"
#include "explorers/reversal.hpp"
#include "explorers/wakeup_trees.hpp"

namespace mazurka {
namespace {

/// The races of the current path that may yet ask for something.
class OpenRaces {
 public:
  OpenRaces(const Vocabulary& vocabulary, const Path& path, WakeupTrees& trees)
      : path_(path),
        trees_(trees),
        happens_before_(vocabulary),
        reversal_(vocabulary, happens_before_, path.sleepers()) {}

  void analyse() {
    const Execution& execution = path_.execution();
    happens_before_.update(execution, path_.kept());
    std::size_t staying = 0;
    for (const Open& open : open_) {
      if (open.race.second >= path_.kept()) break;  // later ones too: they are in this order
      if (open.settled_by < path_.kept()) {
        open_[staying++] = open;
      } else if (const auto settled_by = handle(open.race); settled_by != always) {
        open_[staying++] = {open.race, settled_by};
      }
    }
    open_.resize(staying);
    for (const Race& race : happens_before_.races()) {
      const auto settled_by = handle(race);
      if (race.kind != Race::Kind::pending && settled_by != always) {
        open_.push_back({race, settled_by});
      }
    }
  }

  void save(ArchiveWriter& archive) const {
    archive(static_cast<std::uint64_t>(open_.size()));
    for (const Open& open : open_) {
      archive(open.race.kind, open.race.choice, open.race.first, open.race.second, open.settled_by);
    }
  }
  /// The path's execution was analysed before.
  void load(ArchiveReader& archive) {
    std::uint64_t size = 0;
    archive(size);
    for (; size > 0; --size) {
      Open open;
      archive(open.race.kind, open.race.choice, open.race.first, open.race.second, open.settled_by);
      open_.push_back(open);
    }
    happens_before_.update(path_.execution(), 0);
  }

 private:
  struct Open {
    Race race;
    std::uint32_t settled_by = 0;  // as long as this event is repeated; no_event: not settled
  };
  static constexpr std::uint32_t always = 0;

  // Returns what settles the race; `always` if nothing but its own events does.
  std::uint32_t handle(const Race& race) {
    switch (reversal_.judge(path_.execution(), race)) {
      case Reversal::Need::covered:
        return reversal_.settled_by() > race.second ? reversal_.settled_by() : always;
      case Reversal::Need::covered_for_now: return no_event;
      case Reversal::Need::brief:
        reversal_.build_brief();
        trees_.insert(reversal_);
        return always;
      case Reversal::Need::whole:
        reversal_.build_whole();
        trees_.insert(reversal_);
        return no_event;
    }
    return no_event;
  }

  const Path& path_;
  WakeupTrees& trees_;
  HappensBefore happens_before_;
  Reversal reversal_;
  std::vector<Open> open_;  // ordered by their second event
};

class Search {
 public:
  explicit Search(Session& session)
      : session_(session),
        path_(session, Path::Sleepers::kept_asleep, false),
        trees_(session.vocabulary()),
        races_(session.vocabulary(), path_, trees_) {}

  bool explore() {
    while (path_.perform()) {
      if (path_.execution().ending == Ending::asleep) {  // impossible, unless the program is fickle
        session_.contradict();
        return false;
      }
      if (path_.execution().ending == Ending::cut) trees_.forget_from(path_.execution().size());
      races_.analyse();
      const std::size_t node = trees_.deepest();
      if (node == OpenNodes::none) return all_explored(session_);
      if (session_.stop()) return false;
      path_.estimate([&](std::size_t at) { return trees_.branches(at); });
      go_on(node);
    }
    return false;
  }

  void save(ArchiveWriter& archive) const {
    path_.save(archive);
    trees_.save(archive);
    races_.save(archive);
  }
  bool resume(ArchiveReader& archive) {
    if (!path_.load(archive)) return false;
    trees_.load(archive);
    races_.load(archive);
    go_on(trees_.deepest());
    return explore();
  }

 private:
  void go_on(std::size_t node) {
    path_.put_to_sleep(node);
    path_.leave(node);
    for (; !trees_.empty(node); ++node) path_.expect(trees_.advance(node));
  }

  Session& session_;
  Path path_;
  WakeupTrees trees_;
  OpenRaces races_;
};

using Optimal = ResumableExplorer<Search>;

}  // namespace

std::unique_ptr<Explorer> make_optimal(const TechniqueOptions&) {
  return std::make_unique<Optimal>();
}

}  // namespace mazurka
