// Checked tests in GoogleTest.
//
//   MAZURKA_TEST(Queue, KeepsWhatIsPushed) {
//     Queue queue;
//     std::thread producer([&] { queue.push(1); });
//     producer.join();
//     EXPECT_EQ(queue.pop(), 1);
//   }
//
// is a TEST whose body is run for every behaviour that scheduling can cause. If it fails in one of
// them, the test's message is the table that shows how, with the command that replays it. The test
// fails, too, if the search decided nothing; MAZURKA_INCONCLUSIVE makes that a skip (check.hpp).
// Expectations that fail are findings, as failed assertions are.
#ifndef MAZURKA_GTEST_HPP_
#define MAZURKA_GTEST_HPP_

#include <gtest/gtest.h>

#include <string>

#include "mazurka/check.hpp"

namespace mazurka::gtest {

/// The first expectation that failed, in GoogleTest's words.
inline std::string first_failure() {
  const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
  for (int at = 0; info != nullptr && at < info->result()->total_part_count(); ++at) {
    const testing::TestPartResult& part = info->result()->GetTestPartResult(at);
    if (!part.failed()) continue;
    std::string text = part.summary();
    for (char& c : text) c = c == '\n' ? ' ' : c;
    const std::string file = part.file_name() == nullptr ? "" : part.file_name();
    return "expectation fails: " + text + " at " + file.substr(file.rfind('/') + 1) + ":" +
           std::to_string(part.line_number());
  }
  return "an expectation fails";
}

inline Result run(const char* name, void (*body)(), const char* inconclusive) {
  CheckSettings settings;
  settings.name = name;
  settings.arguments = {std::string("--gtest_filter=") + name, "--gtest_also_run_disabled_tests"};
  settings.replace_arguments = true;
  settings.inconclusive = inconclusive;
  return check(
      [body] {
        body();
        if (testing::Test::HasFailure()) fail(first_failure());
      },
      settings);
}

}  // namespace mazurka::gtest

#define MAZURKA_TEST(suite, name)                                                      \
  static void mazurka_body_##suite##_##name();                                         \
  TEST(suite, name) {                                                                  \
    const ::mazurka::Result result = ::mazurka::gtest::run(                            \
        #suite "." #name, mazurka_body_##suite##_##name, MAZURKA_DETAIL_INCONCLUSIVE); \
    if (result.skipped) GTEST_SKIP() << result.text;                                   \
    if (!result) FAIL() << result.text;                                                \
  }                                                                                    \
  static void mazurka_body_##suite##_##name()

#endif  // MAZURKA_GTEST_HPP_
