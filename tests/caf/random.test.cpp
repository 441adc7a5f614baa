// Random systems of CAF's actors: every technique against brute force.
#include <gtest/gtest.h>

#include "caf/comparison.hpp"

namespace mazurka::caf_test {
namespace {

void expect_agreement(std::uint64_t first, std::uint64_t wanted) {
  Comparison comparison;
  constexpr std::uint64_t most_orders = 100;
  std::uint64_t compared = 0;
  std::uint64_t with_choice = 0;
  std::uint64_t reversed = 0;
  std::uint64_t transitive = 0;
  for (std::uint64_t number = first; compared < wanted; ++number) {
    const Compared result = comparison.compare(number, most_orders);
    ASSERT_EQ(result.wrong, "") << "number " << number;
    if (result.too_large || result.refused) continue;
    ++compared;
    if (result.traces > 1) ++with_choice;
    if (result.reversed) ++reversed;
    if (result.transitive) ++transitive;
  }
  EXPECT_GT(with_choice, wanted / 10);
  EXPECT_GT(reversed, wanted / 10);
  EXPECT_GT(transitive, wanted / 10);
}

TEST(RandomCaf, AgreeWithBruteForce) { expect_agreement(0, 1000); }

TEST(RandomCaf, WithEveryKindOfAction) { expect_agreement(second_family, 500); }

// The news of an actor's end waits for two things, and an execution that is cut short (asleep) may
// leave it behind where one of them has come. It must not be taken for one that could have come
// earlier.
TEST(RandomCaf, NewsThatWaitForTwoThings) {
  Comparison comparison;
  constexpr std::uint64_t number = 4776;
  constexpr std::uint64_t most_orders = 1000;
  const Compared result = comparison.compare(number, most_orders);
  EXPECT_EQ(result.wrong, "");
  EXPECT_FALSE(result.too_large || result.refused);
  EXPECT_GT(result.traces, 1U);
}

}  // namespace
}  // namespace mazurka::caf_test
