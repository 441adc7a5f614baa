"""Limits that hold, signals, broken pipes; and what is said of a search that is too large."""

import json
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

from calling import (FINDING, INCONCLUSIVE, MAZURKA, PATIENCE, VERIFIED, InFolder,
                     command_lines)
from programs import COUNTER, ENDLESS_LOOP, ENDLESS_SEARCH, LARGE, RACERS, RAW_CALL

# What must end "within a second of --max-time" gets this much more of a busy machine. Without the
# limit each of these programs would take a minute.
GENEROUS = 9 * PATIENCE
# What is tried for a moment may come to nothing in it while the machine is busy with other things.
TIMES = 4

EXIT_HANDLER = """
#include <pthread.h>
#include <stdlib.h>
static void forever(void) {
  for (volatile unsigned i = 0;; ++i) {
  }
}
static void *work(void *argument) { atexit(forever); return argument; }
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
"""

# Nothing of the process is left that could answer.
DISASTER = RAW_CALL + """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *work(void *argument) {
  atomic_store(&x, 1);
  raw_call(SYS_munmap, 0x10000, 0x7fffffff0000l - 0x10000);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
"""

# Nobody reads what is written: one trace counts where only observed writes do.
WRITERS = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *work(void *argument) {
  for (int i = 0; i < 4; ++i)
    atomic_store(&x, i);
  return argument;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], NULL);
  return 0;
}
"""

COUNTED_SPIN = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready, gave_up, x;
static void *wait_a_while(void *argument) {
  for (int i = 0; i < 20; ++i)
    if (atomic_load(&ready)) return argument;
  atomic_fetch_add(&gave_up, 1);
  return argument;
}
static void *set(void *argument) {
  for (int i = 0; i < 6; ++i)
    if (atomic_fetch_add(&x, 1) < 0) break;
  atomic_store(&ready, 1);
  return argument;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, i < 2 ? wait_a_while : set, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  return 0;
}
"""
SPIN_LINE = 1 + COUNTED_SPIN.split("atomic_load")[0].count("\n")


# Whoever starts the threads allocates, but that is nothing that can be exchanged.
MANY_OBJECTS = """
#include <atomic>
#include <thread>
#include <vector>
std::atomic<int> x{0};
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (int k = 0; k < 3; ++k) {
        x.store(k, std::memory_order_relaxed);
        (void)x.load(std::memory_order_relaxed);
      }
    });
  for (auto& one : threads) one.join();
}
"""


class Folder(InFolder):
    def build(self, name, text):
        self.write(f"{name}.c", text)
        done = self.run_command([MAZURKA.parent / "mazurka-cc", "-g", f"{name}.c", "-o", name])
        self.assertEqual(done.returncode, 0, done.stderr)
        return f"./{name}"

    def report(self):
        return json.loads((self.folder / "out.json").read_text())

    def start(self, *arguments, **how):
        return subprocess.Popen(
            [str(MAZURKA), *map(str, arguments)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **how},
        )

    a_minute = f"61.{os.getpid()}"  # other tests have sleepers of their own

    def slow_compiler(self):
        """One that would take a minute, in a process of its own."""
        self.write("slow", f"#!/bin/sh\nsleep {self.a_minute} & wait\n")
        (self.folder / "slow").chmod(0o755)
        self.environment["MAZURKA_CC"] = str(self.folder / "slow")

    def sleepers(self):
        return [line for line in command_lines().values() if self.a_minute in line]

    def assert_nothing_sleeps(self):
        self.assertEqual(self.sleepers(), [], "the compiler was left behind")


class Limits(Folder):
    def assert_ends(self, *arguments, saying="--max-time is over"):
        begun = time.monotonic()
        done = self.mazurka("check", *arguments, "--json", "out.json", expect=INCONCLUSIVE)
        passed = time.monotonic() - begun
        self.assertLess(passed, 1 + GENEROUS, done.stdout)
        self.assertIn(saying, done.stdout)
        self.assertEqual(self.report()["verdict"], "inconclusive")
        return done

    def test_a_process_that_computes(self):
        program = self.build("loop", ENDLESS_LOOP)
        self.assert_ends(program, "--max-time", "1s", "--max-stall", "60s")
        self.assert_ends(program, "--max-time", "1s", "--max-stall", "0")

    def test_exit_handlers(self):
        program = self.build("handler", EXIT_HANDLER)
        self.assert_ends(program, "--max-time", "1s", "--max-stall", "60s")

    def test_a_process_that_can_not_answer(self):
        program = self.build("disaster", DISASTER)
        begun = time.monotonic()
        done = self.mazurka("check", program, "--max-time", "1s")
        self.assertLess(time.monotonic() - begun, 1 + GENEROUS, done.stdout)
        # It has no memory left to die in, or dies of that: a crash, if somebody lives to tell.
        self.assertIn(done.returncode, (FINDING, INCONCLUSIVE))

    def test_one_long_execution(self):
        program = self.build("search", ENDLESS_SEARCH.replace("i < 50", "i >= 0"))
        self.assert_ends(program, "--max-time", "1s", "--max-events", 10**9)

    def test_compiling_does_not_count(self):
        self.write("slow", f"#!/bin/sh\nsleep 3\nexec gcc \"$@\"\n")
        (self.folder / "slow").chmod(0o755)
        self.environment["MAZURKA_CC"] = str(self.folder / "slow")
        self.write("counter.c", COUNTER)
        self.mazurka("check", "counter.c", "--max-time", "2s", expect=VERIFIED)

    def test_processors_compute_while_time_passes(self):
        self.write("racers.c", RACERS)
        busy = self.mazurka("check", "racers.c", "-DPROCESSES=5", "-DSTEPS=3", "--technique", "reverse", "--jobs", "2", "--max-time", "4s", "--json", "out.json",
                            expect=INCONCLUSIVE)
        report = self.report()
        self.assertGreater(report["processor_seconds"], 0.5)
        if abs(report["processor_seconds"] - report["seconds"]) > 0.11 * report["seconds"]:
            self.assertRegex(busy.stdout, r"processors \d+\.\d\d s in \d+\.\d\d s\)")

    def test_a_resumed_search_has_lost_nothing(self):
        self.write("racers.c", RACERS)
        racers = ["racers.c", "-DPROCESSES=4", "-DSTEPS=2"]
        self.mazurka("check", *racers, "--json", "out.json", expect=VERIFIED)
        whole = self.report()["statistics"]
        for _ in range(3):
            self.mazurka("check", *racers, "--max-executions", 900, expect=INCONCLUSIVE)
            saved = next((self.folder / ".mazurka").glob("*.exploration"))
            self.mazurka("check", "--resume", saved, "--json", "out.json", expect=VERIFIED)
            for key in ("executions", "digest"):
                self.assertEqual(self.report()["statistics"][key], whole[key])


class Signals(Folder):
    REPORTS = ("--json", "out.json", "--junit", "out.xml", "--sarif", "out.sarif")

    def test_what_was_seen_is_reported(self):
        program = self.build("search", ENDLESS_SEARCH)
        for number in (signal.SIGTERM, signal.SIGHUP):
            process = self.start("check", program, *self.REPORTS)
            self.wait_for_worker(process, "search")
            process.send_signal(number)
            stdout, stderr = process.communicate(timeout=30 * PATIENCE)
            self.assertEqual(process.returncode, INCONCLUSIVE, stderr)
            self.assertIn(f"interrupted by {number.name}", stdout)
            self.assertGreater(self.report()["executions"], 0)
            self.assertIn("resume", stdout)
            for name in ("out.json", "out.xml", "out.sarif"):
                self.assertTrue((self.folder / name).exists(), name)
                (self.folder / name).unlink()

    def test_a_process_that_computes(self):
        program = self.build("loop", ENDLESS_LOOP)
        process = self.start("check", program, "--max-stall", "100s")
        self.wait_for_worker(process, "loop")
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate(timeout=60 * PATIENCE)
        self.assertEqual(process.returncode, INCONCLUSIVE)
        self.assertIn("interrupted by the user", stdout)
        self.assertNotIn("had to be killed", stdout)
        self.assertLess(time.monotonic() - begun, GENEROUS)

    def test_without_a_terminal(self):
        program = self.build("search", ENDLESS_SEARCH)
        process = self.start(
            "check", program, "--max-time", "2s",
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
        )
        self.wait_for_worker(process, "search")
        process.send_signal(signal.SIGHUP)
        stdout, _ = process.communicate(timeout=30 * PATIENCE)
        self.assertIn("--max-time is over", stdout)

    def test_while_it_compiles(self):
        self.slow_compiler()
        self.write("counter.c", COUNTER)
        process = self.start("check", "counter.c", *self.REPORTS)
        self.wait_for(self.sleepers, "the compiler runs")
        process.send_signal(signal.SIGTERM)
        stdout, stderr = process.communicate(timeout=30 * PATIENCE)
        self.assertEqual(process.returncode, INCONCLUSIVE, stderr)
        self.assertIn("interrupted by SIGTERM before the program was compiled", stdout)
        self.assertEqual(self.report()["verdict"], "inconclusive")
        self.assertTrue((self.folder / "out.sarif").exists())
        self.assert_nothing_sleeps()


class Pipes(Folder):
    def into_nothing(self, *arguments):
        """Nobody reads what it prints."""
        reading, writing = os.pipe()
        os.close(reading)
        process = self.start(*arguments, stdout=writing)
        os.close(writing)
        _, stderr = process.communicate(timeout=60 * PATIENCE)
        return process.returncode, stderr

    def test_a_reader_that_has_seen_enough(self):
        self.write("counter.c", COUNTER)
        said = self.into_nothing("check", "counter.c", "-DRACE", "--json", "out.json")
        self.assertEqual(said, (FINDING, ""))
        finding = self.report()["findings"][0]
        self.assertEqual(self.into_nothing("check", "counter.c"), (VERIFIED, ""))
        self.assertEqual(self.into_nothing("--help"), (0, ""))
        schedule = finding["replay"].split()[-1]
        code, said = self.into_nothing("replay", schedule)
        self.assertEqual(code, FINDING)
        self.assertRegex(said, r"\Amazurka: note: [^\n]* runs [^\n]*\n\Z")


class TooLarge(Folder):
    def check(self, *arguments, expect=INCONCLUSIVE):
        done = self.mazurka("check", *arguments, "--json", "out.json", expect=expect)
        return done.stdout, self.report()["too_large"]

    def test_what_makes_it_large(self):
        self.write("racers.c", RACERS)
        text, advice = self.check(
            "racers.c", "-DPROCESSES=4", "-DSTEPS=3", "--max-executions", 60000
        )
        line = 1 + RACERS.split("atomic_fetch_add")[0].count("\n")
        top = advice["lines"][0]
        self.assertEqual(top["place"], f"racers.c:{line}")
        self.assertEqual((top["processes"], top["rounds"], top["tries"]), (4, 3, 0))
        self.assertGreater(top["branching"], 0.5)
        self.assertIn(f"fewer rounds at racers.c:{line}", text)
        self.assertIn("fewer threads: 4 of them", text)
        # 12! / 3!^4 traces.
        self.assertLess(abs(advice["executions"] / 369600 - 1), 0.5)
        self.assertIn("executions in all", text)

    def test_shares_add_up(self):
        """Allocations and plain accesses are no events of an execution."""
        self.write("many.cpp", MANY_OBJECTS)
        text, advice = self.check("many.cpp", "--max-executions", 2000)
        self.assertGreater(len(advice["lines"]), 0)
        for share in ("events", "branching"):
            self.assertLessEqual(sum(line[share] for line in advice["lines"]), 1.001, advice["lines"])
        self.assertGreater(sum(line["events"] for line in advice["lines"]), 0.9)
        self.assertIn("Too large?", text)

    def test_techniques_whose_size_is_not_estimated_have_advice_as_well(self):
        self.write("racers.c", RACERS)
        line = 1 + RACERS.split("atomic_fetch_add")[0].count("\n")
        for options in (["--technique", "graphs"], ["--technique", "reverse"], ["--technique", "reverse", "--jobs", "2"]):
            with self.subTest(options=options):
                text, advice = self.check("racers.c", "-DPROCESSES=5", "-DSTEPS=3", *options, "--max-executions", 3000)
                self.assertEqual(advice["lines"][0]["place"], f"racers.c:{line}")
                self.assertIn("Too large?", text)

    def test_what_helps_is_tried(self):
        self.write("writers.c", WRITERS)
        for _ in range(TIMES):
            text, advice = self.check("writers.c", "--max-executions", 1000)
            if len(advice["trials"]) > 2 and advice["trials"][0]["complete"]:
                break
        best = advice["trials"][0]
        self.assertTrue(best["complete"] and not best["partial"], advice)
        self.assertIn("observers", best["options"])
        self.assertIn(f"{best['options']}: complete in", text)
        self.assertGreater(len(advice["trials"]), 2)
        # And it holds what was said.
        self.mazurka("check", "writers.c", *best["options"].split(), expect=VERIFIED)

    def test_what_is_found_that_way(self):
        self.write("large.c", LARGE)
        for _ in range(TIMES):
            done = self.mazurka("check", "large.c", "--max-executions", 50, "--json", "out.json")
            if done.returncode == FINDING:
                break
        self.assertEqual(done.returncode, FINDING, done.stdout)
        self.assertIn("it was found by trying --", " ".join(done.stdout.split()))
        finding = self.report()["findings"][0]
        again = self.run_command(finding["replay"].split())
        self.assertEqual(again.returncode, FINDING, again.stdout + again.stderr)

    def test_a_loop_that_counts_its_tries(self):
        self.write("spin.c", COUNTED_SPIN)
        text, advice = self.check("spin.c", "--max-executions", 100)
        tries = {line["place"]: line["tries"] for line in advice["lines"] if line["tries"] > 0}
        self.assertEqual(list(tries), [f"spin.c:{SPIN_LINE}"], advice)
        self.assertGreater(tries[f"spin.c:{SPIN_LINE}"], 3)
        self.assertIn(f"let the loop at spin.c:{SPIN_LINE} try once or twice", " ".join(text.split()))

    def test_not_for_who_interrupts(self):
        program = self.build("search", ENDLESS_SEARCH)
        process = self.start("check", program, "--json", "out.json")
        self.wait_for_worker(process, "search")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30 * PATIENCE)
        advice = self.report()["too_large"]
        self.assertEqual(advice["trials"], [])
        self.assertGreater(len(advice["lines"]), 0)
        self.assertGreater(advice["executions_at_least"], 1e100)

    def test_only_where_a_limit_cut_the_search(self):
        self.write("counter.c", COUNTER)
        self.assertIsNone(self.check("counter.c", expect=VERIFIED)[1])
        self.assertIsNone(self.check("counter.c", "-DRACE", expect=FINDING)[1])


class Estimates(Folder):
    def progress(self, *arguments, expect):
        done = self.mazurka("check", *arguments, "--progress", "always", expect=expect)
        return done.stderr

    def test_nobody_is_told_that_a_hopeless_search_is_nearly_done(self):
        program = self.build("search", ENDLESS_SEARCH)
        lines = self.progress(program, "--max-time", "5s", expect=INCONCLUSIVE)
        self.assertIn("executions", lines)
        self.assertNotIn("left", lines.replace("years left", ""))
        for line in lines.splitlines():
            if "% done" in line:
                self.assertIn("about 0.00% done", line)
        # Which of the two depends on how many probes there was time for.
        self.assertTrue("of more than" in lines or "about 0.00% done" in lines, lines)

    def test_half_of_a_search_is_about_half(self):
        self.write("racers.c", RACERS)
        racers = ["racers.c", "-DPROCESSES=3", "-DSTEPS=5"]  # 756,756 executions
        self.mazurka("check", *racers, "--max-executions", 378378, "--json", "out.json")
        explored = self.report()["statistics"]["explored"]
        self.assertTrue(0.3 < explored < 0.7, explored)


if __name__ == "__main__":
    unittest.main()
