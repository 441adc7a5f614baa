// The models' numbers of nodes. The published ones where they are reproduced (docs/stateful.md has
// the whole table and says where ours differ); sizes are chosen to run fast.
#include "programs/automata/models.hpp"

#include <gtest/gtest.h>

#include "explorers/stateful/portfolio.hpp"
#include "explorers/stateful/search.hpp"

namespace mazurka::automata {
namespace {

using namespace stateful;

std::uint64_t nodes(const std::string& model, int size, const std::string& variant,
                    Order order = Order::declared) {
  const System system(find_model(model)->make(size), order);
  Settings settings;
  settings.variant = *find_variant(variant);
  settings.stop_at_finding = false;
  return search(system, settings).counts.nodes;
}

struct Row {
  const char* model;
  int size;
  std::uint64_t reach, pset, full, full_without, minclosure, apifs;
};

class Table : public testing::TestWithParam<Row> {};

TEST_P(Table, HasTheseNodes) {
  const Row& row = GetParam();
  EXPECT_EQ(nodes(row.model, row.size, "reach"), row.reach);
  EXPECT_EQ(nodes(row.model, row.size, "pset+sleep"), row.pset);
  EXPECT_EQ(nodes(row.model, row.size, "full+sleep"), row.full);
  EXPECT_EQ(nodes(row.model, row.size, "full-sleep"), row.full_without);
  EXPECT_EQ(nodes(row.model, row.size, "minclosure+sleep"), row.minclosure);
  EXPECT_EQ(nodes(row.model, row.size, "apifs+sleep"), row.apifs);
}

INSTANTIATE_TEST_SUITE_P(
    Models, Table,
    testing::Values(Row{"bg", 3, 163217, 95991, 131, 131, 131, 329},          // published
                    Row{"mpat", 5, 59616, 11264, 672, 672, 672, 3202},        // published
                    Row{"pet", 4, 19029, 23824, 19584, 17648, 21209, 20009},  // published
                    Row{"dp", 6, 15624, 15593, 3361, 6830, 11866, 5712},
                    Row{"lz", 6, 5900, 4851, 1698, 2521, 2211, 1698},
                    Row{"disp", 5, 95744, 77322, 161, 180, 210, 245},    // reach: published
                    Row{"fs", 6, 531441, 266826, 132, 404, 3091, 132}),  // reach, apifs: published
    [](const auto& row) {
      return std::string(row.param.model) + "_" + std::to_string(row.param.size);
    });

TEST(Models, Formulas) {
  for (int n = 2; n <= 7; ++n) {
    std::uint64_t power = 1;
    for (int i = 0; i < n; ++i) power *= 5;
    EXPECT_EQ(nodes("dp", n, "reach"), power - 1) << n;
  }
  std::uint64_t threes = 9;
  for (int h = 2; h <= 6; ++h, threes *= 3) EXPECT_EQ(nodes("bg", h, "full+sleep"), 5 * threes - 4);
  for (const int n : {15, 50}) {
    const auto size = static_cast<std::uint64_t>(n);
    EXPECT_EQ(nodes("qo", n, "full+sleep"), (3 * size * size + 9 * size + 4) / 2);
    EXPECT_EQ(nodes("qo", n, "apifs+sleep"), (3 * size * size + 9 * size + 4) / 2 + size);
  }
  for (const int k : {3, 7}) {
    EXPECT_EQ(nodes("mpat", k, "full+sleep"), (4 * static_cast<std::uint64_t>(k) + 1) << k);
  }
}

TEST(Models, TwoRoundsOfPhilosophers) {
  EXPECT_EQ(nodes("dp2", 5, "reach"), 51907U);
  EXPECT_EQ(nodes("dp2", 5, "pset+sleep"), 73937U);
  EXPECT_EQ(nodes("dp2", 5, "full+sleep"), 26842U);
}

TEST(Models, OurOwnVariantsAreSmaller) {
  EXPECT_LT(nodes("dp", 8, "pifs"), nodes("dp", 8, "full+sleep"));
  EXPECT_LT(nodes("lz", 8, "closure", Order::reversed_clients), nodes("lz", 8, "full+sleep"));
  // What the paper reports for full+sleep and its formula 3.5 n^2 + 17.5 n + 1.
  EXPECT_EQ(nodes("disp", 5, "closure"), 176U);
  EXPECT_EQ(nodes("disp", 10, "closure"), 526U);
}

TEST(Models, ThePortfolioFinishesLargeInstances) {
  for (const auto& [model, size] : {std::pair{"qo", 100}, {"disp", 50}, {"bg", 7}, {"lz", 12}}) {
    Settings settings;
    settings.max_nodes = 1'000'000;
    const PortfolioResult found = search_portfolio(find_model(model)->make(size), settings);
    EXPECT_EQ(found.result.end, End::complete) << model << " " << size;
    EXPECT_EQ(found.result.counts.deadlocks, 0U);
  }
}

TEST(Models, EveryModelIsValidAtItsSmallest) {
  EXPECT_GE(models().size(), 8U);
  for (const Model& model : models()) {
    const Network network = model.make(model.smallest);
    EXPECT_NO_THROW(validate(network)) << model.name;
    EXPECT_GT(nodes(std::string(model.name), model.smallest, "reach"), 1U);
  }
  EXPECT_NO_THROW(validate(multi_locks(8, 3, 10, 7)));
}

}  // namespace
}  // namespace mazurka::automata
