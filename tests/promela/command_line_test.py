"""Promela models on the command line: verdicts, exit codes, refusals, reports."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

MAZURKA = os.environ["MAZURKA"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "promela"


def check(*arguments, folder=None):
    return subprocess.run([MAZURKA, "check", *map(str, arguments)], capture_output=True, text=True,
                          check=False, cwd=folder)


class Checks(unittest.TestCase):
    def test_verified(self):
        done = check(EXAMPLES / "peterson.pml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("38 nodes", done.stdout)

    def test_a_deadlock_says_who_waits_for_what(self):
        done = check(EXAMPLES / "philosophers.pml")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("philosopher 3 waits for !taken[right]", done.stdout)
        self.assertEqual(check(EXAMPLES / "philosophers.pml", "--allow-deadlock").returncode, 0)

    def test_an_assertion_has_its_place(self):
        done = check(EXAMPLES / "lost_update.pml")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"assert\(counter == 2\) at .*lost_update\.pml:13")

    def test_reductions(self):
        for variant in ("closure", "pifs", "full+sleep", "pset+sleep"):
            done = check(EXAMPLES / "lost_update.pml", "--variant", variant)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("assert(counter == 2)", done.stdout)
        done = check(EXAMPLES / "transfers.pml", "--variant", "closure", "--order", "reversed")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_why_not_reduced(self):
        done = check(EXAMPLES / "peterson.pml", "--variant", "pifs")
        self.assertEqual(done.returncode, 2)
        self.assertIn("P 0 can go round in a circle", done.stderr)

    def test_many_states_without_reduction(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "m.pml"
            file.write_text("byte a, b, c; active proctype P() { do :: a++ :: b++ :: c = b od }")
            done = check(file, "--max-nodes", "400000")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("all states, without reduction: P 0 can go round in a circle",
                      " ".join(done.stdout.split()))

    def test_limits(self):
        done = check(EXAMPLES / "leader.pml", "--max-nodes", "100")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("--max-nodes", done.stdout)

    def test_json(self):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            check(EXAMPLES / "philosophers.pml", "--json", report)
            outcome = json.loads(report.read_text())
        self.assertEqual([finding["kind"] for finding in outcome["findings"]], ["deadlock"])

    def test_included_files_and_macros(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "inner.pml").write_text("#define TWICE(x) ((x) * 2)\nbyte y = 3;\n")
            (folder / "m.pml").write_text('#include "inner.pml"\ninit { assert(TWICE(y) == 6) }\n')
            self.assertEqual(check("m.pml", folder=folder).returncode, 0)
            (folder / "inner.pml").write_text("#define TWICE(x) ((x) * 2)\nbyte y = z;\n")
            done = check("m.pml", folder=folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("inner.pml:2: 'z' is not declared", done.stderr)
            (folder / "m.pml").write_text('#include "nowhere.pml"\ninit { skip }\n')
            done = check("m.pml", folder=folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("nowhere.pml", done.stderr)


class Refusals(unittest.TestCase):
    def refused(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "m.pml"
            file.write_text(text)
            done = check(file, *options)
        self.assertEqual(done.returncode, 2, done.stdout)
        return done.stderr

    def test_what_is_not_supported(self):
        self.assertIn("m.pml:1: 'never' is not supported", self.refused("never { skip }\n"))

    def test_a_file_that_is_not_there(self):
        done = check("nowhere.pml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere.pml", done.stderr)

    def test_options_without_a_meaning(self):
        for options in (["--technique", "optimal"], ["--reach", "x=1"], ["--seed", "3"],
                        ["--certify"], ["--max-executions", "3"]):
            self.assertIn(options[0], self.refused("init { skip }\n", *options))


if __name__ == "__main__":
    unittest.main()
