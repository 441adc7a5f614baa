// Random walks and PCT: for programs that are too large to exhaust.
//
// Idea. `random` performs executions in which each next process is drawn by lot. `pct` draws a
// priority for each process instead, lets the first in that order run, and makes whoever runs fall
// behind all others at d - 1 random points: a bug that needs d ordering constraints is then hit by
// one execution with probability at least 1 / (n k^(d-1)), for n processes and k events, where a
// random walk may need exponentially many.
//
// Source. Burckhardt, Kothari, Musuvathi, Nagarakatte: a randomized scheduler with probabilistic
// guarantees of finding bugs. The number of events is not known beforehand: the longest execution
// so far stands in for it. `--preemptions` sets d - 1 (default 2).
//
// Nothing is proven by either: they end with a finding or with a budget. The n-th execution depends
// on the seed and on n (and, for pct, on how long earlier ones were), so a run can be repeated.
//
// Where a step has several outcomes the execution is begun again with an outcome that is drawn by
// lot, until all of them are: what can come out is only known once the step was taken.
#include <algorithm>
#include <memory>
#include <vector>

#include "core/explorer.hpp"

namespace mazurka {
namespace {

constexpr std::int32_t usual_falls = 2;

class Lots {
 public:
  explicit Lots(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t draw() { return fingerprint_of(seed_, ++drawn_).high; }

 private:
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
};

class Walks final : public Explorer {
 public:
  explicit Walks(Whim::Kind kind) : kind_(kind) {}

  bool explore(Session& session) override {
    Lots lots(session.limits().seed);
    do {
      Whim whim{kind_, lots.draw(), {}};
      if (kind_ == Whim::Kind::priorities) {
        draw_falls(session, lots);
        whim.falls = falls_;
      }
      if (!perform(session, whim, lots)) return false;
    } while (!session.stop());
    return false;
  }

 private:
  void draw_falls(const Session& session, Lots& lots) {
    const std::int32_t wanted = session.limits().preemptions;
    const std::uint64_t events = std::max<std::uint64_t>(session.statistics().deepest, 1);
    falls_.clear();
    for (std::int32_t at = 0; at < (wanted < 0 ? usual_falls : wanted); ++at) {
      falls_.push_back(static_cast<std::uint32_t>(lots.draw() % events));
    }
  }

  // False: the program did not do what it was told.
  bool perform(Session& session, const Whim& whim, Lots& lots) {
    decisions_.clear();
    for (;;) {
      Schedule schedule;
      schedule.prefix = decisions_;
      schedule.whim = &whim;
      const Execution& execution = session.run(schedule);
      if (session.stopped() == Stop::diverged) return false;
      if (!draw_outcome(execution, lots)) return true;
      if (session.stop()) return true;
    }
  }

  // Whether the execution must be begun again with another outcome of some step.
  bool draw_outcome(const Execution& execution, Lots& lots) {
    for (std::size_t at = decisions_.size(); at < execution.size(); ++at) {
      const Step step = execution.steps[at];
      decisions_.push_back(step.decision);
      if (step.choices <= 1) continue;
      decisions_.back().choice = static_cast<std::uint16_t>(lots.draw() % step.choices);
      if (decisions_.back() != step.decision) return true;
    }
    return false;
  }

  Whim::Kind kind_;
  std::vector<Decision> decisions_;
  std::vector<std::uint32_t> falls_;
};

}  // namespace

std::unique_ptr<Explorer> make_random(const TechniqueOptions&) {
  return std::make_unique<Walks>(Whim::Kind::random);
}
std::unique_ptr<Explorer> make_pct(const TechniqueOptions&) {
  return std::make_unique<Walks>(Whim::Kind::priorities);
}

}  // namespace mazurka
