// Tests with a fixture, explored for every order: with GoogleTest.
#include <gtest/gtest.h>

#include "caf/warehouse.hpp"

namespace mazurka::caf_test {
namespace {

using Fixture = WarehouseFixture;

TEST(CafFixture, ACarefulDeskSellsWhatThereIs) {
  const caf::CheckResult result = caf::check(&Fixture::sells_what_there_is);
  EXPECT_TRUE(result.verified()) << result.text();
  EXPECT_GT(result.executions, 1U);
}

// But not in every order: a test that runs one of them may never see it.
TEST(CafFixture, ACarelessOneSellsItTwice) {
  caf::CheckOptions options;
  options.keep_going = true;
  const caf::CheckResult result = caf::check(&Fixture::sells_what_there_is_carelessly, options);
  ASSERT_EQ(result.problems.size(), 1U) << result.text();
  EXPECT_NE(result.problems.front().message.find("the item is sold once"), std::string::npos);
  EXPECT_NE(result.problems.front().chart.find("desk"), std::string::npos);
}

TEST(CafFixture, TheDeskClosesWhenAllIsSettled) {
  const caf::CheckResult result = caf::check(&Fixture::closes_when_all_is_settled);
  EXPECT_TRUE(result.verified()) << result.text();
}

TEST(CafFixture, TheTestMayWaitForAnAnswer) {
  const caf::CheckResult result = caf::check(&Fixture::answers_the_test_itself);
  EXPECT_TRUE(result.verified()) << result.text();
}

// What every technique says is what brute force says.
TEST(CafFixture, TechniquesAgree) {
  for (const char* technique : {"exhaustive", "sleep", "dpor", "source", "optimal"}) {
    caf::CheckOptions options;
    options.technique = technique;
    EXPECT_TRUE(caf::check(&Fixture::sells_what_there_is, options).verified()) << technique;
    EXPECT_FALSE(caf::check(&Fixture::sells_what_there_is_carelessly, options).verified())
        << technique;
  }
}

}  // namespace
}  // namespace mazurka::caf_test
