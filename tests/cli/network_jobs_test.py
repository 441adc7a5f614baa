"""Networks of automata explored by several threads, as a user asks for it."""

import json
import resource
import signal
import subprocess
import time
import unittest

from calling import ERROR, FINDING, INCONCLUSIVE, MAZURKA, PATIENCE, VERIFIED, InFolder

SOON = 20 * PATIENCE


class Jobs(InFolder):
    def model(self, *words):
        name = "-".join(words) + ".tck"
        self.mazurka("generate", *words, "-o", name, expect=0)
        return name

    def check(self, *words, expect):
        done = self.mazurka("check", *map(str, words), "--json", "r.json", expect=expect)
        return json.loads((self.folder / "r.json").read_text()), done.stdout

    def refused(self, *words, saying):
        done = self.mazurka("check", *words, expect=ERROR)
        self.assertIn(saying, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 2, done.stderr)  # and the hint

    def test_counts_are_the_same(self):
        for model in (("dp", "6"), ("pet", "3"), ("lz", "8")):
            file = self.model(*model)
            for variant in ("reach", "full-sleep", "closure-sleep"):
                alone, _ = self.check(file, "--variant", variant, "--jobs", 1, expect=VERIFIED)
                for jobs in (2, 4):
                    report, _ = self.check(file, "--variant", variant, "--jobs", jobs,
                                           expect=VERIFIED)
                    for count in ("nodes", "states", "terminal", "deadlocks"):
                        self.assertEqual(report["stateful"][count], alone["stateful"][count])
                    self.assertEqual(report["stateful"]["jobs"], jobs)

    def test_findings(self):
        file = self.model("locks", "6", "3", "6")
        for variant in ("auto", "reach", "full+sleep", "pifs", "closure"):
            for words in ([], ["--keep-going"]):
                alone, _ = self.check(file, "--variant", variant, "--jobs", 1, *words,
                                      expect=FINDING)
                report, text = self.check(file, "--variant", variant, "--jobs", 3, *words,
                                          expect=FINDING)
                self.assertEqual([one["kind"] for one in report["findings"]],
                                 [one["kind"] for one in alone["findings"]])
                self.assertIn("Deadlock: nobody can move", text)

    def test_graphs_are_certified(self):
        for variant in ("auto", "reach", "pset+sleep", "pifs", "ideal"):
            report, _ = self.check(self.model("dp", "4"), "--variant", variant, "--jobs", 4,
                                   "--certify", "--paths", "--state-graph", "g.dot",
                                   expect=VERIFIED)
            self.assertEqual(report["stateful"]["certificate"], "complete")
            drawn = (self.folder / "g.dot").read_text()
            self.assertEqual(drawn.count("[label=") - drawn.count("->"), report["stateful"]["nodes"])

    def test_a_short_search_is_that_of_one(self):
        file = self.model("dp", "5")
        usual, _ = self.check(file, "--variant", "pifs", expect=VERIFIED)
        alone, _ = self.check(file, "--variant", "pifs", "--jobs", 1, expect=VERIFIED)
        if usual["stateful"]["jobs"] == 1:  # it was short on this machine
            self.assertEqual(usual["stateful"]["nodes"], alone["stateful"]["nodes"])

    def test_limits(self):
        large = self.model("dp", "16")
        for variant in ("auto", "reach", "pset+sleep", "pifs"):
            how = [large, "--variant", variant, "--jobs", 3]
            begun = time.monotonic()
            report, text = self.check(*how, "--max-time", "1s", expect=INCONCLUSIVE)
            self.assertLess(time.monotonic() - begun, SOON)
            self.assertIn("--max-time is over", text)
            self.assertGreater(report["stateful"]["nodes"], 0)
            report, text = self.check(*how, "--max-memory", "40M", expect=INCONCLUSIVE)
            self.assertIn("--max-memory is reached", text)
            report, text = self.check(*how, "--max-nodes", 5000, expect=INCONCLUSIVE)
            self.assertIn("--max-nodes is reached", text)
            self.assertGreaterEqual(report["stateful"]["nodes"], 5000)
        report, text = self.check(large, "--variant", "reach", "--jobs", 3, "--max-events", 4,
                                  expect=INCONCLUSIVE)
        alone, _ = self.check(large, "--variant", "reach", "--jobs", 1, "--max-events", 4,
                              expect=INCONCLUSIVE)
        for count in ("nodes", "cut"):
            self.assertEqual(report["stateful"][count], alone["stateful"][count])

    def test_interrupts_and_progress(self):
        large = self.model("dp", "16")
        for variant in ("reach", "pset+sleep", "pifs"):
            process = subprocess.Popen([str(MAZURKA), "check", large, "--variant", variant,
                                        "--jobs", "3", "--json", "r.json", "--progress", "always"],
                                       cwd=self.folder, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.kill)
            self.assertRegex(process.stderr.readline(), r" s: [0-9,]+ nodes")
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=120 * PATIENCE)
            self.assertEqual(process.returncode, INCONCLUSIVE, stdout + stderr)
            self.assertIn("interrupted by the user", stdout)

    def test_the_system_gives_no_threads(self):
        file = self.model("dp", "4")
        limit = 400 << 20  # of addresses: no room for the stacks of 256 threads
        done = subprocess.run([str(MAZURKA), "check", file, "--jobs", "256"], cwd=self.folder,
                              capture_output=True, text=True, timeout=60 * PATIENCE, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                                    (limit, limit)))
        self.assertEqual(done.returncode, ERROR, done.stdout + done.stderr)
        self.assertIn("does not give 256 threads (--jobs)", done.stderr)

    def test_orders_of_exploration(self):
        file = self.model("dp", "8")
        nodes = {}
        for order in ("declared", "breadth-first", "priority"):
            words = [] if order != "declared" else ["--jobs", 1]
            report, _ = self.check(file, "--variant", "full+sleep", "--order", order, *words, expect=VERIFIED)
            self.assertEqual(report["stateful"]["order"], order)
            nodes[order] = report["stateful"]["nodes"]
        self.assertLess(nodes["priority"], nodes["declared"])
        self.assertEqual(len(set(nodes.values())), 3, nodes)
        self.refused(file, "--variant", "closure", "--order", "breadth-first", saying="each successor before")
        self.refused(file, "--variant", "full-sleep", "--order", "priority", saying="no sleep sets")
        self.refused(file, "--variant", "reach", "--order", "priority", saying="level by level")
        self.refused(file, "--variant", "full+sleep", "--order", "priority", "--jobs", "2", saying="an order of their own")
        self.refused(file, "--order", "priority", saying="it needs a --variant")

    def test_refusals(self):
        file = self.model("dp", "4")
        self.refused(file, "--jobs", "2", "--max-events", "10", saying="--max-events")
        self.refused(file, "--jobs", "2", "--technique", "optimal", saying="--technique stateful")
        self.refused(file, "--jobs", "2", "--technique", "reverse", saying="--technique stateful")
        self.refused(file, "--jobs", "2", "--compare", "optimal,source", saying="--jobs")
        self.refused(file, "--jobs", "300", saying="at most 256")
        self.refused(file, "--jobs", "0", saying="--jobs")


if __name__ == "__main__":
    unittest.main()
