// The law of independence: what the table calls independent commutes, in every state.
//
// Random walks through random programs; in every state all pairs of next operations of different
// actors are looked at. A pair that is called independent must not enable or disable one another,
// and must lead to the same state in both orders.
#include "messages/laws.hpp"

#include <gtest/gtest.h>

namespace mazurka::messages {
namespace {

TEST(Law, IndependentOperationsCommute) {
  LawCheck check;
  for (std::uint64_t seed = 1; check.pairs < 1'000'000; ++seed) {
    for (const Features& features : feature_sets()) check.walk(seed, features);
    ASSERT_EQ(check.problem, "");
  }
  // Every row of the table was put to the test.
  for (const IndependenceRow& row : independence_table()) {
    const std::size_t at = static_cast<std::size_t>(&row - independence_table().data());
    EXPECT_GT(check.by_row[at], 0U) << "theorem " << unsigned{row.theorem} << ", row " << at;
  }
}

// The law can be broken: without a condition, a wait would be independent of what fulfils it.
TEST(Law, NoticesAMissingCondition) {
  LawCheck check;
  check.ignore_conditions = true;
  for (std::uint64_t seed = 1; seed <= 200 && check.problem.empty(); ++seed) {
    check.walk(seed, feature_sets().back());
  }
  EXPECT_NE(check.problem, "");
}

// Where the table is silent, operations are dependent; most such pairs really do not commute
// somewhere: these three are the reason why there are traces to tell apart.
TEST(Law, NoticesAWrongRow) {
  for (const std::string text : {"S0 | S0 | R0 W", "R0 T | S0", "M0 T U | M0 T"}) {
    LawCheck check;
    check.ignore_dependence = true;
    const Model model = parse(text);
    for (std::uint64_t seed = 1; seed <= 200 && check.problem.empty(); ++seed) {
      check.walk(seed, model);
    }
    EXPECT_NE(check.problem, "") << text;
  }
}

}  // namespace
}  // namespace mazurka::messages
