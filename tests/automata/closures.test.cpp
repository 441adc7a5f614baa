// Closures by groups of actions, and by words, are those by actions, in every state of random
// systems.
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <vector>

#include "automata/random_network.hpp"
#include "explorers/stateful/search.hpp"
#include "explorers/stateful/source_sets.hpp"
#include "programs/automata/models.hpp"

namespace mazurka::automata_test {
namespace {

using namespace stateful;

Graph all_states(const System& system, std::uint64_t most) {
  Settings settings;
  settings.variant = *find_variant("reach");
  settings.record = true;
  settings.stop_at_finding = false;
  settings.max_nodes = most;
  return search(system, settings).graph;
}

struct Compared {
  std::uint64_t closures = 0;
  std::uint64_t by_words = 0;
  std::uint64_t smaller = 0;  // than all that is enabled
};

/// The closure of every enabled action, of all that is enabled and of every second action, and the
/// smallest one.
void compare(const LocalState* locals, const std::vector<ActionId>& enabled, SourceSets& fast,
             SourceSets& slow, Compared& compared) {
  std::vector<ActionId> one;
  std::vector<ActionId> other;
  std::vector<ActionId> half;
  for (std::size_t at = 0; at < enabled.size(); at += 2) half.push_back(enabled[at]);
  for (const std::vector<ActionId>& wanted : {enabled, half}) {
    for (const ActionId seed : enabled) {
      for (const std::size_t limit : {std::numeric_limits<std::size_t>::max(), wanted.size()}) {
        const auto closure = SourceSets::Kind::closure;
        const bool whole = fast.around(locals, seed, closure, wanted, limit, one);
        ASSERT_EQ(whole, slow.around(locals, seed, closure, wanted, limit, other));
        if (whole) {
          ASSERT_EQ(one, other);
        }
        ++compared.closures;
        if (whole && one.size() < wanted.size()) ++compared.smaller;
      }
    }
    fast.smallest(locals, enabled, SourceSets::Kind::closure, wanted, one);
    slow.smallest(locals, enabled, SourceSets::Kind::closure, wanted, other);
    ASSERT_EQ(one, other);
  }
}

void compare(const System& system, std::uint64_t most_states, Compared& compared) {
  SourceSets groups(system, SourceSets::Walk::over_groups);
  SourceSets actions(system, SourceSets::Walk::over_actions);
  std::optional<Pairs> pairs;
  std::optional<SourceSets> words;
  if (Pairs::fit(system)) {
    pairs.emplace(system);
    words.emplace(system, SourceSets::Walk::over_groups, &*pairs);
  }
  std::vector<LocalState> locals(system.processes());
  std::vector<ActionId> enabled;
  for (const Graph::Node& node : all_states(system, most_states).nodes) {
    system.unpack(node.state.data(), locals.data());
    system.enabled(locals.data(), enabled);
    compare(locals.data(), enabled, groups, actions, compared);
    if (!words) continue;
    pairs->follow(locals.data());
    const std::uint64_t before = compared.closures;
    compare(locals.data(), enabled, *words, actions, compared);
    compared.by_words += compared.closures - before;
  }
}

TEST(Closures, AreTheSameByGroupsByWordsAndByActions) {
  Compared compared;
  int systems = 0;
  for (std::uint64_t seed = 1; systems < 300; ++seed) {
    const System system(random_network(seed), Order::shuffled, seed);
    if (!system.is_of_pairs()) continue;
    ++systems;
    compare(system, 200, compared);
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
  }
  for (const auto& [model, size] : {std::pair("dp", 6), std::pair("pet", 3), std::pair("lz", 7),
                                    std::pair("fs", 3), std::pair("mpat", 3), std::pair("bg", 2)}) {
    const System system(automata::find_model(model)->make(size));
    ASSERT_TRUE(system.is_of_pairs()) << model;
    compare(system, 3000, compared);
    ASSERT_FALSE(HasFatalFailure()) << model;
  }
  EXPECT_GE(compared.closures, 20'000U);
  EXPECT_GE(compared.by_words, 10'000U);
  EXPECT_GE(compared.smaller, 2'000U);
}

}  // namespace
}  // namespace mazurka::automata_test
