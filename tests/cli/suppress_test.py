"""Data races that the user accepts: suppressions, and volatile variables as atomic ones."""

import json
import unittest

from calling import ERROR, FINDING, INCONCLUSIVE, VERIFIED, InFolder

# Two threads count in a static, in a struct, or in a heap block; a third race is in other().
STATISTICS = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct statistics { long hits; long misses; };
int counter;
struct statistics statistics;
struct node { int key; int value; };
struct node *shared;
int plain;
__attribute__((noinline)) static void count(void) {
#if defined(STRUCT)
  statistics.misses++;
#elif defined(HEAP)
  shared->value++;
#else
  counter++;
#endif
}
__attribute__((noinline)) static void bump(void) { count(); }
__attribute__((noinline)) static void other(void) {
#ifdef OTHER
  plain++;
#endif
}
static void *work(void *argument) {
  bump();
  other();
  return argument;
}
int main(void) {
  pthread_t a, b;
  shared = malloc(sizeof *shared);
  shared->value = 0;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(shared);
  return 0;
}
"""

# The accepted race is on `ready`; only some orders of its accesses lead to the failure.
CONSEQUENCE = """
#include <assert.h>
#include <pthread.h>
int ready;
static void *set(void *argument) {
  ready = 1;
  ready = 2;
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, set, NULL);
  assert(ready != 1);
  pthread_join(a, NULL);
  return 0;
}
"""

# `first` and `second` both write before `reader` reads: the later write must not hide the earlier.
HIDDEN = """
#include <pthread.h>
int value;
__attribute__((noinline)) static void first(void) { value = 1; }
__attribute__((noinline)) static void second(void) { value = 2; }
static void *write_it(void *argument) {
  first();
  second();
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, write_it, NULL);
  int seen = value;
  pthread_join(a, NULL);
  return seen & 0;
}
"""

# Freed by one thread while the other may still read it.
FREED = """
#include <pthread.h>
#include <stdlib.h>
int *block;
static void *peek(void *argument) {
  volatile int seen = *block;
  (void)seen;
  return argument;
}
int main(void) {
  pthread_t a;
  block = calloc(1, sizeof *block);
  pthread_create(&a, NULL, peek, NULL);
  free(block);
  pthread_join(a, NULL);
  return 0;
}
"""

LOCAL = """
#include <thread>
int main() {
  int visitors = 0;
  std::thread guest([&] { visitors++; });
  visitors++;
  guest.join();
}
"""

VOLATILE = """
#include <assert.h>
#include <pthread.h>
volatile int ready;
int data;
static void *produce(void *argument) {
#ifdef MESSAGE
  data = 1;
#endif
  ready = ready + 1;
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, produce, NULL);
#ifdef ALL_ORDERS
  int before = ready;
  assert(!(before == 0 && ready == 1));
#endif
#ifdef MESSAGE
  if (ready) assert(data == 1);
#endif
  ready = 5;
  pthread_join(a, NULL);
  return 0;
}
"""

SPIN = """
#include <pthread.h>
volatile int ready;
static void *set(void *argument) { ready = 1; return argument; }
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, set, NULL);
  while (!ready) {}
  pthread_join(a, NULL);
  return 0;
}
"""


class Suppress(InFolder):
    def check(self, *arguments, expect):
        return self.mazurka("check", *arguments, expect=expect).stdout

    def test_compilers_levels_and_kinds_of_variables(self):
        name = self.write("s.c", STATISTICS)
        for compiler in ("gcc", "clang"):
            for level in ("-O0", "-O2"):
                for where, variable in (
                    ("STATIC", "^counter$"),
                    ("STRUCT", "statistics.misses"),
                    ("HEAP", "node.value"),
                ):
                    with self.subTest(compiler=compiler, level=level, where=where):
                        how = [name, "--compiler", compiler, level, "-D" + where]
                        self.check(*how, expect=FINDING)
                        for pattern in (variable, "^count$", "bump", "s.c"):
                            out = self.check(
                                *how, "--suppress", "race:" + pattern, expect=VERIFIED
                            )
                            self.assertRegex(out, r"VERIFIED.*no finding, [1-9] races? suppressed")
                            self.assertIn("suppressed by --suppress race:" + pattern, out)
                            self.assertRegex(out, r"in \d+ executions?")

    def test_race_that_does_not_match_is_found(self):
        name = self.write("s.c", STATISTICS)
        for pattern in ("race:miscount", "race:^ount$", "race_top:bump", "race:counter$x"):
            out = self.check(name, "--suppress", pattern, expect=FINDING)
            self.assertIn("Data race: counter", out)
        out = self.check(name, "--suppress", "race_top:count", expect=VERIFIED)
        self.assertIn("suppressed", out)

    def test_another_race_is_not_hidden(self):
        name = self.write("s.c", STATISTICS)
        for compiler in ("gcc", "clang"):
            out = self.check(
                name, "-DOTHER", "--compiler", compiler, "--suppress", "race:counter", expect=FINDING
            )
            self.assertIn("Data race: plain", out)
            self.assertNotIn("Data race: counter", out)
            both = ["--suppress", "race:counter", "--suppress", "race:^plain$"]
            self.check(name, "-DOTHER", "--compiler", compiler, *both, expect=VERIFIED)

    def test_later_access_does_not_hide_an_earlier_one(self):
        name = self.write("h.c", HIDDEN)
        out = self.check(name, "--suppress", "race:second", expect=FINDING)
        self.assertIn("first (h.c:4)", out)
        out = self.check(name, "--suppress", "race:first", expect=FINDING)
        self.assertIn("second (h.c:5)", out)
        self.check(name, "--suppress", "race:first", "--suppress", "race:second", expect=VERIFIED)

    def test_consequences_of_an_accepted_race_are_found(self):
        name = self.write("c.c", CONSEQUENCE)
        out = self.check(name, "--suppress", "race:ready", expect=FINDING)
        self.assertIn("Assertion `ready != 1` fails", out)
        for technique in ("source", "dpor", "exhaustive", "optimal"):
            how = ["--technique", technique, "--suppress", "race:ready"]
            self.check(name, *how, expect=FINDING)

    def test_memory_error_behind_an_accepted_race(self):
        name = self.write("f.c", FREED)
        out = self.check(name, "--suppress", "race:peek", expect=FINDING)
        self.assertIn("Memory error", out)

    def test_local_variable(self):
        name = self.write("l.cpp", LOCAL)
        self.assertIn("visitors", self.check(name, expect=FINDING))
        for compiler in ("gcc", "clang"):
            how = ["--compiler", compiler, "--suppress", "race:visitors"]
            self.check(name, *how, expect=VERIFIED)

    def test_file_as_thread_sanitizer_reads_it(self):
        name = self.write("s.c", STATISTICS)
        file = self.write(
            "races.txt",
            "# what we know of\n\n  race:^cou*er$  \ndeadlock:whatever\ncalled_from_lib:libx.so\n"
            "race:never_there\n",
        )
        self.mazurka("check", name, "--suppressions", file, "--json", "o.json", expect=VERIFIED)
        outcome = json.loads((self.folder / "o.json").read_text())
        self.assertRegex(outcome["verdict_in_words"], r"^verified, \d races? suppressed$")
        self.assertEqual(
            {one["by"] for one in outcome["suppressed_races"]}, {"races.txt:3 (race:^cou*er$)"}
        )
        self.assertGreater(outcome["suppressed_races"][0]["executions"], 0)
        notes = "\n".join(outcome["notes"])
        self.assertIn("races.txt: line 4, 5: about reports that Mazurka does not make", notes)
        self.assertIn("no race matches races.txt:6 (race:never_there)", notes)

    def test_replay_and_resume_keep_them(self):
        name = self.write("s.c", STATISTICS)
        out = self.check(name, "-DOTHER", "--suppress", "race:counter", expect=FINDING)
        schedule = out.split("replay: ")[1].split()[-1]
        again = self.mazurka("replay", schedule, expect=FINDING).stdout
        self.assertIn("Data race: plain", again)
        how = ["--suppress", "race:counter", "--max-executions", "2", "--save", "x.exploration"]
        out = self.check(name, *how, expect=INCONCLUSIVE)
        out = self.check("--resume", "x.exploration", expect=VERIFIED)
        self.assertRegex(out, r"\d races? suppressed")
        self.mazurka("check", "--resume", "x", "--suppress", "race:x", expect=ERROR)

    def test_replay_where_the_accepted_race_decides(self):
        name = self.write("c.c", CONSEQUENCE)
        out = self.check(name, "--suppress", "race:ready", expect=FINDING)
        schedule = out.split("replay: ")[1].split()[-1]
        again = self.mazurka("replay", schedule, expect=FINDING).stdout
        self.assertIn("Assertion `ready != 1` fails", again)

    def test_mistakes(self):
        name = self.write("s.c", STATISTICS)
        for word, message in (
            ("counter", "'counter' is no suppression; write KIND:PATTERN"),
            ("rase:counter", "there is no kind of suppression 'rase'"),
            ("race:", "has no name to look for"),
            ("race:*", "has no name to look for"),
            ("deadlock:x", "only data races can be accepted"),
        ):
            result = self.mazurka("check", name, "--suppress", word, expect=ERROR)
            self.assertIn(message, result.stderr)
        file = self.write("bad.txt", "race:x\nnonsense\n")
        result = self.mazurka("check", name, "--suppressions", file, expect=ERROR)
        self.assertIn("bad.txt:2: 'nonsense' is no suppression", result.stderr)
        result = self.mazurka("check", name, "--suppressions", "nowhere", expect=ERROR)
        self.assertIn("nowhere: no such file", result.stderr)
        self.mazurka("check", name, "--racy", "--suppress", "race:x", expect=ERROR)


class Volatile(InFolder):
    def test_no_race_and_every_order(self):
        name = self.write("v.c", VOLATILE)
        for compiler in ("gcc", "clang"):
            for level in ("-O0", "-O2"):
                with self.subTest(compiler=compiler, level=level):
                    how = ["check", name, "--compiler", compiler, level]
                    out = self.mazurka(*how, expect=FINDING).stdout
                    self.assertIn("Data race: ready", out)
                    self.mazurka(*how, "--volatile", "plain", expect=FINDING)
                    out = self.mazurka(*how, "--volatile", "atomic", expect=VERIFIED).stdout
                    self.assertIn("under sequential consistency", out)
                    how += ["-DALL_ORDERS", "--volatile", "atomic"]
                    out = self.mazurka(*how, expect=FINDING).stdout
                    self.assertIn("Assertion", out)

    def test_it_orders_nothing(self):
        name = self.write("v.c", VOLATILE)
        how = ["check", name, "-DMESSAGE", "--volatile", "atomic"]
        self.assertIn("Data race: data", self.mazurka(*how, expect=FINDING).stdout)

    def test_waiting_loop(self):
        name = self.write("w.c", SPIN)
        for compiler in ("gcc", "clang"):
            how = ["check", name, "--compiler", compiler, "--volatile", "atomic"]
            self.mazurka(*how, expect=VERIFIED)

    def test_replay_and_resume_keep_it(self):
        name = self.write("v.c", VOLATILE)
        how = ["check", name, "-DALL_ORDERS", "--volatile", "atomic"]
        out = self.mazurka(*how, expect=FINDING).stdout
        schedule = out.split("replay: ")[1].split()[-1]
        self.assertIn("Assertion", self.mazurka("replay", schedule, expect=FINDING).stdout)
        how = ["check", name, "--volatile", "atomic", "--max-executions", "1"]
        self.mazurka(*how, "--save", "x.exploration", expect=INCONCLUSIVE)
        self.mazurka("check", "--resume", "x.exploration", expect=VERIFIED)


if __name__ == "__main__":
    unittest.main()
