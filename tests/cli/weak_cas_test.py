#!/usr/bin/env python3
"""--weak-cas: weak compare-exchanges that fail though they find what they expect."""

import json
import unittest

from calling import ERROR, FINDING, MAZURKA, VERIFIED, InFolder

# Wrong only if the exchange fails without a reason: then nobody has set the flag.
NO_LOOP = r"""
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> flag;
void one_of_us() { int expected = 0; flag.compare_exchange_EXCHANGE(expected, 1); }
int main() {
  std::thread one(one_of_us), other(one_of_us);
  one.join();
  other.join();
  assert(flag == 1);
}
"""
WEAK, STRONG = NO_LOOP.replace("EXCHANGE", "weak"), NO_LOOP.replace("EXCHANGE", "strong")

LOOP = r"""
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<TYPE> count;
void add() {
  TYPE seen = count.load(std::memory_order_relaxed);
  while (!count.compare_exchange_weak(seen, static_cast<TYPE>(seen + 1), std::memory_order_relaxed)) {}
}
int main() {
  std::thread one(add), other(add);
  one.join();
  other.join();
  assert(count == 2);
}
"""

ALONE = r"""
#include <assert.h>
#include <stdatomic.h>
int main(void) {
  atomic_int x = 0;
  int expected = 0;
  assert(atomic_compare_exchange_weak(&x, &expected, 1));
}
"""

# What a weak one that fails has read is acquired with the order for failures.
ORDERS = r"""
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> ready;
int data;
int main() {
  std::thread one([] { data = 1; ready.store(1, std::memory_order_release); });
  int expected = 1;
  if (!ready.compare_exchange_weak(expected, 2, std::memory_order_acquire, std::memory_order_FAILURE) &&
      expected == 1) {
    assert(data == 1);
  }
  one.join();
}
"""


class WeakExchanges(InFolder):
    def setUp(self):
        super().setUp()
        self.compiled = []  # each program once

    def report(self, program, *words, expect):
        if program not in self.compiled:
            self.compiled.append(program)
            self.write("program.cpp", program)
            result = self.run_command([MAZURKA.parent / "mazurka-c++", "-g", "-std=c++17", "program.cpp", "-o",
                                       f"program{self.compiled.index(program)}"])
            self.assertEqual(result.returncode, 0, result.stderr)
        self.mazurka("check", f"./program{self.compiled.index(program)}", "--json", "out.json", *words, expect=expect)
        return json.loads((self.folder / "out.json").read_text())

    def test_they_fail_only_if_that_is_wanted(self):
        self.report(WEAK, expect=VERIFIED)
        report = self.report(WEAK, "--weak-cas", "1", expect=FINDING)
        actions = [row["action"] for row in report["findings"][0]["story"]["rows"]]
        self.assertIn("flag is 0, and the exchange fails without a reason", actions)

    def test_strong_ones_never_do(self):
        self.report(STRONG, "--weak-cas", "1", expect=VERIFIED)

    def test_each_may_fail_once_whoever_comes_first(self):
        # In either order: the first succeeds; or it fails, and the second succeeds or fails.
        for technique in ("dpor", "source", "optimal"):
            report = self.report(WEAK, "--weak-cas", "1", "--keep-going", "--technique", technique, expect=FINDING)
            self.assertEqual(report["executions"], 6)

    def test_loops_end(self):
        executions = []
        for failures in ("0", "1", "2"):
            report = self.report(LOOP.replace("TYPE", "int"), "--weak-cas", failures, expect=VERIFIED)
            executions.append(report["executions"])
        self.assertEqual(sorted(set(executions)), executions)

    def test_each_size_and_model(self):
        for kind in ("char", "short", "int", "long", "__int128"):
            for model in ("sc", "tso", "rc11", "ra"):
                with self.subTest(kind=kind, model=model):
                    report = self.report(LOOP.replace("TYPE", kind), "--weak-cas", "1", "--memory", model,
                                         expect=VERIFIED)
                    self.assertEqual(report["executions"], 32)

    def test_techniques_agree(self):
        for technique in ("exhaustive", "sleep", "dpor", "source", "optimal", "optimal-context"):
            with self.subTest(technique=technique):
                self.report(WEAK, "--weak-cas", "1", "--technique", technique, expect=FINDING)
                self.report(LOOP.replace("TYPE", "int"), "--weak-cas", "1", "--technique", technique, expect=VERIFIED)
        for technique in ("random", "pct"):
            self.report(WEAK, "--weak-cas", "1", "--technique", technique, "--max-executions", "1000", expect=FINDING)

    def test_whoever_is_alone_may_fail_as_well(self):
        self.write("alone.c", ALONE)
        self.mazurka("check", "alone.c", expect=VERIFIED)
        self.mazurka("check", "alone.c", "--weak-cas", "1", expect=FINDING)

    def test_the_order_of_failures_counts(self):
        self.report(ORDERS.replace("FAILURE", "acquire"), "--weak-cas", "1", expect=VERIFIED)
        self.report(ORDERS.replace("FAILURE", "relaxed"), "--weak-cas", "1", expect=FINDING)
        self.report(ORDERS.replace("FAILURE", "relaxed"), expect=VERIFIED)

    def test_a_finding_is_replayed(self):
        report = self.report(WEAK, "--weak-cas", "1", expect=FINDING)
        result = self.mazurka("replay", report["findings"][0]["replay"].split()[-1], expect=FINDING)
        self.assertIn("fails without a reason", result.stdout)

    def test_what_clang_does_not_tell_apart_is_refused(self):
        self.write("program.cpp", WEAK)
        self.mazurka("check", "program.cpp", "--compiler", "clang", expect=VERIFIED)
        result = self.mazurka("check", "program.cpp", "--compiler", "clang", "--weak-cas", "1", expect=ERROR)
        self.assertIn("--weak-cas", result.stderr)
        self.assertIn("clang", result.stderr)


if __name__ == "__main__":
    unittest.main()
