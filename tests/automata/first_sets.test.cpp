// First-set tests by companies are those by local states, in every state of random systems. So is
// what is enabled, as words see it.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "automata/random_network.hpp"
#include "explorers/stateful/first_set.hpp"
#include "explorers/stateful/pairs.hpp"
#include "explorers/stateful/search.hpp"
#include "programs/automata/models.hpp"

namespace mazurka::automata_test {
namespace {

using namespace stateful;
using Paths = FirstSetTest::Paths;

struct Asked {
  std::uint64_t possible = 0;
  std::uint64_t impossible = 0;
};

/// Every enabled action alone, and all but one of them.
std::vector<std::vector<ActionId>> starts_from(const std::vector<ActionId>& enabled) {
  std::vector<std::vector<ActionId>> starts;
  for (const ActionId action : enabled) {
    starts.push_back({action});
    starts.push_back(enabled);
    std::erase(starts.back(), action);
  }
  return starts;
}

class BothTests {
 public:
  explicit BothTests(const System& system)
      : system_(system), pairs_(system), fast_(system, &pairs_), slow_(system) {}

  void compare_in(const Word* state, Asked& asked) {
    std::vector<LocalState> locals(system_.processes());
    std::vector<ActionId> enabled;
    std::vector<ActionId> seen;
    system_.unpack(state, locals.data());
    system_.enabled(locals.data(), enabled);
    pairs_.follow(locals.data());
    pairs_.enabled(seen);
    ASSERT_EQ(seen, enabled);
    for (const std::vector<ActionId>& start : starts_from(enabled)) {
      for (const Paths paths : {Paths::within_set, Paths::any}) {
        const auto one = fast_(locals.data(), enabled, start, paths);
        const auto other = slow_(locals.data(), enabled, start, paths);
        ASSERT_EQ(one.possible, other.possible);
        if (!one.possible) {
          ASSERT_EQ(one.size, other.size);
        }
        ++(one.possible ? asked.possible : asked.impossible);
      }
    }
    compare_with_knowledge(locals.data(), enabled);
  }

 private:
  /// Each action after those before it that are possible are known to be.
  void compare_with_knowledge(const LocalState* locals, const std::vector<ActionId>& enabled) {
    for (const ActionId action : enabled) {
      const auto one = fast_(locals, enabled, {&action, 1});
      const auto other = slow_(locals, enabled, {&action, 1});
      ASSERT_EQ(one.possible, other.possible);
      if (!one.possible) continue;
      fast_.be_sure_of(action);
      slow_.be_sure_of(action);
    }
    fast_.forget();
    slow_.forget();
  }

  const System& system_;
  Pairs pairs_;
  FirstSetTest fast_;
  FirstSetTest slow_;
};

void compare(const System& system, std::uint64_t most_states, Asked& asked) {
  Settings settings;
  settings.variant = *find_variant("reach");
  settings.record = true;
  settings.stop_at_finding = false;
  settings.max_nodes = most_states;
  BothTests both(system);
  for (const Graph::Node& node : search(system, settings).graph.nodes) {
    both.compare_in(node.state.data(), asked);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(FirstSets, AreTheSameByCompaniesAndByStates) {
  Asked asked;
  int systems = 0;
  for (std::uint64_t seed = 1; systems < 300; ++seed) {
    const System system(random_network(seed), Order::shuffled, seed);
    if (!Pairs::fit(system)) continue;
    ++systems;
    compare(system, 200, asked);
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
  }
  for (const auto& [model, size] : {std::pair("dp", 6), std::pair("pet", 3), std::pair("lz", 7),
                                    std::pair("mpat", 3), std::pair("bg", 2)}) {
    const System system(automata::find_model(model)->make(size));
    ASSERT_TRUE(Pairs::fit(system)) << model;
    compare(system, 3000, asked);
    ASSERT_FALSE(HasFatalFailure()) << model;
  }
  EXPECT_GE(asked.possible, 20'000U);
  EXPECT_GE(asked.impossible, 5'000U);
}

TEST(FirstSets, WordsAreNotForEverySystem) {
  EXPECT_FALSE(Pairs::fit(System(automata::find_model("fs")->make(6))));  // long clients
  EXPECT_FALSE(Pairs::fit(System(automata::find_model("bg")->make(5))));  // many processes
  EXPECT_TRUE(Pairs::fit(System(automata::find_model("pet")->make(5))));
}

}  // namespace
}  // namespace mazurka::automata_test
