#include "programs/threads/host/suppressions.hpp"

#include <gtest/gtest.h>

#include "host/files.hpp"

namespace mazurka::threads {
using namespace host;
namespace {

TEST(Suppressions, PatternIsAPartOfTheName) {
  EXPECT_TRUE(matches("count", "account"));
  EXPECT_TRUE(matches("count", "counter"));
  EXPECT_FALSE(matches("counter", "count"));
}

TEST(Suppressions, AnchorsBindToBothEnds) {
  EXPECT_TRUE(matches("^count", "counter"));
  EXPECT_FALSE(matches("^count", "account"));
  EXPECT_TRUE(matches("count$", "account"));
  EXPECT_FALSE(matches("count$", "counter"));
  EXPECT_TRUE(matches("^count$", "count"));
  EXPECT_FALSE(matches("^count$", "counts"));
}

TEST(Suppressions, StarStandsForAnything) {
  EXPECT_TRUE(matches("a*c", "xabcx"));
  EXPECT_TRUE(matches("^a*c$", "abcbc"));
  EXPECT_TRUE(matches("^a*c$", "ac"));
  EXPECT_FALSE(matches("^a*c$", "abcd"));
  EXPECT_FALSE(matches("a*b*c", "acb"));
  EXPECT_TRUE(matches("*.cpp", "bank.cpp:14"));
  EXPECT_FALSE(matches("*.cpp$", "bank.cpp:14"));
  EXPECT_FALSE(matches("^a*a$", "a"));
}

TEST(Suppressions, LineIsAKindAndAPattern) {
  SuppressionList list;
  add_suppression("race:Foo::bar(int)", list);
  add_suppression("race_top:x", list);
  ASSERT_EQ(list.suppressions.size(), 2U);
  EXPECT_EQ(list.suppressions[0].pattern, "Foo::bar(int)");
  EXPECT_FALSE(list.suppressions[0].top_only);
  EXPECT_TRUE(list.suppressions[1].top_only);
  for (const char* wrong : {"", "x", "race", "race:", "race:^$", "race:**", "raze:x", "thread:x"}) {
    EXPECT_THROW(add_suppression(wrong, list), InputError) << wrong;
  }
}

}  // namespace
}  // namespace mazurka::threads
