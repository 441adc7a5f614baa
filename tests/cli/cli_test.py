"""The program as a user calls it: what is printed where, and with which exit code.

Every test works in a folder of its own. MAZURKA names the program to test.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

MAZURKA = Path(os.environ.get("MAZURKA", "build/bin/mazurka")).resolve()
VERIFIED, FINDING, ERROR, INCONCLUSIVE = 0, 1, 2, 3

# Two processes add to one variable: with a mutex, or without.
COUNTER = """
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
int counter;
pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *argument) {
#ifndef RACE
  pthread_mutex_lock(&guard);
#endif
  counter++;
#ifndef RACE
  pthread_mutex_unlock(&guard);
#endif
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("counter is %d\\n", counter);
  assert(counter == 2);
  return 0;
}
"""

# What the first process looks for is done by the last one, after a hundred thousand ways to do less.
LARGE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int work, done;
static void *add(void *number) {
  if (number == 0) assert(atomic_load(&done) == 0);
  for (int i = 0; i < 12; i++) atomic_fetch_add(&work, 1);
  if (number != 0) atomic_store(&done, 1);
  return number;
}
int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, (void *)(i / 2));
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
"""

CROWD = """
#include <pthread.h>
static void *nothing(void *argument) { return argument; }
int main(void) {
  for (;;) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
  }
}
"""

DEADLOCK = """
#include <mutex>
#include <thread>
std::mutex left, right;
int main() {
  std::thread other([] {
    std::lock_guard<std::mutex> first(right);
    std::lock_guard<std::mutex> second(left);
  });
  {
    std::lock_guard<std::mutex> first(left);
    std::lock_guard<std::mutex> second(right);
  }
  other.join();
}
"""

# Far too many interleavings to ever finish.
ENDLESS_SEARCH = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *work(void *argument) {
  for (int i = 0; i < 50; ++i) atomic_fetch_add(&x, i);
  return argument;
}
int main(void) {
  pthread_t t[6];
  for (int i = 0; i < 6; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 6; ++i) pthread_join(t[i], NULL);
  return 0;
}
"""

ENDLESS_LOOP = """
#include <pthread.h>
static void *spin(void *argument) {
  for (volatile unsigned i = 0;; ++i) {
  }
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, spin, NULL);
  pthread_join(t, NULL);
  return 0;
}
"""

# A number that the schedule does not fix decides what the process does next.
NONDETERMINISTIC = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int x, y[64];
static void *work(void *argument) {
  FILE *chance = fopen("/dev/urandom", "r");
  int random = chance == NULL ? 0 : fgetc(chance);
  if (chance != NULL) fclose(chance);
  atomic_store(&y[random % 64], 1);
  atomic_fetch_add(&x, 1);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="mazurka-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR",)}

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run_command(self, command, **variables):
        return subprocess.run(
            [str(word) for word in command],
            cwd=self.folder,
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def mazurka(self, *arguments, expect=None, **variables):
        result = self.run_command([MAZURKA, *arguments], **variables)
        if expect is not None:
            self.assertEqual(
                result.returncode, expect, f"stdout:\n{result.stdout}\nstderr:\n{result.stderr}"
            )
        return result

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
        self.refused(saying="[Ss]ubcommand")

    def test_missing_file(self):
        self.refused("check", "nowhere.c", saying=r"nowhere\.c: no such file")
        self.refused("check", "./nowhere", saying="no such file")

    def test_does_not_compile(self):
        self.write("bad.c", "int main(void) { return undeclared; }\n")
        result = self.refused("check", "bad.c", saying=r"bad\.c does not compile")
        self.assertIn("undeclared", result.stderr)

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

    def test_every_technique(self):
        self.write("counter.c", COUNTER)
        listed = [line.split()[0] for line in self.mazurka("techniques").stdout.splitlines()]
        for name in ("exhaustive", "sleep", "dpor", "source", "source-context", "optimal",
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

    def test_counts_of_context_programs(self):
        programs = Path(__file__).resolve().parents[2] / "bench" / "context"
        expected = [
            ("running", "", {"optimal": 12, "optimal-observers": 11, "source-context": 6,
                             "optimal-context": 5, "optimal-context-observers": 5}),
            ("arraywrite", "-DN=20", {"optimal-context": 1, "optimal-context-observers": 1,
                                      "optimal-context-observers:whole-states": 1,
                                      "source-context:chains": 1}),
            ("tasks", "-DINNER=7", {"optimal": 128, "optimal-context-observers": 1,
                                    "source-context:cut,guide": 1}),
            ("boundedbuffer", "-DN=5", {"optimal": 252, "optimal-context": 53,
                                        "optimal-context:whole-states": 53}),
        ]
        for name, flag, counts in expected:
            binary = self.folder / name
            built = self.run_command([MAZURKA.parent / "mazurka-c++", "-g", "-O0", "-std=c++17",
                                      programs / f"{name}.cpp", *flag.split(), "-o", binary])
            self.assertEqual(built.returncode, 0, built.stderr)
            for technique, count in counts.items():
                with self.subTest(program=name, technique=technique):
                    outcome = self.json_of("check", binary, "--racy", "--keep-going",
                                           "--technique", technique)
                    self.assertEqual(outcome["executions"], count)

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
        result = self.mazurka("check", "crowd.c", "--max-time", "1s", expect=INCONCLUSIVE)
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
        binary_ready = time.monotonic() + 60
        while time.monotonic() < binary_ready and not list(self.folder.glob(".mazurka/endless-*")):
            time.sleep(0.05)
        time.sleep(1.5)
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
        time.sleep(2.5)
        process.kill()
        process.communicate(timeout=30)
        time.sleep(0.5)
        running = subprocess.run(
            ["sh", "-c", "ls -l /proc/[0-9]*/exe 2>/dev/null"], capture_output=True, text=True
        )
        self.assertNotIn(str(self.folder.resolve()), running.stdout)


class Json(CliTest):
    KEYS = {
        "schema_version", "mazurka_version", "verdict", "reason", "program", "technique", "racy",
        "executions", "asleep", "events", "seconds", "findings", "notes", "statistics",
        "resume_command",
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
