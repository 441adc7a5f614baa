// The stateful engine: random systems against brute force, counter-examples, path counts.
#include "explorers/stateful/search.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "automata/checks.hpp"
#include "automata/random_network.hpp"
#include "explorers/stateful/portfolio.hpp"
#include "programs/automata/builder.hpp"
#include "programs/automata/models.hpp"
#include "programs/automata/writer.hpp"

namespace mazurka::automata_test {
namespace {

using namespace stateful;

// 2,000 systems with blocking, cycles in servers and actions of many participants: every variant in
// two orders is certified and its traces are compared with all traces there are.
class RandomSystems : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomSystems, AreCertified) {
  std::uint64_t checked = 0;
  std::uint64_t other_orders = 0;
  std::uint64_t differ = 0;
  for (std::uint64_t seed = GetParam() * 1'000'000; checked < 200; ++seed) {
    const Network network = random_network(seed);
    CheckLimits limits;
    limits.stateless = seed % 10 == 0;
    if (seed % 25 == 1) limits.threads = {1, 2, 4};
    const Verdicts verdicts = check_network(network, seed, limits);
    if (verdicts.too_large) continue;
    ++checked;
    other_orders += verdicts.reordered;
    differ += verdicts.reordered_differ;
    ASSERT_EQ(verdicts.wrong, "") << "seed " << seed << "\n" << automata::write_network(network);
  }
  EXPECT_GE(other_orders, checked * 10);
  EXPECT_GT(differ, 0U) << "the order of nodes matters where they have sleep sets";
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSystems, testing::Range<std::uint64_t>(1, 11));

Network opposite_locks() {
  automata::NetworkBuilder net("opposite");
  net.client("P", "0").client("Q", "0").lock("a").lock("b");
  net.acquire("P", "0", "a", "1").acquire("P", "1", "b", "2");
  net.acquire("Q", "0", "b", "1").acquire("Q", "1", "a", "2");
  return net.take();
}

TEST(Search, EveryVariantFindsADeadlock) {
  EXPECT_GE(variants().size(), 10U);
  const System system(opposite_locks());
  for (const Variant& variant : variants()) {
    Settings settings;
    settings.variant = variant;
    const Result result = search(system, settings);
    EXPECT_EQ(result.end, End::finding) << variant.name;
    ASSERT_TRUE(result.deadlock) << variant.name;
    EXPECT_EQ(result.deadlock->size(), 2U) << variant.name;
  }
}

TEST(Search, AnOrderOfNodesIsForVariantsThatHaveOne) {
  const auto refused = [](const char* variant, Exploration order) {
    return !why_not(*find_variant(variant), order).empty();
  };
  for (const char* const variant :
       {"pset+sleep", "full+sleep", "minclosure+sleep", "apifs+sleep"}) {
    EXPECT_FALSE(refused(variant, Exploration::breadth_first)) << variant;
    EXPECT_FALSE(refused(variant, Exploration::priority)) << variant;
  }
  EXPECT_FALSE(refused("full-sleep", Exploration::breadth_first));
  EXPECT_TRUE(refused("full-sleep", Exploration::priority));
  EXPECT_FALSE(refused("reach", Exploration::breadth_first));
  EXPECT_TRUE(refused("reach", Exploration::priority));
  EXPECT_TRUE(refused("closure", Exploration::breadth_first));
  Settings settings;
  settings.variant = *find_variant("closure");
  settings.exploration = Exploration::breadth_first;
  EXPECT_THROW((void)search(System(opposite_locks()), settings), std::invalid_argument);
}

// P and Q can lock each other out at once; or when R, which is looked at first, has gone its way.
TEST(Search, InBreadthTheWayToADeadlockIsShort) {
  automata::NetworkBuilder net("beside");
  net.client("P", "0").client("Q", "0").client("R", "0").lock("a").lock("b");
  net.acquire("R", "0", "a", "1").release("R", "1", "a", "2");
  net.acquire("P", "0", "a", "1").acquire("P", "1", "b", "2");
  net.acquire("Q", "0", "b", "1").acquire("Q", "1", "a", "2");
  const System system(net.take(), Order::reversed);
  Settings settings;
  settings.variant = *find_variant("pset+sleep");
  const auto length = [&](Exploration order) {
    settings.exploration = order;
    return search(system, settings).deadlock->size();
  };
  EXPECT_EQ(length(Exploration::depth_first), 4U);
  EXPECT_EQ(length(Exploration::breadth_first), 2U);
}

TEST(Search, APredicateOverTwoProcessesNeedsTheObserver) {
  automata::NetworkBuilder net("apart");
  net.client("P", "0").client("Q", "0").lock("a").lock("b");
  net.acquire("P", "0", "a", "1").release("P", "1", "a", "2");
  net.acquire("Q", "0", "b", "1").release("Q", "1", "b", "2");
  const Network network = net.take();
  const StatePredicate both = parse_predicate(network, "P=1 & Q=1");
  Settings settings;
  settings.variant = *find_variant("full+sleep");
  settings.predicate = &both;
  EXPECT_FALSE(search(System(network), settings).reached);
  EXPECT_TRUE(search(System(with_observer(network, both)), settings).reached);
}

TEST(Search, CountsPathsBeyondMachineWords) {
  const System system(automata::find_model("bg")->make(7));
  Settings settings;
  settings.variant = *find_variant("full+sleep");
  settings.record = true;
  const PathCounts counts = count_paths(system, search(system, settings).graph);
  // Every leaf decides on its own: 2 to the number of leaves.
  EXPECT_EQ(counts.to_an_end.decimal(), "340282366920938463463374607431768211456");
}

TEST(Search, LeavesThatAreAllAsleepAreNoRuns) {
  const System system(automata::find_model("fs")->make(6));
  Settings settings;
  settings.variant = *find_variant("full+sleep");
  settings.record = true;
  const PathCounts counts = count_paths(system, search(system, settings).graph);
  EXPECT_EQ(counts.maximal.decimal(), "32");
  EXPECT_EQ(counts.to_an_end.decimal(), "1");
}

TEST(Search, StopsAtItsLimits) {
  const System system(automata::find_model("dp")->make(9));
  for (const char* name : {"reach", "full+sleep", "pifs"}) {
    Settings settings;
    settings.variant = *find_variant(name);
    settings.max_nodes = 1000;
    EXPECT_EQ(search(system, settings).end, End::max_nodes) << name;
    settings.max_nodes = 0;
    settings.interrupted = [](const Counts&) { return true; };
    EXPECT_EQ(search(system, settings).end, End::interrupted) << name;
  }
}

TEST(Search, TellsOfFindings) {
  automata::NetworkBuilder net("crossed");
  net.client("P", "0").client("Q", "0").lock("a").lock("b");
  net.acquire("P", "0", "a", "1").acquire("P", "1", "b", "2");
  net.acquire("Q", "0", "b", "1").acquire("Q", "1", "a", "2");
  const System system(net.take());
  for (const char* name : {"reach", "full+sleep", "pifs"}) {
    Settings settings;
    settings.variant = *find_variant(name);
    settings.stop_at_finding = false;
    std::uint64_t told = 0;
    settings.found = [&](const Result& so_far) { told += so_far.deadlock ? 1 : 0; };
    EXPECT_TRUE(search(system, settings).deadlock) << name;
    EXPECT_EQ(told, 1U) << name;
  }
}

TEST(Search, TellsItsCountsOnTheWay) {
  const System system(automata::find_model("dp")->make(6));
  for (const char* name : {"reach", "full+sleep", "pifs"}) {
    Settings settings;
    settings.variant = *find_variant(name);
    std::uint64_t nodes = 0;
    settings.interrupted = [&](const Counts& so_far) {
      EXPECT_GE(so_far.nodes, nodes);
      nodes = so_far.nodes;
      return false;
    };
    const Result result = search(system, settings);
    EXPECT_GT(nodes, 0U) << name;
    EXPECT_GE(result.counts.nodes, nodes) << name;
  }
}

TEST(Search, DepthIsLimited) {
  const System system(automata::find_model("dp")->make(4));
  for (const char* name : {"reach", "full+sleep", "pifs", "closure-sleep"}) {
    Settings settings;
    settings.variant = *find_variant(name);
    settings.stop_at_finding = false;
    const Result whole = search(system, settings);
    settings.max_depth = 3;
    const Result part = search(system, settings);
    EXPECT_GT(part.counts.cut, 0U) << name;
    EXPECT_LT(part.counts.nodes, whole.counts.nodes) << name;
    settings.max_depth = 1000;
    const Result enough = search(system, settings);
    EXPECT_EQ(enough.counts.cut, 0U) << name;
    EXPECT_EQ(enough.counts.nodes, whole.counts.nodes) << name;
  }
}

TEST(Search, ReachStaysSmall) {
  const System system(automata::find_model("dp")->make(8));
  Settings settings;
  settings.variant = *find_variant("reach");
  const Result result = search(system, settings);
  EXPECT_EQ(result.counts.states, 390624U);
  EXPECT_LT(result.counts.bytes / result.counts.states, 40U);
}

TEST(BigCount, AddsAndPrints) {
  BigCount number = 1;
  for (int i = 0; i < 100; ++i) number += BigCount(number);
  EXPECT_EQ(number.decimal(), "1267650600228229401496703205376");
  EXPECT_EQ(BigCount(0).decimal(), "0");
}

}  // namespace
}  // namespace mazurka::automata_test
