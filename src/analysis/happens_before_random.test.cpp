// Random executions: happens-before against the transitive closure of what is dependent.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

#include "analysis/happens_before.hpp"
#include "analysis/made_execution.test.hpp"

namespace mazurka {
namespace {

class HappensBeforeOfRandom : public MadeExecution {
 protected:
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  template <typename Below>
  void make_meetings(const Below& below, unsigned count) {
    constexpr unsigned modes = 5;
    vocabulary_ = {};
    const std::uint8_t kind = vocabulary_.add_kind("meeting", {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}});
    for (std::uint8_t one = 0; one < modes; ++one) {
      for (std::uint8_t other = 0; other <= one; ++other) {
        if (below(3) != 0) vocabulary_.declare_independent(kind, one, other);
      }
    }
    execution_ = {};
    const unsigned processes = 1 + below(5);
    for (unsigned at = 0; at < count; ++at) {
      const ObjectId object{below(2)};
      const auto mode = static_cast<std::uint8_t>(below(modes));
      std::vector<Access> accesses{{object, kind, mode}};
      const auto other = static_cast<std::uint8_t>(below(modes));
      if (other != mode && below(3) == 0) accesses.push_back({object, kind, other});
      event(below(processes), accesses);
    }
  }

  /// What the event depends on and its process did not know of, without what is behind another one
  /// of these; the last one first.
  [[nodiscard]] static std::vector<std::uint32_t> directly_before(const HappensBefore& order,
                                                                  const Execution& execution,
                                                                  std::uint32_t event) {
    std::vector<std::uint32_t> all;
    const std::uint32_t previous = order.previous_of_process(event);
    for (std::size_t at = 0; at < execution.steps[event].accesses.size(); ++at) {
      for (auto one = order.earlier(event, at, event); one.any(); one.go_back()) {
        if (previous == no_event || !order.before(one.event(), previous)) {
          all.push_back(one.event());
        }
        if (one.is_enough()) break;
      }
    }
    std::sort(all.begin(), all.end(), std::greater<>());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<std::uint32_t> direct;
    std::copy_if(all.begin(), all.end(), std::back_inserter(direct), [&](std::uint32_t one) {
      return std::none_of(all.begin(), all.end(), [&](std::uint32_t later) {
        return later != one && order.before(one, later);
      });
    });
    return direct;
  }

  HappensBefore happens_before_{vocabulary_};
};

// Executions share more or less with those before.
TEST_F(HappensBeforeOfRandom, ChainsTellTheSameAsAllPaths) {
  std::mt19937 random(2026);
  const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  std::vector<Step> steps;
  std::vector<std::vector<Access>> accesses;
  for (unsigned round = 0; round < 2000; ++round) {
    const std::size_t kept = below(static_cast<unsigned>(steps.size()) + 1);
    steps.resize(kept);
    accesses.resize(kept);
    const unsigned processes = 1 + below(100);
    for (unsigned count = below(30); count > 0; --count) {
      accesses.push_back({access(below(4), below(3) == 0 ? read : write)});
      steps.push_back(step(below(processes), accesses.back()));
    }
    execution_ = {};
    for (std::size_t at = 0; at < steps.size(); ++at) {
      steps[at].accesses = accesses[at];
      event(steps[at]);
    }
    happens_before_.update(execution_, kept);

    std::vector<std::vector<char>> before(steps.size(), std::vector<char>(steps.size(), 0));
    for (std::size_t other = 0; other < steps.size(); ++other) {
      before[other][other] = 1;
      for (std::size_t one = other; one-- > 0;) {
        for (std::size_t between = one + 1; between <= other; ++between) {
          const bool edge = steps[one].process() == steps[between].process() ||
                            dependent(vocabulary_, steps[one], steps[between]);
          if (edge && before[between][other] != 0) before[one][other] = 1;
        }
        ASSERT_EQ(happens_before_.before(one, other), before[one][other] != 0)
            << "round " << round << ", events " << one << " and " << other;
      }
    }
  }
}

// The same, with the races, of accesses that do not come in runs: each mode depends on others in
// its own way, as at a barrier whose rounds overlap. Some events access an object in two modes.
TEST_F(HappensBeforeOfRandom, WalksBackAsFarAsItMustWhereAccessesDoNotComeInRuns) {
  std::mt19937 random(512);
  const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  for (unsigned round = 0; round < 4000; ++round) {
    const unsigned count = below(24);
    make_meetings(below, count);
    HappensBefore order(vocabulary_);
    const unsigned kept = below(count + 1);
    const Execution whole = execution_;
    cut_to(kept);
    order.update(execution_, 0);
    order.update(whole, kept);

    std::vector<std::vector<char>> before(count, std::vector<char>(count, 0));
    Pairs expected;
    for (std::uint32_t other = 0; other < count; ++other) {
      before[other][other] = 1;
      std::vector<std::uint32_t> direct;
      for (std::uint32_t one = other; one-- > 0;) {
        const bool depends = footprints_conflict(vocabulary_, whole.steps[one].accesses,
                                                 whole.steps[other].accesses);
        const bool in_program = whole.steps.process(one) == whole.steps.process(other);
        bool between = false;
        for (std::uint32_t middle = one + 1; middle < other; ++middle) {
          between = between || (before[one][middle] != 0 && before[middle][other] != 0);
        }
        before[one][other] = between || in_program || depends ? 1 : 0;
        const bool races = depends && !between && !in_program;
        if (races) direct.push_back(one);
        if (races && other >= kept) expected.emplace_back(one, other);
        ASSERT_EQ(order.before(one, other), before[one][other] != 0) << "round " << round;
      }
      ASSERT_EQ(directly_before(order, whole, other), direct) << "round " << round;
    }
    Pairs found;
    for (const Race& race : order.races()) found.emplace_back(race.first, race.second);
    ASSERT_EQ(found, expected) << "round " << round;
  }
}

// In long executions it goes through the processes, not through the events.
TEST_F(HappensBeforeOfRandom, NotAfterListsTheSameInLongExecutions) {
  std::mt19937 random(77);
  const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  for (unsigned round = 0; round < 200; ++round) {
    execution_ = {};
    std::vector<std::vector<Access>> accesses;
    const unsigned processes = 1 + below(4);
    const unsigned count = 1 + below(200);
    const unsigned objects = 1 + below(40);
    for (unsigned at = 0; at < count; ++at) {
      accesses.push_back({access(below(objects), below(2) == 0 ? read : write)});
      event(below(processes), accesses.back());
    }
    happens_before_.update(execution_, 0);
    const unsigned first = below(count);
    const unsigned end = first + 1 + below(count - first);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t at = first + 1; at < end; ++at) {
      if (!happens_before_.before(first, at)) expected.push_back(at);
    }
    std::vector<std::uint32_t> found;
    happens_before_.not_after(first, end, found);
    ASSERT_EQ(found, expected) << "round " << round;
  }
}

}  // namespace
}  // namespace mazurka
