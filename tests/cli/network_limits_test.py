"""Limits, signals and progress of checks of networks of automata, whatever the check is doing."""

import json
import math
import re
import resource
import signal
import subprocess
import time
import unittest

from calling import INCONCLUSIVE, MAZURKA, PATIENCE, InFolder

# Nobody asserts a time closely: a limit of a second may cost a busy machine some more.
SOON = 20 * PATIENCE

# No combination of values makes the guard true, but there are 2^48 of them.
SLOW_TO_READ = """system:slow
event:e
int:1:0:65535:0:x
int:1:0:65535:0:y
int:1:0:65535:0:z
process:P
location:P:a{initial:}
location:P:b
edge:P:a:b:e{provided: x+y+z<0}
"""

# Ten thousand variables with 65,536 values each.
LARGE_TO_READ = """system:large
event:e
int:10000:0:65535:0:x
process:P
location:P:a{initial:}
location:P:b
edge:P:a:b:e{provided: x[0]==0}
"""


class Network(InFolder):
    def model(self, *words):
        name = "-".join(words) + ".tck"
        self.mazurka("generate", *words, "-o", name, expect=0)
        return name

    def cut(self, *arguments, saying, within=SOON, **variables):
        """An inconclusive check: what it says in the end, as JSON."""
        begun = time.monotonic()
        done = self.mazurka("check", *arguments, "--json", "r.json", expect=INCONCLUSIVE,
                            **variables)
        self.assertLess(time.monotonic() - begun, within)
        self.assertNotIn("bad_alloc", done.stdout + done.stderr)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertIn(saying, report["reason"])
        self.assertIn(saying, done.stdout)
        return report


class Time(Network):
    def test_searches(self):
        large = self.model("dp", "16")
        for how in ([], ["--variant", "reach"], ["--variant", "pset+sleep"],
                    ["--technique", "optimal"], ["--technique", "exhaustive"]):
            report = self.cut(large, "--allow-deadlock", "--max-time", "1s", *how,
                              saying="--max-time is over")
            seen = report["executions"] if "--technique" in how else report["stateful"]["nodes"]
            self.assertGreater(seen, 0, how)

    def test_reading(self):
        report = self.cut(self.write("slow.tck", SLOW_TO_READ), "--max-time", "1s",
                          saying="--max-time is over while the network was being read")
        self.assertEqual(report["stateful"]["nodes"], 0)

    def test_first_sets(self):
        # The oracle of the variant is made before its search.
        self.cut(self.model("dp", "8"), "--variant", "ideal", "--max-time", "0.1s",
                 saying="--max-time is over while the search was being prepared")

    def test_certificates(self):
        report = self.cut(self.model("dp", "8"), "--allow-deadlock", "--variant", "closure", "--certify",
                          "--max-time", "0.5s",
                          saying="--max-time is over while the certificate was being made")
        self.assertGreater(report["stateful"]["nodes"], 0)


class Memory(Network):
    def test_searches(self):
        report = self.cut(self.model("dp", "16"), "--allow-deadlock", "--variant", "reach",
                          "--max-memory", "25M", saying="--max-memory is reached",
                          within=math.inf)
        self.assertGreater(report["stateful"]["states"], 0)

    def test_reading(self):
        self.cut(self.write("large.tck", LARGE_TO_READ), "--max-memory", "60M",
                 saying="--max-memory is reached while the network was being read")

    def test_no_more_memory(self):
        self.write("large.tck", LARGE_TO_READ)
        limit = 300 << 20
        done = subprocess.run(
            [str(MAZURKA), "check", "large.tck"],
            cwd=self.folder, capture_output=True, text=True, timeout=120 * PATIENCE,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual(done.returncode, INCONCLUSIVE, done.stdout + done.stderr)
        self.assertIn("there is no more memory", done.stdout)


class Signals(Network):
    def interrupted(self, *arguments, by):
        process = subprocess.Popen([str(MAZURKA), "check", *arguments, "--json", "r.json",
                                    "--progress", "always"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        self.addCleanup(process.kill)
        self.assertIn(" s: ", process.stderr.readline())  # it is under way
        begun = time.monotonic()
        process.send_signal(by)
        stdout, stderr = process.communicate(timeout=120 * PATIENCE)
        self.assertLess(time.monotonic() - begun, SOON)
        self.assertEqual(process.returncode, INCONCLUSIVE, stdout + stderr)
        self.assertIn("interrupted by the user", stdout)
        return json.loads((self.folder / "r.json").read_text())

    def test_searches(self):
        large = self.model("dp", "16")
        for by in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            report = self.interrupted(large, "--allow-deadlock", "--variant", "pset+sleep", by=by)
            self.assertGreater(report["stateful"]["nodes"], 0)
        report = self.interrupted(large, "--allow-deadlock", "--technique", "optimal",
                                  by=signal.SIGINT)
        self.assertGreater(report["executions"], 0)

    def test_reading(self):
        report = self.interrupted(self.write("slow.tck", SLOW_TO_READ), by=signal.SIGTERM)
        self.assertIn("while the network was being read", report["reason"])


class Progress(Network):
    def test_lines(self):
        large = self.model("dp", "16")
        done = self.mazurka("check", large, "--allow-deadlock", "--variant", "reach", "--progress",
                            "always", "--max-time", "4s")
        self.assertRegex(done.stderr, re.compile(r"^\d+ s: [0-9,]+ nodes \(\d+k?/s\)$", re.M))
        done = self.mazurka("check", large, "--allow-deadlock", "--technique", "source",
                            "--progress", "always", "--max-time", "4s")
        self.assertRegex(done.stderr, re.compile(r"^\d+ s: [0-9,]+ executions \(", re.M))
        done = self.mazurka("check", large, "--allow-deadlock", "--progress", "never",
                            "--max-time", "2s")
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
