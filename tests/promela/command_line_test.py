"""Promela models on the command line: verdicts, exit codes, refusals, reports."""

import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from sweep_progress import SweepProgress  # noqa: E402

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

    def test_an_endless_atomic_sequence_is_no_deadlock(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "m.pml").write_text(
                "active proctype P() { byte j; atomic { do :: j = 0 od } } active proctype Q() { skip }")
            self.assertEqual(check("m.pml", "--variant", "reach", folder=folder).returncode, 0)
            done = check("m.pml", "--variant", "closure", folder=folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("an atomic sequence of it can go round in a circle", done.stderr)

    def test_states_of_many_megabytes(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "m.pml"
            file.write_text("typedef T { int a[100000] }; chan c = [20] of { T }; byte x;"
                            "active proctype P() { x = 1; x = 2; assert(len(c) == 0) }")
            done = check(file, "--variant", "reach")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("5 nodes", done.stdout)

    def test_many_states_without_reduction(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "m.pml"
            file.write_text("byte a, b, c; active proctype P() { do :: a++ :: b++ :: c = b od }")
            done = check(file, "--max-nodes", "400000")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("since the model can not be a network: P 0 can go round in a circle",
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


class LocalFirst(unittest.TestCase):
    def found(self, text):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "model.pml").write_text(text)
            nodes, codes = [], []
            for variant in ("reach", "local-first"):
                done = check("model.pml", "--variant", variant, "--keep-going", "--json", "r.json", folder=folder)
                nodes.append(json.loads(pathlib.Path(folder, "r.json").read_text())["stateful"]["nodes"])
                codes.append(done.returncode)
        self.assertEqual(*codes)
        self.assertLessEqual(nodes[1], nodes[0])
        return codes[0], nodes

    def test_local_steps_come_first(self):
        counting = "byte sum; active [3] proctype P() { byte i; do :: i < 5 -> i++ :: else -> break od; sum = sum + i }"
        self.assertEqual(self.found(counting + " active proctype Q() { sum > 0; assert(sum % 5 == 0) }")[0], 0)
        code, nodes = self.found(counting)
        self.assertEqual(code, 0)
        self.assertLess(nodes[1] * 10, nodes[0])

    def test_nobody_is_put_off_for_ever(self):
        for spins in ("do :: i = 1 - i od", "do :: true od", "do :: i < 200 -> i++ :: i > 100 -> i = 0 od"):
            code, _ = self.found(f"active proctype S() {{ byte i; {spins} }} active proctype P() {{ assert(false) }}")
            self.assertEqual(code, 1, spins)

    def test_who_comes_late_to_a_rendezvous_is_seen_to_be_late(self):
        code, _ = self.found("""
chan c = [0] of {byte};
active proctype P() { byte i; i = 1; c?i }
active proctype Q() { if :: c!1 :: else -> assert(false) fi }
""")
        self.assertEqual(code, 1)

    def test_is_what_auto_does_in_the_end(self):
        done = check(EXAMPLES / "filter.pml", "--variant", "local-first")
        self.assertEqual(done.returncode, 0)
        self.assertIn("20,318 nodes", done.stdout)
        network = check("network.tck", "--variant", "local-first")
        self.assertEqual(network.returncode, 2)
        self.assertIn("local-first is for Promela models", network.stderr)


class Replays(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def replay(self, *arguments):
        return subprocess.run([MAZURKA, "replay", *map(str, arguments)], capture_output=True, text=True,
                              check=False, cwd=self.folder)

    def found(self, model, *options):
        done = check(model, *options, folder=self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        schedule, = (self.folder / ".mazurka").glob("*.schedule")
        self.assertIn(f"replay .mazurka/{schedule.name}", done.stdout)
        return done.stdout, schedule

    def test_findings_are_executed_again(self):
        for model, variant in (("philosophers", "reach"), ("lost_update", "reach"), ("lost_update", "closure")):
            with self.subTest(model=model, variant=variant):
                told, schedule = self.found(EXAMPLES / f"{model}.pml", "--variant", variant)
                again = self.replay(schedule)
                self.assertEqual(again.returncode, 1, again.stderr)
                self.assertIn("the finding is reproduced", again.stdout)
                table = lambda text: text.split("\n\n", 1)[1].replace(schedule.name, "")  # noqa: E731
                self.assertEqual(table(again.stdout).split("replay:")[0], table(told).split("replay:")[0])
                schedule.unlink()

    def test_another_model_is_refused(self):
        model = self.folder / "model.pml"
        model.write_text("active [2] proctype P() { assert(_pid == 0) }\n")
        _, schedule = self.found("model.pml")
        moved = self.folder / "moved.pml"
        moved.write_text(model.read_text())
        model.write_text("active [2] proctype P() { assert(_pid != 1) }\n")
        changed = self.replay(schedule)
        self.assertEqual(changed.returncode, 2, changed.stdout)
        self.assertIn("is not the model that the schedule was found in", changed.stderr)
        self.assertEqual(self.replay(schedule, "moved.pml").returncode, 1)
        self.assertIn("--gdb is for programs", self.replay(schedule, "moved.pml", "--gdb").stderr)

    def test_a_schedule_that_leads_elsewhere_says_so(self):
        (self.folder / "part.h").write_text("#define EXPECTED 0\n")
        (self.folder / "model.pml").write_text('#include "part.h"\nactive [2] proctype P() { assert(_pid == EXPECTED) }\n')
        _, schedule = self.found("model.pml")
        (self.folder / "part.h").write_text("#define EXPECTED _pid\n")
        done = self.replay(schedule)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("did not lead to the finding again", done.stderr)
        damaged = json.loads(schedule.read_text())
        damaged["decisions"] = [[0, 999]]
        schedule.write_text(json.dumps(damaged))
        self.assertIn("can not be taken again", self.replay(schedule).stderr)


class Progress(unittest.TestCase):
    def test_a_line_now_and_then(self):
        now = [0.0]
        out = io.StringIO()
        progress = SweepProgress(100, out, lambda: now[0])
        for done in range(1, 101):
            now[0] += 1.0
            progress.show(done, 0)
        progress.end()
        self.assertEqual(out.getvalue().splitlines(), [
            f"{done} of 100 models, 1.0/s, {100 - done} s left, 0 failed" for done in (30, 60, 90)])


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
