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
// (analysis/happens_before.hpp); with executed events alone, `lock m || lock m` with no unlock
// would miss one of its two behaviours.
//
// Attempts. The last step of v counts with all that it may do, because it may do something else in
// its new place than it did (a compare-exchange that failed may succeed). If it then does less, a
// step that is asleep may stay so, and not all that could follow is explored after it: what a
// wakeup tree has taken for found there is followed explicitly. In
//   a: x=0 || b: r=x || c: compare-exchange x 1->2 || d: r=x
// c is reversed with a beside b, since it might write; when c d a is asked for, that is taken in by
// c. But c fails, b sleeps on, and reversing a and d after c looks redundant because of b. For the
// same reason a sleeping step that v does not touch makes v redundant only in programs without
// attempts: with them, only one that is an initial of v does, as in source.cpp, and now and then an
// execution ends asleep. Without this rule one of 60,000 random programs lost a trace.
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

#include "analysis/happens_before.hpp"
#include "analysis/reversal.hpp"
#include "analysis/wakeup_trees.hpp"
#include "core/check.hpp"
#include "core/technique.hpp"
#include "explorers/context/pending_sequences.hpp"
#include "explorers/path.hpp"
#include "explorers/resumable.hpp"

namespace mazurka {
namespace {

/// The races of the current path that may yet ask for something.
class OpenRaces {
 public:
  OpenRaces(const Vocabulary& vocabulary, const Path& path, WakeupTrees& trees)
      : vocabulary_(vocabulary),
        path_(path),
        trees_(trees),
        happens_before_(vocabulary),
        reversal_(vocabulary, happens_before_, path.sleepers()) {}

  void analyse() {
    const Execution& execution = path_.execution();
    happens_before_.update(execution, path_.kept());
    trees_.keep_events(path_.kept());
    for (std::size_t at = path_.kept(); at < execution.size() && !attempts_; ++at) {
      attempts_ = may_do_less(vocabulary_, execution.steps[at].widened());
    }
    std::size_t staying = 0;
    for (const Open& open : open_) {
      MAZURKA_CHECK(&open == open_.data() || (&open)[-1].race.second <= open.race.second,
                    "open races are in the order of their second events");
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

  [[nodiscard]] bool saw_attempts() const { return attempts_; }

  void save(ArchiveWriter& archive) const {
    archive(attempts_, static_cast<std::uint64_t>(open_.size()));
    for (const Open& open : open_) {
      archive(open.race.kind, open.race.choice, open.race.first, open.race.second, open.settled_by);
    }
  }
  /// The path's execution was analysed before.
  void load(ArchiveReader& archive) {
    std::uint64_t size = 0;
    archive(attempts_, size);
    for (; size > 0; --size) {
      Open open;
      archive(open.race.kind, open.race.choice, open.race.first, open.race.second, open.settled_by);
      path_.require_event(open.race.first);
      path_.require_event(open.race.second);
      open_.push_back(open);
    }
    MAZURKA_CHECK(path_.kept() == 0, "an execution that was loaded shares nothing with another");
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
      case Reversal::Need::covered_for_now:
        if (attempts_) {  // the sleeping step may be one that v, in its new place, does disturb
          reversal_.build_whole();
          trees_.insert(reversal_);
        }
        return no_event;
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

  const Vocabulary& vocabulary_;
  const Path& path_;
  WakeupTrees& trees_;
  bool attempts_ = false;  // some were seen
  HappensBefore happens_before_;
  Reversal reversal_;
  std::vector<Open> open_;  // ordered by their second event
};

class OptimalSearch {
 public:
  explicit OptimalSearch(Session& session)
      : session_(session),
        path_(session, Path::Sleepers::kept_asleep, false),
        trees_(session.vocabulary()),
        initials_(session.vocabulary(), nullptr),
        races_(session.vocabulary(), path_, trees_) {}

  bool explore() {
    while (path_.perform()) {
      if (path_.execution().ending == Ending::asleep && !leaf_did_less() &&
          !races_.saw_attempts()) {  // impossible, unless the program is fickle
        session_.contradict();
        return false;
      }
      if (path_.execution().ending == Ending::cut ||
          path_.execution().ending == Ending::impossible) {
        trees_.forget_from(path_.execution().size());
      }
      if (leaf_did_less()) settle_leaf();
      races_.analyse();
      const std::size_t node = trees_.deepest();
      if (node == no_node) return all_explored(session_);
      if (session_.stop()) return false;
      go_on(node);
    }
    return false;
  }

  void save(ArchiveWriter& archive) const {
    path_.save(archive);
    trees_.save(archive);
    races_.save(archive);
  }
  [[nodiscard]] bool load(ArchiveReader& archive) {
    if (!path_.load(archive)) return false;
    trees_.load(archive, path_.execution().size());
    races_.load(archive);
    return true;
  }
  bool resume() {
    go_on(trees_.deepest());
    return explore();
  }

 private:
  void go_on(std::size_t node) {
    MAZURKA_CHECK(node < path_.execution().size(), "a tree is at a node of the path");
    path_.put_to_sleep(node);
    path_.leave(node);
    for (; !trees_.empty(node); ++node) path_.expect(trees_.advance(node));
    leaf_ = node - 1;
  }

  // The last step of what was followed counted with all that it might do until it was performed.
  [[nodiscard]] bool leaf_did_less() const {
    const Execution& execution = path_.execution();
    return leaf_ < execution.size() && !execution.steps[leaf_].announced.empty();
  }

  // What is to be explored after it joins the trees of the nodes further down, where the path
  // leaves it.
  void settle_leaf() {
    const Execution& execution = path_.execution();
    for (const StepList& wanted : trees_.settle_leaf(leaf_, execution.steps[leaf_])) {
      left_.reset(wanted.size());
      const Selection rest{wanted, left_};
      for (std::size_t node = leaf_ + 1; node < execution.size() && !left_.empty(); ++node) {
        std::size_t at = 0;
        const Initial initial = initials_.judge(execution.steps[node], rest, at);
        if (initial == Initial::no) {
          if (!begins_asleep(rest, node)) insert(node, rest);
          break;
        }
        if (initial == Initial::strict) left_.take_out(at);
      }
    }
  }

  void insert(std::size_t node, const Selection& rest) {
    rest_.clear();
    for (std::size_t at = rest.begin(); at != rest.end(); at = rest.next(at)) {
      rest_.push_back(rest[at]);
    }
    MAZURKA_CHECK(rest_.size() == left_.size() && !rest_.empty(), "all that is left is inserted");
    trees_.insert(node, rest_);
  }

  // What fell asleep since the sequence was asked for may make it redundant.
  [[nodiscard]] bool begins_asleep(const Selection& wanted, std::size_t node) const {
    const SleepStack& sleepers = path_.sleepers();
    for (std::size_t one = 0; one < sleepers.size(); ++one) {
      if (!sleepers.asleep(one, node)) continue;
      std::size_t at = 0;
      const Initial initial = initials_.judge(sleepers[one], wanted, at);
      if (initial == Initial::strict) return true;
      if (initial == Initial::weak &&
          (sleepers[one].choices == 1 || !sleepers.free_choice(sleepers[one].process(), node))) {
        return true;
      }
    }
    return false;
  }

  Session& session_;
  Path path_;
  WakeupTrees trees_;
  Initials initials_;
  OpenRaces races_;
  std::size_t leaf_ = no_node;  // the last event that was followed
  Remainder left_;              // scratch
  StepList rest_;               // scratch
};

using Optimal = ResumableExplorer<OptimalSearch>;

}  // namespace

std::unique_ptr<Explorer> make_optimal(const TechniqueOptions&) {
  return std::make_unique<Optimal>();
}

}  // namespace mazurka
