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
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/technique.hpp"

namespace mazurka {
namespace {

class Lots {
 public:
  explicit Lots(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t draw() { return fingerprint_of(seed_, ++drawn_).high; }

 private:
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
};

/// How a walk goes on: with any process that can move, or with the one of highest priority.
class SamplingPolicy final : public Guide {
 public:
  enum class Kind : std::uint8_t { random, priorities };
  explicit SamplingPolicy(Kind kind) : kind_(kind) { decides_ = true; }

  [[nodiscard]] Kind kind() const { return kind_; }
  /// The next walk. Priorities are drawn by lot; before each of these events the process whose turn
  /// it is falls behind all others.
  void draw(std::uint64_t seed, std::vector<std::uint32_t> falls) {
    seed_ = seed;
    falls_ = std::move(falls);
  }

  void started(const RunState& /*run*/) override { fallen_.clear(); }
  [[nodiscard]] Choice choose(const RunState& run) override {
    if (kind_ == Kind::random) return {Choice::Kind::process, {any(run), 0}};
    for (const std::uint32_t fall : falls_) {
      if (fall != run.position()) continue;
      const std::size_t first = index(highest(run));
      if (fallen_.size() <= first) fallen_.resize(first + 1, 0);
      fallen_[first] = run.position() + 1;
    }
    return {Choice::Kind::process, {highest(run), 0}};
  }

 private:
  [[nodiscard]] std::uint64_t lot(std::uint64_t number) const {
    return fingerprint_of(seed_, number).low;
  }
  [[nodiscard]] std::uint64_t fallen(ProcessId process) const {
    return index(process) < fallen_.size() ? fallen_[index(process)] : 0;
  }
  [[nodiscard]] ProcessId any(const RunState& run) const {
    std::size_t skip = lot(run.position()) % run.enabled().size();
    ProcessId chosen = no_process;
    run.enabled().for_each([&](ProcessId process) {
      if (skip-- == 0) chosen = process;
    });
    MAZURKA_CHECK(chosen != no_process, "one of those that can move is drawn");
    return chosen;
  }
  [[nodiscard]] ProcessId highest(const RunState& run) const {
    ProcessId best = no_process;
    const auto comes_before = [&](ProcessId one, ProcessId other) {
      if (fallen(one) != fallen(other)) return fallen(one) < fallen(other);
      return lot(index(one)) > lot(index(other));
    };
    run.enabled().for_each([&](ProcessId process) {
      if (best == no_process || comes_before(process, best)) best = process;
    });
    return best;
  }

  Kind kind_;
  std::uint64_t seed_ = 0;
  std::vector<std::uint32_t> falls_;
  std::vector<std::uint64_t> fallen_;  // per process: 0, or how late it fell behind
};

class Walks final : public Explorer {
 public:
  explicit Walks(SamplingPolicy::Kind kind) : policy_(kind) {}

  bool explore(Session& session) override {
    Lots lots(session.limits().seed);
    do {
      const std::uint64_t seed = lots.draw();
      policy_.draw(seed, draw_falls(session, lots));
      if (!perform(session, lots)) return false;
    } while (!session.stop());
    return false;
  }

 private:
  std::vector<std::uint32_t> draw_falls(const Session& session, Lots& lots) const {
    std::vector<std::uint32_t> falls;
    if (policy_.kind() != SamplingPolicy::Kind::priorities) return falls;
    const std::int32_t wanted = session.limits().preemption_bound();
    const std::uint64_t events = std::max<std::uint64_t>(session.statistics().deepest, 1);
    for (std::int32_t at = 0; at < wanted; ++at) {
      falls.push_back(static_cast<std::uint32_t>(lots.draw() % events));
    }
    return falls;
  }

  // False: the program did not do what it was told.
  bool perform(Session& session, Lots& lots) {
    decisions_.clear();
    for (;;) {
      Schedule schedule;
      schedule.prefix = decisions_;
      const Execution& execution = session.run(schedule, &policy_);
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

  SamplingPolicy policy_;
  std::vector<Decision> decisions_;
};

}  // namespace

std::unique_ptr<Explorer> make_random(const TechniqueOptions&) {
  return std::make_unique<Walks>(SamplingPolicy::Kind::random);
}
std::unique_ptr<Explorer> make_pct(const TechniqueOptions&) {
  return std::make_unique<Walks>(SamplingPolicy::Kind::priorities);
}

}  // namespace mazurka
