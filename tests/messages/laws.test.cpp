// The law of independence: what the table calls independent commutes, in every state.
//
// Random walks through random programs; in every state all pairs of next operations of different
// actors are looked at. A pair that is called independent must not enable or disable one another,
// and must lead to the same state in both orders.
#include "messages/laws.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

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

// --- every small program ------------------------------------------------------------------------

/// Every sequence of one or two steps; a test, a wait or an unlock is of what was asked for before.
std::vector<std::string> short_actors() {
  const std::vector<std::string> requests{"S0", "R0", "A0", "M0", "B0", "E0"};
  std::vector<std::string> first = requests;
  for (const char* other : {"P0", "N0", "V0", "L"}) first.emplace_back(other);
  std::vector<std::string> actors = first;
  for (const std::string& one : first) {
    for (const std::string& other : first) actors.push_back(one + " " + other);
  }
  for (const std::string& request : requests) {
    actors.push_back(request + " T");
    actors.push_back(request + " W");
  }
  actors.emplace_back("M0 U");
  return actors;
}

std::string name_of(const std::pair<Op, Op>& pair) {
  const std::string letters = "LSRAPMUBENVTCWIK";
  return {letters[static_cast<std::size_t>(pair.first)],
          letters[static_cast<std::size_t>(pair.second)]};
}

// The theorems, from the semantics: in all states of all programs of two short actors and a third
// that makes one step, what the table calls independent commutes, and what it never calls
// independent though it always commutes is known.
TEST(Law, HoldsInEveryStateOfEverySmallProgram) {
  LawCheck check;
  const std::vector<std::string> actors = short_actors();
  for (std::size_t one = 0; one < actors.size(); ++one) {
    for (std::size_t other = 0; other <= one; ++other) {
      for (const char* third : {"S0", "R0", "A0", "P0", "M0", "B0", "E0", "N0"}) {
        check.walk_everywhere(parse(actors[one] + " | " + actors[other] + " | " + third));
        ASSERT_EQ(check.problem, "");
      }
    }
  }
  std::vector<std::string> coarse;
  for (const auto& [pair, met] : check.met) {
    EXPECT_LE(met.called_independent, met.commute) << name_of(pair);
    if (met.called_independent == 0 && met.commute == met.times) coarse.push_back(name_of(pair));
  }
  EXPECT_GT(check.pairs, 100'000U);
  // These lead to the same state in either order, but who was woken by whom is part of the trace.
  const std::vector<std::string> by_cause{"UU", "NN", "NV", "VV"};
  EXPECT_EQ(coarse, by_cause);
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
