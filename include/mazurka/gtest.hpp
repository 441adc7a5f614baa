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
//
// A suite that exists already is checked as it is, with the main of gtest_main.cpp, or with
// mazurka::gtest::run_all_tests() in the place of RUN_ALL_TESTS() in its own: each of its tests, of
// whatever kind, is explored with its fixture before it runs as usual.
#ifndef MAZURKA_GTEST_HPP_
#define MAZURKA_GTEST_HPP_

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "mazurka/check.hpp"

namespace mazurka::gtest {

namespace detail {

/// The first expectation of the test that failed, in GoogleTest's words; empty: there is none.
inline std::string first_failure_of(const testing::TestInfo& test) {
  for (int at = 0; at < test.result()->total_part_count(); ++at) {
    const testing::TestPartResult& part = test.result()->GetTestPartResult(at);
    if (!part.failed()) continue;
    std::string text = part.summary();
    for (char& c : text) c = c == '\n' ? ' ' : c;
    const std::string file = part.file_name() == nullptr ? "" : part.file_name();
    return "expectation fails: " + text + " at " + file.substr(file.rfind('/') + 1) + ":" +
           std::to_string(part.line_number());
  }
  return {};
}

/// The tests that check themselves, by name.
inline std::set<std::string>& checked_tests() {
  static std::set<std::string> names;
  return names;
}

inline std::string name_of(const testing::TestInfo& test) {
  return std::string(test.test_suite_name()) + "." + test.name();
}

/// The arguments of this process.
inline std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (!words.empty()) words.erase(words.begin());
  return words;
}

}  // namespace detail

/// The first expectation that failed, in GoogleTest's words.
inline std::string first_failure() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string text = test == nullptr ? "" : detail::first_failure_of(*test);
  return text.empty() ? "an expectation fails" : text;
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

namespace detail {

/// Runs the tests that the filter has left, and fails as they do.
inline void run_and_fail() {
  if (RUN_ALL_TESTS() == 0) return;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
    const testing::TestSuite& tests = *all.GetTestSuite(suite);
    for (int at = 0; at < tests.total_test_count(); ++at) {
      const std::string text = first_failure_of(*tests.GetTestInfo(at));
      if (!text.empty()) fail(text);
    }
  }
  fail("an expectation fails");
}

constexpr const char* whole_test = "test ";  // the name of its check begins so

inline Result check_whole(const std::string& test) {
  CheckSettings settings;
  settings.name = whole_test + test;
  settings.arguments = own_arguments();
  for (const char* more : {"--gtest_also_run_disabled_tests", "--gtest_repeat=1",
                           "--gtest_output=", "--gtest_shuffle=0"}) {
    settings.arguments.emplace_back(more);
  }
  settings.arguments.push_back("--gtest_filter=" + test);
  settings.replace_arguments = true;
  return check([] { run_and_fail(); }, settings);
}

/// Explores each test before it runs. One that fails does not run then.
class CheckFirst : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    if (checked_tests().count(name_of(test)) > 0) return;
    const Result result = check_whole(name_of(test));
    if (result.skipped) GTEST_SKIP() << result.text;
    if (!result) FAIL() << result.text;
  }
};

inline std::string awaited_check() {
  const char* name = __mazurka_awaited_check == nullptr ? nullptr : __mazurka_awaited_check();
  return name == nullptr ? "" : name;
}

}  // namespace detail

/// In the place of RUN_ALL_TESTS(): checks every test.
inline int run_all_tests() {
  const std::string awaited = detail::awaited_check();
  if (awaited.rfind(detail::whole_test, 0) == 0) {
    return detail::check_whole(awaited.substr(std::string(detail::whole_test).size())) ? 0 : 1;
  }
  if (awaited.empty() && __mazurka_check != nullptr) {
    testing::UnitTest::GetInstance()->listeners().Append(new detail::CheckFirst);
  }
  return RUN_ALL_TESTS();
}

}  // namespace mazurka::gtest

#define MAZURKA_TEST(suite, name)                                                      \
  static void mazurka_body_##suite##_##name();                                         \
  [[maybe_unused]] static const bool mazurka_checked_##suite##_##name =                \
      ::mazurka::gtest::detail::checked_tests().insert(#suite "." #name).second;       \
  TEST(suite, name) {                                                                  \
    const ::mazurka::Result result = ::mazurka::gtest::run(                            \
        #suite "." #name, mazurka_body_##suite##_##name, MAZURKA_DETAIL_INCONCLUSIVE); \
    if (result.skipped) GTEST_SKIP() << result.text;                                   \
    if (!result) FAIL() << result.text;                                                \
  }                                                                                    \
  static void mazurka_body_##suite##_##name()

#endif  // MAZURKA_GTEST_HPP_
