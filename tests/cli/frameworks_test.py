#!/usr/bin/env python3
"""Checked tests in GoogleTest and Catch2: a test that decided nothing is never green."""

import unittest

from calling import MAZURKA, InFolder

CXX = MAZURKA.parent / "mazurka-c++"

# A test that two executions verify, and one that more of them find nothing in.
BODIES = """
#include <atomic>
#include <cassert>
#include <thread>
namespace {
void meet() {
  std::atomic<int> seen{0};
  std::thread other([&] { seen.store(1); });
  seen.load();
  other.join();
  assert(seen == 1);
}
void collide() {
  int hits = 0;
  std::thread other([&] { ++hits; });
  ++hits;
  other.join();
}
}  // namespace
"""

GTEST = """
#include <mazurka/gtest.hpp>
MAZURKA_TEST(Meeting, Checked) { meet(); }
TEST(Meeting, Plain) { meet(); }
#ifdef COLLIDE
MAZURKA_TEST(Collision, Checked) { collide(); }
#endif
"""

CATCH2 = """
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <mazurka/catch2.hpp>
MAZURKA_TEST_CASE("two threads, meeting") { meet(); }
MAZURKA_TEST_CASE("two threads that collide", "[.][collision]") { collide(); }
MAZURKA_TEST(Meeting, Checked) { meet(); }
"""

FUNCTION = """
#ifdef INCONCLUSIVE
#define MAZURKA_INCONCLUSIVE INCONCLUSIVE
#endif
#include <mazurka/check.hpp>
#include <iostream>
int main() {
  const mazurka::Result result = mazurka::check([] { meet(); });
  std::cout << result.text;
  return result ? 0 : 10 + static_cast<int>(result.verdict);
}
"""

CUT = {"MAZURKA_OPTIONS": "--max-executions 1"}


class FrameworkTest(InFolder):
    def build(self, text, *flags):
        self.write("tests.cpp", BODIES + text)
        result = self.run_command([CXX, "-std=c++20", "tests.cpp", "-o", "tests", *flags])
        self.assertEqual(result.returncode, 0, result.stderr)

    def run_tests(self, *arguments, expect=0, **variables):
        result = self.run_command(["./tests", *arguments], **variables)
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result.stdout + result.stderr


class GoogleTest(FrameworkTest):
    def test_what_decides_nothing_fails(self):
        self.build(GTEST, "-lgtest", "-lgtest_main")
        self.assertNotIn("skipped", self.run_tests())
        output = self.run_tests(expect=1, **CUT)
        self.assertIn("INCONCLUSIVE", output)
        self.assertIn("MAZURKA_INCONCLUSIVE=skip", output)
        self.assertIn("[  FAILED  ] Meeting.Checked", output)

    def test_skipped_on_request(self):
        self.build(GTEST, "-lgtest", "-lgtest_main")
        output = self.run_tests(MAZURKA_INCONCLUSIVE="skip", **CUT)
        self.assertIn("[  SKIPPED ] Meeting.Checked", output)
        self.assertIn("1 inconclusive check was skipped", output.splitlines()[-1])


class Catch2(FrameworkTest):
    def test_what_decides_nothing_fails(self):
        self.build(CATCH2)
        self.run_tests()
        output = self.run_tests(expect=2, **CUT)
        self.assertIn("INCONCLUSIVE", output)
        output = self.run_tests(MAZURKA_INCONCLUSIVE="skip", **CUT)
        self.assertIn("2 inconclusive checks were skipped", output.splitlines()[-1])


class Function(FrameworkTest):
    def test_the_result_is_true_only_if_verified(self):
        self.build(FUNCTION)
        self.run_tests()
        self.run_tests(expect=13, **CUT)

    def test_chosen_by_the_program_and_by_the_environment(self):
        self.build(FUNCTION, "-DINCONCLUSIVE=skip")
        self.assertIn("1 inconclusive check was skipped", self.run_tests(**CUT))
        self.run_tests(expect=13, MAZURKA_INCONCLUSIVE="fail", **CUT)

    def test_words_that_mean_nothing_are_refused(self):
        self.build(FUNCTION)
        output = self.run_tests(expect=12, MAZURKA_INCONCLUSIVE="ignore")
        self.assertIn("MAZURKA_INCONCLUSIVE is `ignore`", output)


if __name__ == "__main__":
    unittest.main()
