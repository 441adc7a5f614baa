"""The program as a user calls it: what is printed where, and with which exit code."""

import json
import math
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from calling import ERROR, FINDING, INCONCLUSIVE, MAZURKA, SOURCE, VERIFIED, InFolder
from programs import (COUNTER, CROWD, DEADLOCK, ENDLESS_LOOP, ENDLESS_SEARCH, LARGE,
                      NONDETERMINISTIC)


def bounded_buffer_ends(operations, size):
    """(first, used) at the ends of all interleavings of so many puts and gets in a ring of that
    size, each of which does nothing where it cannot be done."""
    states = {(0, 0, 0, 0)}  # puts and gets done, first, used
    for _ in range(2 * operations):
        after = set()
        for puts, gets, first, used in states:
            if puts < operations:
                after.add((puts + 1, gets, first, min(used + 1, size)))
            if gets < operations:
                after.add((puts, gets + 1, (first + 1) % size, used - 1) if used else
                          (puts, gets + 1, first, used))
        states = after
    return {(first, used) for _, _, first, used in states}


class CliTest(InFolder):
    def refused(self, *arguments, saying):
        """An error: exit code 2, one message on stderr, nothing on stdout."""
        result = self.mazurka(*arguments, expect=ERROR)
        self.assertEqual(result.stdout, "")
        self.assertIn("mazurka: error: ", result.stderr)
        self.assertRegex(result.stderr, saying)
        return result

    def json_of(self, *arguments, expect=None):
        result = self.mazurka(*arguments, "--json", "-", expect=expect)
        return json.loads(result.stdout)

    def schedules(self):
        return sorted((self.folder / ".mazurka").glob("*.schedule"))


class BadInput(CliTest):
    def test_no_command(self):
        self.refused(saying="a command is missing")

    def test_missing_file(self):
        self.refused("check", "nowhere.c", saying=r"nowhere\.c: no such file")
        self.refused("check", "./nowhere", saying="no such file")

    def test_does_not_compile(self):
        self.write("bad.c", "int main(void) { return undeclared; }\n")
        result = self.refused("check", "bad.c", saying=r"bad\.c does not compile")
        self.assertIn("undeclared", result.stderr)

    def test_can_not_be_linked(self):
        self.write("half.c", "int twice(int);\nint main(void) { return twice(0); }\n")
        result = self.refused("check", "half.c", saying=r"half\.c compiles, but cannot be linked; the linker's messages are above$")
        self.assertIn("undefined reference to `twice'", result.stderr)
        self.assertNotIn("does not compile", result.stderr)

    def test_inline_in_c_is_no_definition(self):
        self.write("inline.c", "inline int twice(int a) { return 2 * a; }\nint main(void) { return twice(0); }\n")
        for compiler in ("gcc", "clang"):
            self.refused("check", "inline.c", "--compiler", compiler,
                         saying=r"cannot be linked; .*`twice` is `inline` in inline\.c.*`static inline`, or add -fgnu89-inline")
        self.mazurka("check", "inline.c", "-fgnu89-inline", expect=VERIFIED)

    def test_unknown_technique(self):
        self.write("counter.c", COUNTER)
        result = self.refused("check", "counter.c", "--technique", "optmal", saying="did you mean")
        for name in ("exhaustive", "sleep", "dpor", "source", "optimal"):
            self.assertIn(name, result.stderr)

    def test_binary_of_another_compiler(self):
        self.refused("check", "/bin/true", saying="mazurka-c")

    def test_neither_source_nor_program(self):
        self.write("notes.txt", "words\n")
        self.refused("check", "notes.txt", saying="neither")
        self.refused("check", ".", saying="not a file")

    def test_misspelt_option(self):
        self.write("counter.c", COUNTER)
        self.refused("check", "counter.c", "--tecnique", "source", saying="--technique")

    def test_bad_values(self):
        self.write("counter.c", COUNTER)
        self.refused("check", "counter.c", "--max-time", "soon", saying="10s")
        self.refused("check", "counter.c", "--max-executions", "many", saying="max-executions")

    def test_schedule_that_is_none(self):
        self.refused("replay", "nowhere.schedule", saying="no such file")
        self.write("bad.schedule", "{}")
        self.refused("replay", "bad.schedule", saying="not a schedule")
        self.write("bad.schedule", '{"mazurka_schedule": 1, "program": 3}')
        self.refused("replay", "bad.schedule", saying="damaged")

    def test_uncontrolled_nondeterminism(self):
        self.write("random.c", NONDETERMINISTIC)
        result = self.refused("check", "random.c", saying="not deterministic")
        self.assertIn("clock", result.stderr)

    def test_endless_loop(self):
        self.write("spin.c", ENDLESS_LOOP)
        begun = time.monotonic()
        result = self.mazurka("check", "spin.c", "--max-stall", "500ms", expect=INCONCLUSIVE)
        self.assertLess(time.monotonic() - begun, 60)
        self.assertIn("INCONCLUSIVE", result.stdout)
        self.assertRegex(result.stdout, r"spin\.c:\d+")


class Check(CliTest):
    def test_verified(self):
        self.write("counter.c", COUNTER)
        result = self.mazurka("check", "counter.c", expect=VERIFIED)
        self.assertRegex(result.stdout, r"^VERIFIED  counter\.c: \d+ executions, no finding")

    def test_data_race(self):
        self.write("counter.c", COUNTER)
        result = self.mazurka("check", "counter.c", "-DRACE", expect=FINDING)
        self.assertTrue(result.stdout.startswith("FINDING  counter.c:"))
        self.assertRegex(result.stdout, r"Data race: counter: T\d .*counter\.c:11")
        self.assertIn(" replay .mazurka/", result.stdout)
        self.assertNotIn("counter is", result.stdout)  # the program's own output is discarded

    def test_lost_update(self):
        self.write("counter.c", COUNTER)
        result = self.mazurka("check", "counter.c", "-DRACE", "--racy", expect=FINDING)
        self.assertRegex(result.stdout, "Assertion.*counter == 2")
        self.assertRegex(result.stdout, r"write counter = 1")

    def test_deadlock(self):
        self.write("deadlock.cpp", DEADLOCK)
        result = self.mazurka("check", "deadlock.cpp", expect=FINDING)
        self.assertRegex(result.stdout, r"T1 waits for mutex left, held by main")
        self.assertRegex(result.stdout, r"main waits for mutex right, held by T1")

    def test_values_of_writes_are_their_own(self):
        source = self.write("writes.c", """
            #include <assert.h>
            #include <pthread.h>
            int x;
            void* one(void* p) { x = 1; return p; }
            void* two(void* p) { x = 2; return p; }
            int main(void) {
              pthread_t a, b;
              pthread_create(&a, 0, one, 0);
              pthread_create(&b, 0, two, 0);
              pthread_join(a, 0);
              pthread_join(b, 0);
              assert(x == 1);
            }
        """)
        result = self.mazurka("check", source, "--racy", expect=FINDING)
        self.assertIn("write x = 1", result.stdout)
        self.assertIn("write x = 2", result.stdout)

    def test_values_of_copies_are_those_after_copying(self):
        source = self.write("copies.cpp", """
            #include <cassert>
            #include <thread>
            int main() {
              int given = 7, got = 0;
              struct Pair { int* from; } const pair{&given};
              Pair* copy = new Pair(pair);
              std::thread reader([&] { got = *copy->from; });
              reader.join();
              assert(got == 0);
              delete copy;
            }
        """)
        for compiler in ("gcc", "clang"):
            rows = self.json_of("check", source, "-O0", "--compiler", compiler,
                                expect=FINDING)["findings"][0]["story"]["rows"]
            writes = [row["action"] for row in rows if row["action"].startswith("write Pair#")]
            self.assertTrue(writes)
            for write in writes:
                self.assertNotIn("a5a5a5", write, compiler)  # what a fresh block is filled with

    def test_every_technique(self):
        self.write("counter.c", COUNTER)
        listed = self.mazurka("techniques", "--names").stdout.split()
        for name in ("exhaustive", "sleep", "dpor", "source", "source-context", "optimal", "reverse", "graphs",
                     "optimal-observers", "optimal-context", "optimal-context-observers"):
            self.assertIn(name, listed)
            outcome = self.json_of("check", "counter.c", "--technique", name, expect=VERIFIED)
            self.assertEqual(outcome["technique"], name)

    def test_options_of_a_technique(self):
        self.write("counter.c", COUNTER)
        for name in ("source-context:cut", "source-context:cut,guide", "source-context:chains"):
            self.mazurka("check", "counter.c", "--technique", name, expect=VERIFIED)
        self.refused("check", "counter.c", "--technique", "source-context:fast",
                     saying="has no option `fast`; it has cut, guide, chains")
        self.refused("check", "counter.c", "--technique", "source-context:cut,chains",
                     saying="option `chains` of technique source-context cannot be combined")

    def context_program(self, name, *flags):
        source = SOURCE / "bench" / "context" / f"{name}.cpp"
        binary = self.folder / (name + "".join(flags))
        built = self.run_command([MAZURKA.parent / "mazurka-c++", "-g", "-O0", "-std=c++17", source,
                                  *flags, "-o", binary])
        self.assertEqual(built.returncode, 0, built.stderr)
        return binary

    def test_counts_of_context_programs(self):
        """Exact where the number is known without running it; else between the number of final
        states, each of which takes an execution, and the paper's number."""
        puts_and_gets = math.comb(2 * 5, 5)
        ends = len(bounded_buffer_ends(5, 5))
        ends_of_seven = len(bounded_buffer_ends(7, 5))
        expected = [
            # The paper's traces. Four ends: the second assertion holds or not, x is 1 or 2; a
            # technique with observers need not tell the latter apart.
            ("running", "", {"optimal": (12, 12), "optimal-observers": (11, 11),
                             "source-context": (4, 6), "optimal-context": (4, 6),
                             "optimal-context-observers": (2, 5)}),
            # Everything commutes.
            ("arraywrite", "-DN=20", {"optimal-context": (1, 1),
                                      "optimal-context-observers": (1, 1),
                                      "optimal-context-observers:whole-states": (1, 1),
                                      "source-context:chains": (1, 1)}),
            # Two orders of the two results at each inner task; they commute.
            ("tasks", "-DINNER=7", {"optimal": (2 ** 7, 2 ** 7),
                                    "optimal-context-observers": (1, 1),
                                    "source-context:cut,guide": (1, 1)}),
            # Three exchanges in any order, two steps that come before, between or after their
            # neighbours; always the same end.
            ("pipesort", "-DN=5", {"optimal": (6 * 3 ** 2, 6 * 3 ** 2),
                                   "source-context:chains": (1, 1)}),
            ("boundedbuffer", "-DN=5", {"optimal": (puts_and_gets, puts_and_gets),
                                        "optimal-context": (ends, puts_and_gets - 1),
                                        "source-context:chains": (ends, ends)}),
            ("boundedbuffer", "-DN=7", {"optimal-context": (ends_of_seven, 550),
                                        "source-context:chains": (ends_of_seven,
                                                                  ends_of_seven)}),
        ]
        for name, flag, counts in expected:
            binary = self.context_program(name, *flag.split())
            for technique, (least, most) in counts.items():
                with self.subTest(program=name, flag=flag, technique=technique):
                    outcome = self.json_of("check", binary, "--racy", "--keep-going",
                                           "--technique", technique)
                    traces = outcome["executions"] - outcome["statistics"]["repeated"]
                    self.assertGreaterEqual(traces, least)
                    self.assertLessEqual(traces, most)

    def test_comparing_whole_states_changes_no_count(self):
        binary = self.context_program("boundedbuffer", "-DN=5")
        counts = [self.json_of("check", binary, "--racy", "--technique", technique)["executions"]
                  for technique in ("optimal-context", "optimal-context:whole-states")]
        self.assertEqual(*counts)

    def test_context_techniques_reach_every_end_of_a_bounded_buffer(self):
        binary = self.context_program("boundedbuffer", "-DN=3", "-DSIZE=2")
        ends = bounded_buffer_ends(3, 2)
        self.assertIn((1, 2), ends)
        self.assertNotIn((2, 0), ends)  # the ring has places 0 and 1
        for technique in ("source-context", "source-context:chains", "optimal-context"):
            for first, used in sorted(ends | {(2, 0)}):
                with self.subTest(technique=technique, first=first, used=used):
                    self.mazurka("check", binary, first, used, "--racy", "--technique", technique,
                                 "--shorten", "off",
                                 expect=FINDING if (first, used) in ends else VERIFIED)

    def test_reads_after_the_last_join_observe(self):
        self.write("last.c", """
            #include <assert.h>
            #include <pthread.h>
            #include <stdatomic.h>
            atomic_int x;
            void* one(void* p) { x = 1; return p; }
            void* two(void* p) { x = 2; return p; }
            int main(void) {
              pthread_t a, b;
              pthread_create(&a, 0, one, 0);
              pthread_create(&b, 0, two, 0);
              pthread_join(a, 0);
              pthread_join(b, 0);
              assert(x == 2);
            }
        """)
        for name in ("optimal", "optimal-observers", "optimal-context-observers"):
            self.mazurka("check", "last.c", "--technique", name, expect=FINDING)

    def test_plain_reads_of_atomics_are_refused_with_observers(self):
        self.write("mixed.c", """
            #include <pthread.h>
            int x;
            void* one(void* p) { __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); return p; }
            int main(void) {
              pthread_t a;
              pthread_create(&a, 0, one, 0);
              pthread_join(a, 0);
              return x == 7;
            }
        """)
        self.mazurka("check", "mixed.c", expect=VERIFIED)
        self.refused("check", "mixed.c", "--technique", "optimal-observers", saying="--racy")

    def test_limits(self):
        self.write("endless.c", ENDLESS_SEARCH)
        result = self.mazurka("check", "endless.c", "--max-executions", "50", expect=INCONCLUSIVE)
        self.assertIn("--max-executions 50", result.stdout)
        result = self.mazurka("check", "endless.c", "--max-time", "300ms", expect=INCONCLUSIVE)
        self.assertIn("--max-time", result.stdout)
        result = self.mazurka(
            "check", "endless.c", "--max-events", "20", "--max-executions", "5", expect=INCONCLUSIVE
        )
        self.assertIn("INCONCLUSIVE", result.stdout)

    def test_cut_executions(self):
        self.write("counter.c", COUNTER)
        result = self.mazurka("check", "counter.c", "--max-events", "3", expect=INCONCLUSIVE)
        self.assertIn("--max-events 3", result.stdout)

    def test_early_bug_of_a_large_program(self):
        # The search goes deep first, and would need hours for the switches at the beginning.
        self.write("large.c", LARGE)
        result = self.mazurka("check", "large.c", "--max-time", "60s", expect=FINDING)
        self.assertIn("beside the search", result.stdout)

    def test_more_threads_than_can_be_followed(self):
        self.write("crowd.c", CROWD)
        result = self.mazurka("check", "crowd.c", "--max-executions", "1", expect=INCONCLUSIVE)
        self.assertIn("beyond 1000 threads", result.stdout)

    def test_keep_going(self):
        self.write("counter.c", COUNTER)
        outcome = self.json_of("check", "counter.c", "-DRACE", "--racy", "--keep-going",
                               expect=FINDING)
        first = self.json_of("check", "counter.c", "-DRACE", "--racy", expect=FINDING)
        self.assertGreaterEqual(outcome["executions"], first["executions"])

    def test_folder_that_can_not_be_written(self):
        if os.geteuid() == 0:
            self.skipTest("root writes everywhere")
        self.write("counter.c", COUNTER)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        self.mazurka("check", "counter.c", expect=VERIFIED)

    def test_version_and_help(self):
        self.assertRegex(self.mazurka("version", expect=0).stdout, r"^mazurka \d+\.\d+\.\d+\n$")
        for words in (["--help"], ["check", "--help"], ["replay", "--help"]):
            self.assertIn("Usage", self.mazurka(*words, expect=0).stdout)


class Interrupted(CliTest):
    def start(self, *arguments):
        return subprocess.Popen(
            [str(MAZURKA), *arguments],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_ctrl_c_says_what_was_seen(self):
        self.write("endless.c", ENDLESS_SEARCH)
        process = self.start("check", "endless.c", "--json", "out.json")
        self.wait_for_worker(process, "endless")
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, INCONCLUSIVE)
        self.assertIn("interrupted by the user", stdout)
        outcome = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(outcome["verdict"], "inconclusive")
        self.assertGreater(outcome["executions"], 0)

    def test_nothing_is_left_behind(self):
        self.write("endless.c", ENDLESS_SEARCH)
        process = self.start("check", "endless.c")
        self.wait_for_worker(process, "endless")
        self.assertTrue(self.running_here())
        process.kill()
        process.communicate(timeout=30)
        self.wait_for(lambda: not self.running_here(), "the program under test ends too")

    def running_here(self):
        done = subprocess.run(
            ["sh", "-c", "ls -l /proc/[0-9]*/exe 2>/dev/null"], capture_output=True, text=True
        )
        return str(self.folder.resolve()) in done.stdout


class Compare(CliTest):
    def rows(self, *arguments, expect):
        self.write("counter.c", COUNTER)
        result = self.mazurka("check", "counter.c", "--json", "out.json", *arguments, expect=expect)
        return result, json.loads((self.folder / "out.json").read_text())

    def alone(self, technique):
        return self.json_of("check", "counter.c", "--technique", technique, expect=VERIFIED)

    def test_each_technique_counts_as_alone(self):
        names = ["source", "optimal", "exhaustive"]
        result, outcome = self.rows("--compare", ",".join(names), expect=VERIFIED)
        self.assertEqual([row["technique"] for row in outcome["comparison"]], names)
        for row in outcome["comparison"]:
            alone = self.alone(row["technique"])
            for key in ("executions", "asleep", "events", "verdict"):
                self.assertEqual(row[key], alone[key], (row["technique"], key))
            self.assertRegex(result.stdout, rf"(?m)^  {row['technique']} +{row['executions']} ")
            self.assertGreater(row["processor_seconds"], 0)
        self.assertRegex(result.stdout, r"(?m)^  technique +executions +in vain +events +time +processors +memory +verdict$")
        # All else is of the first.
        self.assertEqual(outcome["technique"], "source")
        self.assertEqual(outcome["executions"], outcome["comparison"][0]["executions"])

    def test_wrong_lists_are_refused(self):
        self.write("counter.c", COUNTER)
        for options, wanted in ((("--compare", "optimal,nosuch"), "nosuch"), (("--compare", ","), "names of techniques"),
                                (("--compare=optimal", "--technique", "dpor"), "one technique"),
                                (("--compare=optimal", "--save", "x"), "one technique")):
            result = self.mazurka("check", "counter.c", *options, expect=ERROR)
            self.assertIn(wanted, result.stderr)

    def test_words_for_the_program_stay_as_they_are(self):
        self.write("words.c", "int main(int n, char** w) { return n == 2 && w[1][2] == 'c' ? 0 : 1; }")
        self.run_command([MAZURKA.parent / "mazurka-cc", "words.c", "-o", "words"])
        self.mazurka("check", "./words", "--compare", "optimal,source", "--exit-code", "finding", "--", "--compare=a",
                     expect=VERIFIED)


class Json(CliTest):
    KEYS = {
        "schema_version", "mazurka_version", "verdict", "verdict_in_words", "reason", "program",
        "technique", "racy", "memory", "executions", "asleep", "events", "seconds", "processor_seconds", "findings", "notes", "statistics",
        "resume_command", "warnings", "too_large", "tree", "list", "repair", "suppressed_races", "command", "sources", "comparison",
    }

    def test_keys(self):
        self.write("counter.c", COUNTER)
        outcome = self.json_of("check", "counter.c", expect=VERIFIED)
        self.assertEqual(set(outcome), self.KEYS)
        self.assertEqual(outcome["verdict"], "verified")
        self.assertEqual(outcome["findings"], [])

    def test_file_and_finding(self):
        self.write("counter.c", COUNTER)
        self.mazurka("check", "counter.c", "-DRACE", "--json", "out.json", expect=FINDING)
        outcome = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(outcome["verdict"], "finding")
        finding = outcome["findings"][0]
        self.assertEqual(finding["kind"], "data race")
        self.assertTrue(all(len(decision) == 2 for decision in finding["schedule"]))
        self.assertEqual(sum(row["failing"] for row in finding["story"]["rows"]), 2)
        self.assertIn("replay", finding["replay"])

    def test_error(self):
        outcome = self.json_of("check", "nowhere.c", expect=ERROR)
        self.assertEqual(outcome["verdict"], "error")
        self.assertIn("nowhere.c", outcome["reason"])

    def test_file_that_can_not_be_written(self):
        self.write("counter.c", COUNTER)
        self.mazurka("check", "counter.c", "--json", "nowhere/out.json", expect=ERROR)


class Looks(CliTest):
    def colored(self, *arguments, **variables):
        result = self.mazurka("check", "counter.c", "-DRACE", *arguments, **variables)
        return "\033[" in result.stdout

    def test_color(self):
        self.write("counter.c", COUNTER)
        self.assertFalse(self.colored())  # not a terminal
        self.assertTrue(self.colored("--color", "always"))
        self.assertFalse(self.colored("--color", "never"))

    def test_terminal(self):
        self.write("counter.c", COUNTER)
        command = f"{MAZURKA} check counter.c -DRACE"
        for variables, expected in (({}, True), ({"NO_COLOR": "1"}, False)):
            result = self.run_command(["script", "-qec", command, "/dev/null"], TERM="xterm",
                                      **variables)
            self.assertEqual("\033[1;31m" in result.stdout, expected)

    def test_plain_locale(self):
        self.write("counter.c", COUNTER)
        result = self.mazurka("check", "counter.c", "-DRACE", LC_ALL="C", expect=FINDING)
        self.assertTrue(result.stdout.isascii())

    def test_narrow_enough(self):
        self.write("counter.c", COUNTER)
        result = self.mazurka("check", "counter.c", "-DRACE", "--racy", expect=FINDING)
        table = result.stdout.split("\n\n")[2]
        self.assertTrue(all(len(line) <= 100 for line in table.splitlines()), table)


class Replay(CliTest):
    def found(self, *flags):
        self.write("counter.c", COUNTER)
        self.mazurka("check", "counter.c", *flags, expect=FINDING)
        return self.schedules()[0]

    def test_reproduces(self):
        schedule = self.found("-DRACE", "--racy")
        result = self.mazurka("replay", schedule, expect=FINDING)
        self.assertIn("reproduced", result.stdout)
        self.assertIn("counter is 1", result.stdout)  # the program's own output is shown
        self.assertRegex(result.stdout, "Assertion")

    def test_same_story_every_time(self):
        schedule = self.found("-DRACE")
        stories = [
            self.json_of("replay", schedule, expect=FINDING)["findings"][0]["story"]
            for _ in range(3)
        ]
        self.assertEqual(stories[0], stories[1])
        self.assertEqual(stories[0], stories[2])

    def test_command_that_was_printed(self):
        self.write("counter.c", COUNTER)
        result = self.mazurka("check", "counter.c", "-DRACE", expect=FINDING)
        command = re.search(r"replay: (.*)", result.stdout).group(1)
        self.assertEqual(self.run_command(["sh", "-c", command]).returncode, FINDING)

    def test_source_has_changed(self):
        schedule = self.found("-DRACE")
        self.write("counter.c", COUNTER + "\n/* another program */\n")
        self.refused("replay", schedule, saying="another program.*changed")

    def test_binary_is_made_again(self):
        schedule = self.found("-DRACE")
        for file in (self.folder / ".mazurka").iterdir():
            if file.suffix != ".schedule":
                file.unlink()
        self.mazurka("replay", schedule, expect=FINDING)

    def test_another_program(self):
        schedule = self.found("-DRACE")
        self.write("deadlock.cpp", DEADLOCK)
        self.refused("replay", schedule, "deadlock.cpp", saying="another program")

    def test_gdb(self):
        schedule = self.found("-DRACE", "--racy")
        printed = self.mazurka("replay", "--gdb", "--print", schedule, expect=0).stdout
        self.assertIn("gdb", printed)
        if shutil.which("gdb") is None:
            self.skipTest("gdb is not installed")
        # gdb reads its commands in order: ours must follow the one about the shell.
        commands = "-batch -ex 'break counter.c:add' -ex run -ex backtrace"
        batch = printed.replace("--args", commands + " --args", 1)
        result = self.run_command(["sh", "-c", batch])
        self.assertRegex(result.stdout, r"add \(argument=")


class Wrappers(CliTest):
    def build(self, *command):
        result = self.run_command([MAZURKA.parent / command[0], *command[1:]])
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_separate_compilation(self):
        self.write("counter.c", COUNTER)
        self.build("mazurka-cc", "-DRACE", "-O1", "-c", "counter.c", "-o", "counter.o")
        self.build("mazurka-cc", "counter.o", "-o", "counter")
        result = self.mazurka("check", "./counter", expect=FINDING)
        self.assertIn("Data race: counter", result.stdout)
        self.mazurka("replay", self.schedules()[0], expect=FINDING)

    def test_binary_that_changed(self):
        self.write("counter.c", COUNTER)
        self.build("mazurka-cc", "-DRACE", "counter.c", "-o", "counter")
        self.mazurka("check", "./counter", expect=FINDING)
        self.build("mazurka-cc", "counter.c", "-o", "counter")
        self.refused("replay", self.schedules()[0], saying="another program")

    def test_arguments_reach_the_program(self):
        self.write("arguments.c", """
            #include <assert.h>
            #include <string.h>
            int main(int argc, char **argv) {
              assert(argc == 3 && strcmp(argv[1], "--racy") == 0 && strcmp(argv[2], "a b") == 0);
              return 0;
            }""")
        self.build("mazurka-cc", "arguments.c", "-o", "arguments")
        self.mazurka("check", "./arguments", "--", "--racy", "a b", expect=VERIFIED)
        self.mazurka("check", "./arguments", "other", expect=FINDING)

    def test_cplusplus_and_clang(self):
        self.write("deadlock.cpp", DEADLOCK)
        compilers = ["gcc"] + (["clang"] if shutil.which("clang++") else [])
        for compiler in compilers:
            result = self.mazurka("check", "deadlock.cpp", "--compiler", compiler, expect=FINDING)
            self.assertRegex(result.stdout, r"mutex left, held by main \(locked at deadlock\.cpp:11")

    def test_no_other_sanitizer_runtime(self):
        self.write("deadlock.cpp", DEADLOCK)
        self.build("mazurka-c++", "deadlock.cpp", "-o", "deadlock")
        libraries = self.run_command(["ldd", "./deadlock"]).stdout
        self.assertIn("libmazurka-threads.so", libraries)
        self.assertNotIn("libtsan", libraries)

    def test_questions_to_the_compiler(self):
        self.assertIn("gcc", self.build("mazurka-cc", "--version").stdout)
        self.build("mazurka-cc", "-dumpmachine")
        self.write("counter.c", COUNTER)
        self.assertIn("pthread_create", self.build("mazurka-cc", "-E", "counter.c").stdout)

    def test_static_linking_is_refused(self):
        self.write("counter.c", COUNTER)
        result = self.run_command([MAZURKA.parent / "mazurka-cc", "-static", "counter.c"])
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("shared library", result.stderr)


if __name__ == "__main__":
    unittest.main()
