"""Searches by several processes at once: the same as by one, whatever happens to the processes."""

import json
import os
import random
import signal
import subprocess
import time
import unittest
from pathlib import Path

from calling import ERROR, FINDING, INCONCLUSIVE, MAZURKA, PATIENCE, SOURCE, VERIFIED, InFolder
from programs import HUNGRY, LEARNED, RACERS

FAILING = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *work(void *argument) {
  for (int i = 0; i < 3; ++i) atomic_fetch_add(&x, 1);
  return argument;
}
static void *look(void *argument) {
  assert(atomic_load(&x) != 4);
  assert(atomic_load(&x) != 5);
  return argument;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, i == 2 ? look : work, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  return 0;
}
"""

# The same in every execution of one process, and not in another process.
OF_ITS_PROCESS = """
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
atomic_int x;
static int digit;
static void *work(void *argument) {
  for (int i = 0; i < digit; ++i)
    if (atomic_load(&x) < 0) break;
  for (int i = 0; i < 3; ++i)
    if (atomic_fetch_add(&x, 1) < 0) break;
  return argument;
}
int main(void) {
  char number[32] = "";
  long length = readlink("/proc/self", number, sizeof number - 1);
  if (length > 0) digit = number[length - 1] - '0';
  pthread_t t[4];
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], NULL);
  return 0;
}
"""


def explorers_of(process, name):
    """The processes that explore, whichever thread has started them."""
    found = []
    for task in Path(f"/proc/{process.pid}/task").glob("*/children"):
        try:
            for child in task.read_text().split():
                if name in os.readlink(f"/proc/{child}/exe"):
                    found.append(int(child))
        except OSError:
            pass  # it has ended
    return found


class Folder(InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "tmp").mkdir()
        self.environment["TMPDIR"] = str(self.folder / "tmp")
        self.report = self.folder / "report.json"

    def words(self, *arguments):
        words = ["check", "--technique", "reverse", "--progress", "never", "--json", self.report]
        return [str(word) for word in [*words, *arguments]]

    def check(self, *arguments, expect=None):
        self.report.unlink(missing_ok=True)
        self.mazurka(*self.words(*arguments), expect=expect)
        return json.loads(self.report.read_text())

    def racers(self, processes, steps):
        self.write("racers.c", RACERS)
        return ["racers.c", f"-DPROCESSES={processes}", f"-DSTEPS={steps}"]

    def counts(self, report):
        statistics = report["statistics"]
        findings = sorted((one["kind"], one["message"]) for one in report["findings"])
        return (report["verdict"], report["executions"], statistics["digest"], findings)

    def start(self, *arguments):
        self.report.unlink(missing_ok=True)
        return subprocess.Popen(
            [MAZURKA, *self.words(*arguments)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def binary(self, processes, steps):
        self.write("racers.c", RACERS)
        self.run_command(
            [MAZURKA.parent / "mazurka-cc", "-O1", f"-DPROCESSES={processes}", f"-DSTEPS={steps}"]
            + ["racers.c", "-o", "racers"]
        )
        return "./racers"

    def assert_tidy(self, name):
        """No process and no file is left behind."""
        for command in Path("/proc").glob("[0-9]*/exe"):
            try:
                self.assertNotIn(str(self.folder), os.readlink(command), name)
            except OSError:
                pass  # it has ended
        self.assertEqual(list((self.folder / "tmp").glob("mazurka-jobs-*")), [])


class Jobs(Folder):
    def test_as_many_executions_as_one_process_has(self):
        for arguments in (self.racers(3, 3), self.racers(4, 2)):
            alone = self.check(*arguments, "--jobs", 1, expect=VERIFIED)
            for jobs in (2, 3, 8):
                together = self.check(*arguments, "--jobs", jobs, expect=VERIFIED)
                self.assertEqual(self.counts(together), self.counts(alone), jobs)
        self.assert_tidy("racers")

    def test_all_findings_are_made(self):
        self.write("failing.c", FAILING)
        alone = self.check("failing.c", "--keep-going", expect=FINDING)
        together = self.check("failing.c", "--keep-going", "--jobs", 2, expect=FINDING)
        self.assertEqual(self.counts(together), self.counts(alone))
        self.assertEqual(len(together["findings"]), 2)
        first = self.check("failing.c", "--jobs", 2, expect=FINDING)
        self.assertEqual(len(first["findings"]), 1)

    def test_what_is_learnt_on_the_way(self):
        for name, text in LEARNED.items():
            self.write(f"{name}.c", text)
            alone = self.check(f"{name}.c", "--memory", "sc")
            together = self.check(f"{name}.c", "--memory", "sc", "--jobs", 2)
            self.assertEqual(together["verdict"], alone["verdict"], name)

    def test_a_program_that_goes_on_and_on(self):
        program = SOURCE / "tests" / "threads" / "endless.c"
        report = self.check(program, "-DBROKEN", "--jobs", 2, expect=FINDING)
        self.assertEqual(report["findings"][0]["kind"], "assertion")

    def test_limits(self):
        large = self.racers(5, 4)
        report = self.check(*large, "--jobs", 2, "--max-executions", 1000, expect=INCONCLUSIVE)
        self.assertEqual(report["executions"], 1000)
        self.assertIn("--max-executions", report["reason"])
        begun = time.monotonic()
        report = self.check(*large, "--jobs", 2, "--max-time", "3s", expect=INCONCLUSIVE)
        self.assertIn("--max-time", report["reason"])
        self.assertLess(time.monotonic() - begun, 60 * PATIENCE)
        self.assert_tidy("racers")

    def test_a_program_that_needs_too_much_memory(self):
        self.write("hungry.c", HUNGRY)
        report = self.check("hungry.c", "--max-memory", "150M", "--jobs", 2, expect=FINDING)
        self.assertIn("more memory than --max-memory", report["findings"][0]["message"])
        self.assert_tidy("hungry")

    def test_another_process_does_something_else(self):
        self.write("own.c", OF_ITS_PROCESS)
        report = self.check("own.c", "--jobs", 2, expect=ERROR)
        self.assertIn("not deterministic", report["reason"])

    def test_only_what_can_be_divided(self):
        self.racers(2, 1)
        done = self.mazurka("check", "racers.c", "--jobs", "2", expect=ERROR)
        self.assertIn("--technique reverse", done.stderr)
        self.mazurka(*self.words("racers.c", "--jobs", "0"), expect=ERROR)


class Usual(Folder):
    """Without --jobs: one process, and as many as there are cores once it has taken a second."""

    def most_workers(self, *words):
        process = self.start(*words)
        most = 0
        while process.poll() is None:
            most = max(most, len(explorers_of(process, "racers")))
            time.sleep(0.02)
        return most

    def test_a_short_search_has_one(self):
        program = self.binary(2, 2)
        usual = self.check(program, expect=VERIFIED)
        alone = self.check(program, "--jobs", 1, expect=VERIFIED)
        self.assertEqual(self.counts(usual), self.counts(alone))
        self.assertEqual(usual["notes"], alone["notes"])

    def test_a_long_one_has_more(self):
        program = self.binary(4, 3)
        alone = self.check(program, "--jobs", 1, expect=VERIFIED)
        usual = self.check(program, expect=VERIFIED)
        self.assertEqual(self.counts(usual), self.counts(alone))
        self.assertEqual(usual["notes"], alone["notes"])
        if os.cpu_count() > 1 and alone["seconds"] > 3:
            self.assertGreater(self.most_workers(program), 1)
        self.assertEqual(self.most_workers(program, "--jobs", 1), 1)


class Disturbed(Folder):
    def test_processes_are_killed(self):
        program = self.binary(4, 3)
        alone = self.check(program, "--jobs", 1, expect=VERIFIED)
        lots = random.Random(5)
        killed = 0
        for _ in range(3):
            process = self.start(program, "--jobs", 2)
            for _ in range(4):
                time.sleep(lots.uniform(0.05, 0.4))
                victims = explorers_of(process, "racers")
                if victims:
                    os.kill(lots.choice(victims), signal.SIGKILL)
                    killed += 1
            text, _ = process.communicate(timeout=120 * PATIENCE)
            self.assertEqual(process.returncode, VERIFIED, text)
            self.assertEqual(self.counts(json.loads(self.report.read_text())), self.counts(alone))
        self.assertGreater(killed, 3)
        self.assert_tidy("racers")

    def test_the_user_interrupts(self):
        process = self.start(self.binary(6, 4), "--jobs", 2)
        self.wait_for(lambda: len(explorers_of(process, "racers")) == 2, "two that explore")
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=120 * PATIENCE)
        self.assertEqual(process.returncode, INCONCLUSIVE, text)
        report = json.loads(self.report.read_text())
        self.assertIn("interrupted", report["reason"])
        self.assertGreater(report["executions"], 0)
        self.assert_tidy("racers")


class Saved(Folder):
    def resume(self, *arguments, expect=None):
        self.report.unlink(missing_ok=True)
        words = ["check", "--resume", "saved", "--progress", "never", "--json", self.report]
        self.mazurka(*[str(word) for word in [*words, *arguments]], expect=expect)
        return json.loads(self.report.read_text())

    def test_any_number_of_processes_goes_on(self):
        program = self.binary(4, 3)
        alone = self.check(program, "--jobs", 1, expect=VERIFIED)
        # A limit counts what was done before, too.
        for jobs in ((1, 2, 3), (2, 1, 2), (3, 2, 1)):
            executed = 0
            for limit, count in zip((50_000, 150_000, None), jobs):
                limits = [] if limit is None else ["--max-executions", limit]
                words = ["--jobs", count]
                expect = VERIFIED if limit is None else INCONCLUSIVE
                if executed == 0:
                    report = self.check(program, *limits, *words, "--save", "saved", expect=expect)
                else:
                    report = self.resume(*limits, *words, expect=expect)
                self.assertEqual(report["executions"], limit or alone["executions"], jobs)
                self.assertGreater(report["executions"], executed)
                executed = report["executions"]
            self.assertEqual(self.counts(report), self.counts(alone), jobs)
            self.assertFalse((self.folder / "saved").exists())

    def test_interrupted_and_killed(self):
        program = self.binary(4, 3)
        alone = self.check(program, "--jobs", 1, expect=VERIFIED)
        for how, expect in ((signal.SIGINT, INCONCLUSIVE), (signal.SIGKILL, -signal.SIGKILL)):
            process = self.start(program, "--jobs", 2, "--save", "saved", "--save-every", "0.1s")
            self.wait_for(lambda: (self.folder / "saved").exists(), "it is saved")
            process.send_signal(how)
            text, _ = process.communicate(timeout=120 * PATIENCE)
            self.assertEqual(process.returncode, expect, text)
            report = self.resume("--jobs", 2, expect=VERIFIED)
            self.assertEqual(self.counts(report), self.counts(alone), how)

    def test_other_techniques_have_no_parts(self):
        self.racers(3, 3)
        words = ["racers.c", "-DPROCESSES=3", "-DSTEPS=3", "--max-executions", "5"]
        self.mazurka("check", *words, "--save", "saved", expect=INCONCLUSIVE)
        done = self.mazurka("check", "--resume", "saved", "--jobs", "2", expect=ERROR)
        self.assertIn("can not be divided", done.stderr)


if __name__ == "__main__":
    unittest.main()
