#!/usr/bin/env python3
"""--repair as a user meets it: what it says, where it does not help, what ends it.

That it finds the weakest orders is the business of tests/memory/repair.py.
"""

import json
import signal
import subprocess
import unittest

from calling import ERROR, FINDING, MAZURKA, InFolder
from memory_test import STORE_BUFFER, STRONG

MESSAGE = r"""
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> data, flag;
void send() { data.store(1, std::memory_order_relaxed); flag.store(1, std::memory_order_relaxed); }
int main() {
  std::thread sender(send);
  if (flag.load(std::memory_order_relaxed) == 1) assert(data.load(std::memory_order_relaxed) == 1);
  sender.join();
}
"""

# Wrong in every memory.
LOST_UPDATE = r"""
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> count;
void add() { count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
int main() {
  std::thread one(add), other(add);
  one.join();
  other.join();
  assert(count == 2);
}
"""

# The second assertion does not depend on orders, and comes to light once the first holds.
TWO_FAULTS = MESSAGE.replace("  sender.join();", "  sender.join();\n  assert(flag.load() == 2);")

# Store buffering among others who have much to do.
LONG = r"""
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>
std::atomic<int> x, y, busy[3];
int a, b;
int main() {
  std::vector<std::thread> all;
  for (int i = 0; i < 3; ++i) {
    all.emplace_back([] { for (auto& one : busy) { one.fetch_add(1); one.fetch_add(1); } });
  }
  std::thread left([] { x.store(1, std::memory_order_relaxed); a = y.load(std::memory_order_relaxed); });
  std::thread right([] { y.store(1, std::memory_order_relaxed); b = x.load(std::memory_order_relaxed); });
  left.join();
  right.join();
  for (auto& one : all) one.join();
  assert(a || b);
}
"""


class Repairs(InFolder):
    def repaired(self, *words, expect=FINDING):
        self.mazurka("check", *words, "--repair", "--json", "out.json", expect=expect)
        return json.loads((self.folder / "out.json").read_text())["repair"]

    def changes(self, *words):
        repair = self.repaired(*words)
        self.assertEqual((repair["result"], repair["minimal"]), ("verified", True), repair)
        return [(one["place"], one["operation"], one["from"], one["to"]) for one in repair["changes"]]

    def test_it_is_told_line_by_line(self):
        self.write("message.cpp", MESSAGE)
        out = " ".join(self.mazurka("check", "message.cpp", "--repair", expect=FINDING).stdout.split())
        self.assertRegex(out, r"Repair: with these orders the program is VERIFIED \(\d+ candidates checked, ")
        self.assertIn("none of them can be weaker or be left out", out)
        self.assertRegex(out, r"message.cpp:6: store in column \d+ relaxed -> release +void send")
        self.assertRegex(out, r"message.cpp:9: load in column \d+ relaxed -> acquire")

    def test_operations_of_one_line_are_told_apart(self):
        self.write("message.cpp", MESSAGE)
        repair = self.repaired("message.cpp", "-O0")
        line = MESSAGE.splitlines()[5]
        columns = {one["place"]: one["column"] - 1 for one in repair["changes"]}
        self.assertEqual(len(repair["changes"]), 2)
        self.assertGreater(columns["message.cpp:6"], line.index("data.store("))
        self.assertGreaterEqual(columns["message.cpp:6"], line.index("flag.store("))

    def test_lambdas_have_places_as_well(self):
        self.write("lambda.cpp", MESSAGE.replace("sender(send)", "sender([] { send(); })")
                   .replace("void send()", "inline __attribute__((always_inline)) void send()"))
        for level in ("-O0", "-O2"):
            with self.subTest(level=level):
                self.assertEqual([change[0] for change in self.changes("lambda.cpp", level)],
                                 ["lambda.cpp:6", "lambda.cpp:9"])

    def test_store_buffering_needs_the_strongest_everywhere(self):
        self.write("sb.c", STORE_BUFFER)
        for model in ("rc11", "tso"):
            with self.subTest(model=model):
                found = self.changes("sb.c", "--memory", model)
                self.assertEqual({(what, to) for _, what, _, to in found},
                                 {("store", "seq_cst"), ("load", "seq_cst")} if model == "rc11"
                                 else {("store", "seq_cst")})
                self.assertEqual(len(found), 4 if model == "rc11" else 2)

    def test_only_what_is_missing(self):
        self.write("sb.c", STORE_BUFFER)
        found = self.changes("sb.c", "-DWRITES=memory_order_seq_cst", "-DREADS=memory_order_acquire")
        self.assertEqual({change[1:] for change in found}, {("load", "acquire", "seq_cst")})

    def test_races_on_plain_variables_count_as_well(self):
        self.write("race.cpp", MESSAGE.replace("std::atomic<int> data, flag;", "int data; std::atomic<int> flag;")
                   .replace("data.store(1, std::memory_order_relaxed)", "data = 1")
                   .replace("data.load(std::memory_order_relaxed)", "data"))
        self.assertEqual([change[1:] for change in self.changes("race.cpp")],
                         [("store", "relaxed", "release"), ("load", "relaxed", "acquire")])
        repair = self.repaired("race.cpp", "--memory", "sc")
        self.assertEqual(repair["result"], "verified under sequential consistency")
        self.assertEqual(len(repair["changes"]), 2)

    def test_what_is_wrong_in_every_memory_is_said(self):
        self.write("lost.cpp", LOST_UPDATE)
        repair = self.repaired("lost.cpp")
        self.assertEqual((repair["result"], repair["changes"], repair["candidates"]), ("none", [], 1))
        self.assertIn("it happens with every order seq_cst, too", repair["in_words"])

    def test_another_fault_behind_it_is_named(self):
        self.write("two.cpp", TWO_FAULTS)
        repair = self.repaired("two.cpp", "--technique", "optimal", "--seed", "0")
        self.assertEqual(repair["result"], "none")
        self.assertIn("seq_cst", repair["in_words"])

    def test_a_bound_bounds_the_result(self):
        self.write("message.cpp", MESSAGE)
        repair = self.repaired("message.cpp", "--preemptions", "1")
        self.assertIn(repair["result"], ("bounded", "verified"))
        if repair["result"] == "bounded":
            self.assertIn("no finding within the bound", repair["in_words"])

    def test_without_a_finding_there_is_nothing_to_repair(self):
        self.write("sb.c", STORE_BUFFER)
        self.mazurka("check", "sb.c", *STRONG, "--repair", "--json", "out.json", expect=0)
        self.assertIsNone(json.loads((self.folder / "out.json").read_text())["repair"])

    def test_what_makes_no_sense_is_refused(self):
        self.write("sb.c", STORE_BUFFER)
        for words, reason in ((["--memory", "ra"], "the same order"), (["--technique", "random"], "sample"),
                              (["--racy"], "no meaning"), (["--compare", "optimal,source"], "--compare")):
            with self.subTest(words=words):
                result = self.mazurka("check", "sb.c", "--repair", *words, expect=ERROR)
                self.assertIn("--repair: ", result.stderr)
                self.assertIn(reason, result.stderr)


class Ends(InFolder):
    def report(self):
        return json.loads((self.folder / "out.json").read_text())

    def test_time_ends_it_and_the_finding_stays(self):
        self.write("long.cpp", LONG)
        # Compiling it counts, and may take the time alone on a machine that has other things to do.
        built = self.run_command([MAZURKA.parent / "mazurka-c++", "-std=c++20", "-g", "long.cpp", "-o", "long"])
        self.assertEqual(built.returncode, 0, built.stderr)
        self.mazurka("check", "long", "--repair", "--max-time", "4s", "--json", "out.json", expect=FINDING)
        report = self.report()
        self.assertEqual(report["verdict"], "finding")
        self.assertEqual((report["repair"]["result"], report["repair"]["minimal"]), ("unknown", False))
        self.assertIn("--max-time is over", report["repair"]["in_words"])

    def test_so_does_the_user(self):
        self.write("long.cpp", LONG)
        command = [str(MAZURKA), "check", "long.cpp", "--repair", "--json", "out.json", "--progress", "json"]
        with subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            for line in process.stderr:
                if '"stage":"repair, candidate' in line:
                    process.send_signal(signal.SIGINT)
                    break
            process.stderr.read()
            self.assertEqual(process.wait(timeout=60), FINDING)
        repair = self.report()["repair"]
        self.assertEqual(repair["result"], "unknown")
        self.assertIn("interrupted by the user", repair["in_words"])


if __name__ == "__main__":
    unittest.main()
