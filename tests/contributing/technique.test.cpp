// A technique is one file and one row: the one of CONTRIBUTING.md, added as it stands there.
#include <gtest/gtest.h>

#include "explorers/table.hpp"
#include "oracle/brute_force.hpp"
#include "oracle/checker.hpp"
#include "oracle/generator.hpp"

namespace mazurka {
namespace {

TEST(Contributing, ATechniqueIsOneFileAndOneRow) {
  ASSERT_NE(find_technique("every-order"), nullptr);
  EXPECT_TRUE(technique_of("every-order").promises.every_interleaving);
  bool swept = false;
  for (const oracle::Variant& variant : oracle::all_variants()) {
    swept = swept || variant.name == "every-order";
  }
  EXPECT_TRUE(swept) << "./dev sweep does not try it";
}

TEST(Contributing, TheTechniqueMissesNothing) {
  const oracle::Variant added = oracle::variant("every-order");
  std::uint64_t compared = 0;
  for (const oracle::Features& features : oracle::feature_sets()) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const oracle::Model model = oracle::random_model(seed, features);
      const auto truth = oracle::enumerate_interleavings(model, oracle::most_interleavings);
      if (!truth) continue;
      ++compared;
      ASSERT_EQ(oracle::compare(model, *truth, *added.make(),
                                oracle::promises_of(*added.technique, model)),
                "")
          << features.name << ", seed " << seed;
    }
  }
  EXPECT_GE(compared, 200U);
}

}  // namespace
}  // namespace mazurka
