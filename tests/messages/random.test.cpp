// All techniques against brute force on random message programs.
#include <gtest/gtest.h>

#include "explorers/table.hpp"
#include "messages/checker.hpp"

namespace mazurka::messages {
namespace {

constexpr std::uint64_t programs_per_feature_set = 340;  // 2,040 in all

class Random : public testing::TestWithParam<Features> {};

void expect_agreement(const Model& model, const Truth& truth, const std::string& technique,
                      std::uint64_t seed, std::uint64_t order) {
  const std::string problem =
      compare(model, truth, *parse_technique(technique).make(), promises_of(technique), order);
  if (problem.empty()) return;
  const Model small =
      shrink(model, [&](const Model& other) { return !compare(other, technique, order).empty(); });
  ADD_FAILURE() << technique << ", seed " << seed << ", order " << order << ": " << problem
                << "\nshrunk (" << compare(small, technique, order) << "): " << to_string(small);
}

TEST_P(Random, TechniquesAgreeWithBruteForce) {
  ASSERT_GE(technique_names().size(), 5U);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; compared < programs_per_feature_set; ++seed) {
    const Model model = random_model(seed, GetParam());
    const auto truth = enumerate_interleavings(model, most_interleavings);
    if (!truth) continue;
    ++compared;
    for (const std::string& technique : technique_names()) {
      expect_agreement(model, *truth, technique, seed, 0);
      if (technique != "exhaustive" && seed % 2 == 0) {
        expect_agreement(model, *truth, technique, seed, seed);
      }
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Features, Random, testing::ValuesIn(feature_sets()),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace mazurka::messages
