"""Runs that are interrupted, killed or die, and searches that explore a part."""

import json
import random
import unittest
import xml.etree.ElementTree as ElementTree

from calling import ERROR, FINDING, INCONCLUSIVE, MAZURKA, SOURCE, VERIFIED, InFolder
from programs import (
    CRASHES,
    CROSSED_LOCKS,
    GLUTTON,
    LEARNED,
    LOCALS,
    NARROW,
    RACERS,
    RAW_EXIT,
    SUICIDE,
)


class Folder(InFolder):
    def check(self, *arguments, expect=None, **variables):
        """The exit code, the text and the report."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        done = self.mazurka("check", *arguments, "--json", report, **variables)
        if expect is not None:
            self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done, json.loads(report.read_text()) if report.exists() else None

    def counts(self, report):
        statistics = report["statistics"]
        return (
            report["verdict"],
            statistics["executions"],
            statistics["asleep"],
            statistics["digest"],
            [finding["kind"] for finding in report["findings"]],
        )

    def assert_replays(self, finding):
        """Its command shows the finding again; returns what it prints."""
        again = self.run_command(finding["replay"].split())
        self.assertEqual(again.returncode, FINDING, again.stdout + again.stderr)
        return again.stdout

    def saved(self):
        return next((self.folder / ".mazurka").glob("*.exploration"), None)


class Resume(Folder):
    def racers(self, processes, steps):
        self.write("racers.c", RACERS)
        return ["racers.c", f"-DPROCESSES={processes}", f"-DSTEPS={steps}"]

    def test_every_technique_goes_on_where_it_stopped(self):
        program = self.racers(3, 2)
        for technique in ("exhaustive", "sleep", "dpor", "source", "optimal", "bounded"):
            how = [*program, "--technique", technique]
            _, whole = self.check(*how)
            done, _ = self.check(*how, "--max-executions", 37, expect=INCONCLUSIVE)
            self.assertIn("check --resume .mazurka/", done.stdout)
            _, part = self.check("--resume", self.saved(), "--max-executions", 61)
            self.assertEqual(part["verdict"], "inconclusive", technique)
            _, rest = self.check("--resume", self.saved())
            self.assertEqual(self.counts(rest), self.counts(whole), technique)

    @staticmethod
    def performed(report):
        return sum(report["statistics"][kind] for kind in ("executions", "asleep", "in_vain"))

    def test_what_the_runtime_has_learned_goes_along(self):
        for name, text in LEARNED.items():
            self.write(f"{name}.c", text)
            _, whole = self.check(f"{name}.c", "--keep-going")
            self.assertGreater(whole["executions"], 3, name)
            executions = self.performed(whole)
            _, part = self.check(f"{name}.c", "--keep-going", "--max-executions", executions // 3)
            self.assertEqual(self.performed(part), executions // 3, name)
            self.check("--resume", self.saved(), "--max-executions", executions * 2 // 3)
            _, rest = self.check("--resume", self.saved())
            self.assertEqual(self.counts(rest), self.counts(whole), name)
            self.assertEqual(rest["notes"], whole["notes"], name)
            self.assertEqual(rest["reason"], whole["reason"], name)

    def test_interrupts_and_kills(self):
        """A shorter form of tests/cli/interrupt.py, which does it 20 times on 113,400 executions."""
        program = self.racers(4, 2)
        _, whole = self.check(*program)
        self.assertEqual(whole["executions"], 2520)
        script = SOURCE / "tests/cli/interrupt.py"
        done = self.run_command(
            ["python3", script, "--points", 3, "--small", "--mazurka", MAZURKA]
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_damaged_and_foreign_files_are_refused(self):
        self.check(*self.racers(3, 2), "--max-executions", 10, expect=INCONCLUSIVE)
        good = self.saved().read_bytes()
        bad = self.folder / "bad.exploration"

        def refused(saying):
            written = bad.read_bytes() if bad.exists() else None
            done = self.mazurka("check", "--resume", bad)
            self.assertEqual(done.returncode, ERROR, done.stdout)
            self.assertEqual(done.stdout, "")
            self.assertIn(saying, done.stderr)
            self.assertEqual(bad.read_bytes() if bad.exists() else None, written)

        refused("No such file")
        bad.write_text("words")
        refused("not an exploration")
        for at in random.Random(1).sample(range(8, len(good)), 12):
            bad.write_bytes(good[:at] + bytes([good[at] ^ 64]) + good[at + 1 :])
            refused("damaged")
        bad.write_bytes(good[:-20])
        refused("damaged")
        bad.write_bytes(good[:4] + b"\x77" + good[5:])
        refused("another version")
        bad.write_bytes(good)
        self.write("racers.c", RACERS + "\n// changed\n")
        refused("another program")

    def test_what_is_in_the_file_can_not_be_changed(self):
        self.check(*self.racers(3, 2), "--max-executions", 10, expect=INCONCLUSIVE)
        for option in (["--technique", "source"], ["--racy"], ["--keep-going"], ["--seed", "2"]):
            done = self.mazurka("check", "--resume", self.saved(), *option)
            self.assertEqual(done.returncode, ERROR, done.stdout)

    def test_a_technique_that_can_not_be_saved_says_so(self):
        done = self.mazurka(
            "check", *self.racers(2, 1), "--technique", "random", "--save", "x"
        )
        self.assertEqual(done.returncode, ERROR)
        self.assertIn("can not save", done.stderr)
        for technique in ("source-context", "optimal-context", "optimal-observers"):
            how = [*self.racers(3, 2), "--technique", technique]
            done = self.mazurka("check", *how, "--save", "x")
            self.assertEqual(done.returncode, ERROR, technique)
            self.assertIn("can not save", done.stderr)
            done, report = self.check(*how, "--max-executions", 5, expect=INCONCLUSIVE)
            self.assertIn("can not save its exploration", done.stdout)
            self.assertIsNone(self.saved())
            self.assertEqual(report["resume_command"], "")

    def test_other_kinds_of_programs_can_not_be_saved(self):
        examples = SOURCE / "examples"
        for program in ("actors/shop.cpp", "automata/philosophers.tck"):
            done = self.mazurka("check", examples / program, "--save", "x")
            self.assertEqual(done.returncode, ERROR, done.stdout)
            self.assertIn("can not be saved and resumed", done.stderr)


class Supervised(Folder):
    def test_what_kills_the_process_is_a_finding(self):
        self.write("suicide.c", SUICIDE)
        done, report = self.check("suicide.c", expect=FINDING)
        finding = report["findings"][0]
        self.assertEqual(finding["kind"], "crash")
        self.assertIn("killed by SIGKILL", finding["message"])
        self.assertGreater(len(finding["schedule"]), 3)
        self.assertTrue(finding["story"]["rows"])
        self.assertIn("killed by SIGKILL", self.assert_replays(finding))

    def test_the_search_goes_on_after_it(self):
        self.write("suicide.c", SUICIDE)
        for technique in ("exhaustive", "source", "optimal", "reverse"):
            _, report = self.check("suicide.c", "--keep-going", "--technique", technique)
            self.assertEqual(report["verdict"], "finding")
            # The load sees the store, and the process dies, or it does not.
            traces = report["executions"]
            if technique == "exhaustive":
                self.assertGreater(traces, 2)
            else:
                self.assertEqual(traces, 2, technique)

    def test_crashes_of_every_kind(self):
        kinds = ["crash", "crash", "abort", "uncaught exception", "crash", "crash", "crash", "abort"]
        kinds += ["crash", "crash"]
        self.write("crashes.cpp", CRASHES)
        for number, kind in enumerate(kinds):
            for going_on in ([], ["--keep-going"]):
                _, report = self.check("crashes.cpp", f"-DKIND={number}", *going_on, expect=FINDING)
                finding = report["findings"][0]
                self.assertEqual(finding["kind"], kind, number)
                self.assertTrue(finding["story"]["rows"], number)
                if going_on:
                    self.assertEqual(report["executions"], 2, number)
            self.assert_replays(finding)

    def test_a_program_that_leaves_behind_our_back(self):
        self.write("leaves.c", RAW_EXIT)
        _, report = self.check("leaves.c", "--keep-going", expect=VERIFIED)
        self.assertIn("exit code 3 in 1 execution", " ".join(report["notes"]))
        _, report = self.check("leaves.c", "--keep-going", "--exit-code=finding", expect=FINDING)
        finding = report["findings"][0]
        self.assertIn("exit code 3", finding["message"])
        self.assertTrue(finding["story"]["rows"])
        self.assertEqual(report["executions"], 2)
        self.assert_replays(finding)

    def test_memory(self):
        self.write("glutton.c", GLUTTON)
        done, report = self.check(
            "glutton.c", "--max-memory", "100M", "--max-stall", "60s", expect=FINDING
        )
        finding = report["findings"][0]
        self.assertIn("more memory than --max-memory", finding["message"])
        self.assertTrue(finding["story"]["rows"])
        self.assert_replays(finding)
        done = self.mazurka("check", "glutton.c", "--max-memory", "much")
        self.assertEqual(done.returncode, ERROR)


class Partial(Folder):
    def test_random_and_pct_find_it_and_repeat(self):
        self.write("narrow.c", NARROW)
        for technique in ("random", "pct"):
            how = ["narrow.c", "--technique", technique, "--seed", "7", "--max-executions", "5000"]
            _, one = self.check(*how, expect=FINDING)
            _, two = self.check(*how, expect=FINDING)
            self.assertEqual(self.counts(one), self.counts(two))

    def test_a_sample_proves_nothing(self):
        self.write("racers.c", RACERS)
        how = ["racers.c", "-DPROCESSES=2", "-DSTEPS=1", "--max-executions", "50"]
        for technique in ("random", "pct"):
            done, report = self.check(*how, "--technique", technique, expect=INCONCLUSIVE)
            self.assertIn("proves nothing", done.stdout)
            self.assertIn("seed 0", done.stdout)
            self.assertEqual(report["executions"], 50)

    def test_preemptions(self):
        self.write("narrow.c", NARROW)
        done, _ = self.check("narrow.c", "--preemptions", "0", expect=INCONCLUSIVE)
        self.assertIn("at most 0 preemptions", done.stdout)
        self.check("narrow.c", "--preemptions", "1", expect=FINDING)
        done, _ = self.check(
            "narrow.c", "--preemptions", "0", "--max-executions", 1, expect=INCONCLUSIVE
        )
        self.assertIn("before every schedule with at most 0 preemptions", done.stdout)
        self.write("racers.c", RACERS)
        _, report = self.check("racers.c", "-DPROCESSES=2", "-DSTEPS=1", "--preemptions", "9")
        self.assertEqual(report["verdict"], "verified")
        done = self.mazurka(
            "check", "narrow.c", "--preemptions", "1", "--technique", "optimal"
        )
        self.assertEqual(done.returncode, ERROR)


class Shortened(Folder):
    def test_fewest_switches_and_point_of_no_return(self):
        self.write("narrow.c", NARROW)
        _, report = self.check("narrow.c", expect=FINDING)
        story = report["findings"][0]["story"]
        self.assertIn("no schedule with fewer fails", story["summary"])
        marked = [row for row in story["rows"] if row["no_return"]]
        self.assertEqual(len(marked), 1)
        schedule = [process for process, _ in report["findings"][0]["schedule"]]
        switches = sum(a != b for a, b in zip(schedule, schedule[1:]))
        # main, one up to its first read, the other as a whole, one again, main.
        self.assertEqual(switches, 4)
        _, longer = self.check("narrow.c", "--shorten", "off", expect=FINDING)
        self.assertEqual(longer["findings"][0]["story"]["summary"], "")
        self.assert_replays(report["findings"][0])

    def test_the_circle_of_a_deadlock_is_drawn(self):
        self.write("deadlock.c", CROSSED_LOCKS)
        done, report = self.check("deadlock.c", expect=FINDING)
        drawing = report["findings"][0]["story"]["drawing"]
        self.assertEqual(len(drawing), 3)
        self.assertIn("+-> main --[right]--> T1", done.stdout)

    def test_the_circle_of_read_write_locks(self):
        self.write(
            "rwlocks.c", CROSSED_LOCKS.replace("mutex_lock", "rwlock_wrlock").replace("mutex", "rwlock")
            .replace("MUTEX", "RWLOCK"),
        )
        done, report = self.check("rwlocks.c", expect=FINDING)
        self.assertEqual(len(report["findings"][0]["story"]["drawing"]), 3)
        self.assertIn("+-> main --[right]--> T1", done.stdout)

    def test_local_variables_have_names(self):
        self.write("locals.cpp", LOCALS)
        for compiler in ("gcc", "clang"):
            done, _ = self.check("locals.cpp", "--compiler", compiler, expect=FINDING)
            self.assertIn("lock account.guard", done.stdout, compiler)
            self.assertIn("write account.balances[1] = 1", done.stdout, compiler)

    def test_parts_of_local_variables_are_seen(self):
        """clang would leave out what main itself does with them."""
        unlocked = LOCALS.replace("const std::lock_guard<std::mutex> guard(account.guard);", "")
        text = "volatile bool seen;\n" + unlocked.replace("assert(", "seen = (")
        self.write("unlocked.cpp", text)
        for compiler in ("gcc", "clang"):
            for level in ("-O0", "-O2"):
                _, report = self.check(
                    "unlocked.cpp", level, "--compiler", compiler, expect=FINDING
                )
                self.assertEqual(report["findings"][0]["kind"], "data race")

    def test_stacks_on_demand(self):
        self.write("deadlock.c", CROSSED_LOCKS)
        done, _ = self.check("deadlock.c", "--stacks", expect=FINDING)
        self.assertIn("stack of T1", done.stdout)


class Forms(Folder):
    def test_junit(self):
        self.write("narrow.c", NARROW)
        self.check("narrow.c", "--junit", "out.xml", expect=FINDING)
        suites = ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual(suites.get("failures"), "1")
        failure = suites.find("testsuite/testcase/failure")
        self.assertIn("replay:", failure.text)

    def test_sarif(self):
        self.write("narrow.c", NARROW)
        self.check("narrow.c", "--sarif", "out.sarif", expect=FINDING)
        run = json.loads((self.folder / "out.sarif").read_text())["runs"][0]
        result = run["results"][0]
        self.assertEqual(result["ruleId"], "assertion")
        place = result["locations"][0]["physicalLocation"]
        self.assertTrue(place["artifactLocation"]["uri"].endswith("narrow.c"))
        self.assertGreater(place["region"]["startLine"], 1)
        self.assertTrue(result["codeFlows"][0]["threadFlows"][0]["locations"])

    def test_options_in_the_environment(self):
        self.write("narrow.c", NARROW)
        _, report = self.check("narrow.c", MAZURKA_OPTIONS="--technique source --keep-going")
        self.assertEqual(report["technique"], "source")
        _, report = self.check("narrow.c", "--technique", "dpor", MAZURKA_OPTIONS="--seed '3'")
        self.assertEqual(report["technique"], "dpor")
        done = self.mazurka("check", "narrow.c", MAZURKA_OPTIONS="--tecnique x")
        self.assertEqual(done.returncode, ERROR)

    def test_manual_and_completions_know_every_option(self):
        help_text = self.mazurka("check", "--help").stdout
        lines = [line.split() for line in help_text.splitlines()]
        options = {words[0] for words in lines if words and words[0].startswith("--")}
        self.assertGreater(len(options), 20)
        manual = self.mazurka("manual", "man").stdout.replace("\\-", "-")
        for text in (manual, *(self.mazurka("manual", f).stdout for f in ("bash", "zsh"))):
            for option in options:
                self.assertIn(option, text)
        bash = self.mazurka("manual", "bash").stdout
        (self.folder / "completion").write_text(bash)
        done = self.run_command([
            "bash", "-c",
            "source ./completion; COMP_WORDS=(mazurka check --tech); COMP_CWORD=2; _mazurka;"
            " echo ${COMPREPLY[@]}",
        ])
        self.assertEqual(done.stdout.strip(), "--technique", done.stderr)


if __name__ == "__main__":
    unittest.main()
