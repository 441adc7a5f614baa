#!/usr/bin/env python3
"""Checked tests in GoogleTest and Catch2: a test that decided nothing is never green."""

import unittest

from calling import MAZURKA, SOURCE, InFolder

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

# Calls of mazurka::check, each with what was there before it.
WAY = r"""
#include <mazurka/check.hpp>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <semaphore.h>
#include <thread>
static std::mutex held;
static bool exits;
static std::atomic<int> early{0};
static void leave() { assert(!exits); }
static void check(const char* name, void (*body)()) { (void)mazurka::check(body, {name, {}, {}, false, ""}); }
static sem_t tokens;
static pthread_barrier_t both;
static pthread_key_t key;
static int value;
int main() {
  std::atexit(leave);
  sem_init(&tokens, 0, 1);
  pthread_barrier_init(&both, nullptr, 2);
  pthread_key_create(&key, nullptr);
  pthread_setspecific(key, &value);
  held.lock();
  check("primitives", [] {
    assert(pthread_getspecific(key) == &value && !held.try_lock());
    sem_wait(&tokens);
    std::thread other([] { sem_post(&tokens); pthread_barrier_wait(&both); });
    pthread_barrier_wait(&both);
    sem_wait(&tokens);
    other.join();
    held.unlock();
  });
  std::signal(SIGUSR1, [](int) { ++value; });
  check("handlers", [] { std::raise(SIGUSR1); assert(value == 1); });
  check("returns", [] { exits = true; });
  check("exits", [] { exits = true; std::exit(0); });
  try { check("leaves", [] { throw 1; }); } catch (int) {}
  check("ends", [] {
    struct Last { ~Last() { early = 7; } } last;
    std::thread([] { ++early; }).detach();
    pthread_exit(nullptr);
  });
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::thread worker([&] { ++early; std::unique_lock lock(mutex); changed.wait(lock, [&] { return done; }); });
  check("early thread", [] { assert(early == 1); });
  check("waits", [] {});
  { std::lock_guard lock(mutex); done = true; }
  changed.notify_all();
  worker.join();
  check("inside", [] { check("deeper", [] {}); });
  std::thread([] { check("other thread", [] {}); }).join();
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


    def test_a_true_race_fails(self):
        # Debian's library has atomic operations of its own: they order nothing here.
        self.build(GTEST, "-lgtest", "-lgtest_main", "-DCOLLIDE")
        output = self.run_tests(expect=1)
        self.assertIn("FINDING", output)
        self.assertNotIn("may only look like one", output)
        self.assertIn("[  FAILED  ] Collision.Checked", output)
        self.assertIn("[       OK ] Meeting.Checked", output)

    def test_expectations_in_between_order_nothing(self):
        self.build(GTEST + """
            MAZURKA_TEST(Expecting, Checked) {
              std::string hits;
              std::thread other([&] {
                EXPECT_EQ(std::string("none"), "none") << "at first";
                hits = "hit";
                EXPECT_TRUE(true) << hits;
              });
              SCOPED_TRACE("main");
              EXPECT_EQ(std::string("none"), "none");
              hits = "miss";
              other.join();
            }""", "-lgtest", "-lgtest_main")
        output = self.run_tests(expect=1)
        self.assertIn("FINDING", output)
        self.assertNotIn("may only look like one", output)


class ExistingSuite(FrameworkTest):
    """Thirty tests that know nothing of the checker: another main is linked, and that is all."""

    def build_suite(self, *flags, main="-lmazurka_gtest_main"):
        suite = SOURCE / "tests/suites/workshop_tests.cpp"
        result = self.run_command([CXX, "-std=c++20", suite, "-o", "tests", "-lgtest", main, *flags])
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_every_test_is_checked(self):
        self.build_suite()
        output = self.run_tests()
        self.assertIn("[  PASSED  ] 30 tests.", output)
        output = self.run_tests("--gtest_filter=QueueTest.TwoProducers:Some/*/0", expect=1, **CUT)
        self.assertIn("INCONCLUSIVE  test QueueTest.TwoProducers", output)

    def test_a_planted_race(self):
        self.build_suite("-DPLANTED")
        output = self.run_tests(expect=1)
        self.assertIn("FINDING  test Account.MayBeLookedAtMeanwhile", output)
        self.assertIn("[  FAILED  ] Account.MayBeLookedAtMeanwhile", output)
        self.assertIn("Data race", output)
        self.assertIn(" 1 FAILED TEST\n", output)
        command = next(line for line in output.splitlines() if "replay: " in line)
        replayed = self.run_command(command.split("replay: ")[1].split())
        self.assertEqual(replayed.returncode, 1, replayed.stdout + replayed.stderr)

    def test_without_our_main_it_runs_as_ever(self):
        self.build_suite("-DPLANTED", main="-lgtest_main")
        self.assertIn("[  PASSED  ] 30 tests.", self.run_tests())

    def test_an_expectation_that_fails_in_one_execution(self):
        self.write("tests.cpp", """
            #include <gtest/gtest.h>
            #include <atomic>
            #include <thread>
            struct Fixture : testing::Test {
              void SetUp() override { other = std::thread([this] { first.exchange(1); }); }
              void TearDown() override { other.join(); EXPECT_EQ(first, 2) << "at the end"; }
              std::atomic<int> first{0};
              std::thread other;
            };
            TEST_F(Fixture, IsAPartOfTheTest) { first.exchange(2); }
            """)
        result = self.run_command([CXX, "tests.cpp", "-o", "tests", "-lgtest", "-lmazurka_gtest_main"])
        self.assertEqual(result.returncode, 0, result.stderr)
        output = self.run_tests(expect=1)
        self.assertIn("expectation fails", output)
        self.assertIn("at the end", output)

    def test_a_main_of_its_own(self):
        self.write("tests.cpp", """
            #include <mazurka/gtest.hpp>
            #include <thread>
            TEST(Own, Main) {
              int hits = 0;
              std::thread other([&] { ++hits; });
              ++hits;
              other.join();
            }
            MAZURKA_TEST(Own, Checked) {}
            int main(int count, char** words) {
              testing::InitGoogleTest(&count, words);
              return mazurka::gtest::run_all_tests();
            }""")
        result = self.run_command([CXX, "tests.cpp", "-o", "tests", "-lgtest"])
        self.assertEqual(result.returncode, 0, result.stderr)
        output = self.run_tests(expect=1)
        self.assertIn("[  FAILED  ] Own.Main", output)
        self.assertIn("[       OK ] Own.Checked", output)


class Catch2(FrameworkTest):
    def test_what_decides_nothing_fails(self):
        self.build(CATCH2)
        self.run_tests()
        output = self.run_tests(expect=2, **CUT)
        self.assertIn("INCONCLUSIVE", output)
        output = self.run_tests(MAZURKA_INCONCLUSIVE="skip", **CUT)
        self.assertIn("2 inconclusive checks were skipped", output.splitlines()[-1])


    def test_a_true_race_fails(self):
        self.build(CATCH2)
        output = self.run_tests("[collision]", expect=1)
        self.assertIn("FINDING", output)
        self.assertNotIn("may only look like one", output)


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

    def test_the_way_to_the_call_is_checked_with_it(self):
        self.write("tests.cpp", WAY)
        result = self.run_command([CXX, "-std=c++20", "tests.cpp", "-o", "tests"])
        self.assertEqual(result.returncode, 0, result.stderr)
        for call, expect in {
            "primitives": "VERIFIED  primitives: 2 executions",
            "handlers": "VERIFIED  handlers: 1 execution",
            "returns": "VERIFIED  returns: 1 execution",
            "exits": "Assertion `!exits` fails",
            "leaves": "Uncaught exception: exception of type int is not caught",
            "ends": "VERIFIED  ends: 2 executions",
            "early thread": "Assertion `early == 1` fails",
            "waits": "VERIFIED  waits: 1 execution",
            "inside": "mazurka::check inside a function that is being checked is not supported",
            "other thread": "VERIFIED  other thread: 2 executions",
            "nobody": "the program ended without a call of mazurka::check that is named `nobody`",
        }.items():
            with self.subTest(call):
                done = self.run_command([MAZURKA, "check", "--function", call, "--liveness", "tests"])
                self.assertIn(expect, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
