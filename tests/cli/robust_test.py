"""Runs that are interrupted, killed or die, and searches that explore a part.

Every test works in a folder of its own. MAZURKA names the program to test.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

MAZURKA = Path(os.environ.get("MAZURKA", "build/bin/mazurka")).resolve()
VERIFIED, FINDING, ERROR, INCONCLUSIVE = 0, 1, 2, 3

# (n * steps)! / steps!^n traces.
RACERS = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *work(void *argument) {
  for (int i = 0; i < STEPS; ++i) atomic_fetch_add(&x, i);
  return argument;
}
int main(void) {
  pthread_t t[PROCESSES];
  for (int i = 0; i < PROCESSES; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < PROCESSES; ++i) pthread_join(t[i], NULL);
  return 0;
}
"""

RAW_CALL = """
#include <sys/syscall.h>
/* Behind the runtime's back. */
static long raw_call(long number, long one, long two) {
#if defined(__aarch64__)
  register long x0 __asm__("x0") = one;
  register long x1 __asm__("x1") = two;
  register long x8 __asm__("x8") = number;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x8) : "memory");
  return x0;
#else
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(one), "S"(two)
                   : "rcx", "r11", "memory");
  return result;
#endif
}
"""

# Whoever sees the other's store first does what no handler survives.
SUICIDE = RAW_CALL + """
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>
atomic_int x, y;
static void *one(void *argument) {
  atomic_store(&x, 1);
  if (atomic_load(&y) == 1) raw_call(SYS_kill, raw_call(SYS_getpid, 0, 0), SIGKILL);
  return argument;
}
static void *two(void *argument) {
  atomic_store(&y, 1);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""

GLUTTON = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
atomic_int x;
static void *eat(void *argument) {
  if (atomic_fetch_add(&x, 1) == 1) {
    for (;;) {
      void *block = mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (block != MAP_FAILED) memset(block, 1, 1 << 24);
    }
  }
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, eat, NULL);
  atomic_fetch_add(&x, 1);
  pthread_join(a, NULL);
  return 0;
}
"""

# The assertion fails if the second process runs between the first one's two steps.
NARROW = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *add(void *argument) {
  for (int i = 0; i < 3; ++i) atomic_store(&x, atomic_load(&x) + 1);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(atomic_load(&x) == 6);
  return 0;
}
"""

DEADLOCK = """
#include <pthread.h>
pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *argument) {
  pthread_mutex_lock(&right);
  pthread_mutex_lock(&left);
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  pthread_join(t, NULL);
  return 0;
}
"""

# What the runtime learns on the way, or names, must be there for whoever goes on: places of waiting
# loops, crowded barriers, shared locals, heap blocks, thread-local variables, read-write locks.
LEARNED = {
    "spin": """
#include <pthread.h>
#include <stdatomic.h>
atomic_int lock, entered;
static void *work(void *argument) {
  int local = 0;
  while (atomic_exchange(&lock, 1)) {}
  for (int i = 0; i < 2; ++i) local += atomic_fetch_add(&entered, 1);
  atomic_store(&lock, 0);
  while (atomic_load(&entered) < 4) {}
  return argument;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  return 0;
}
""",
    "rwlock": """
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;
static void *reader(void *argument) {
  for (int i = 0; i < 2; ++i) {
    pthread_rwlock_rdlock(&lock);
    assert(value % 2 == 0);
    pthread_rwlock_unlock(&lock);
  }
  return argument;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, reader, NULL);
  for (int i = 0; i < 2; ++i) {
    pthread_rwlock_wrlock(&lock);
    value++;
    value++;
    pthread_rwlock_unlock(&lock);
  }
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return 0;
}
""",
    "heap": """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; atomic_int seen; };
_Atomic(struct node *) top;
static void *push(void *argument) {
  struct node *node = malloc(sizeof *node);
  atomic_init(&node->seen, 0);
  struct node *old = atomic_load(&top);
  do node->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, node));
  atomic_fetch_add(&node->seen, 1);
  if (old) atomic_fetch_add(&old->seen, 1);
  return argument;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, push, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  for (struct node *at = atomic_load(&top); at;) {
    struct node *next = at->next;
    free(at);
    at = next;
  }
  return 0;
}
""",
    "crowd": """
#include <pthread.h>
pthread_barrier_t barrier;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument) {
  pthread_barrier_wait(&barrier);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}
int main(void) {
  pthread_t t[4];
  pthread_barrier_init(&barrier, NULL, 2);
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], NULL);
  return 0;
}
""",
    "locals": """
#include <pthread.h>
#include <stdatomic.h>
static _Thread_local atomic_int own;
_Atomic(atomic_int *) shown[2];
static void *work(void *argument) {
  long number = (long)argument;
  atomic_store(&shown[number], &own);
  atomic_int *other = atomic_load(&shown[1 - number]);
  if (other) atomic_fetch_add(other, 1);
  atomic_fetch_add(&own, 1);
  atomic_fetch_add(&own, 1);
  return NULL;
}
int main(void) {
  pthread_t t[2];
  atomic_int on_stack;
  atomic_init(&on_stack, 0);
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, (void *)i);
  atomic_fetch_add(&on_stack, 1);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return 0;
}
""",
    "notes": """
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
atomic_int x;
static void *work(void *argument) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  atomic_fetch_add(&x, 1);
  return argument;
}
int main(void) {
  pthread_t t[2];
  if (__VERIFIER_nondet_int() < 0) atomic_store(&x, 7);
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, NULL);
  __VERIFIER_assume(atomic_load(&x) < 9);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return 0;
}
""",
}

# One thread ends the program behind the runtime's back, if it comes first.
RAW_EXIT = RAW_CALL + """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *one(void *argument) {
  if (atomic_fetch_add(&x, 1) == 0) raw_call(SYS_exit_group, 3, 0);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  atomic_fetch_add(&x, 1);
  pthread_join(t, NULL);
  return 0;
}
"""

# KIND says what the thread does if it comes first; the other order is harmless.
CRASHES = RAW_CALL + """
#include <atomic>
#include <cassert>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <pthread.h>
#include <stdexcept>
#include <unistd.h>
std::atomic<int> x;
volatile int zero;
int deep(int n) {
  volatile char room[4096];
  room[0] = static_cast<char>(n);
  return n < 0 ? 0 : deep(n + 1) + room[0];
}
void *one(void *argument) {
  if (x.fetch_add(1) == 0) {
#if KIND == 0
    *reinterpret_cast<volatile int *>(zero) = 1;
#elif KIND == 1
    deep(0);
#elif KIND == 2
    abort();
#elif KIND == 3
    throw std::runtime_error("thrown");
#elif KIND == 4
    raw_call(SYS_kill, raw_call(SYS_getpid, 0, 0), SIGFPE);
#elif KIND == 5
    __builtin_trap();
#elif KIND == 6
    raw_call(SYS_kill, raw_call(SYS_getpid, 0, 0), SIGKILL);
#elif KIND == 7
    std::terminate();
#elif KIND == 8
    reinterpret_cast<void (*)()>(16)();
#elif KIND == 9
    raw_call(SYS_kill, raw_call(SYS_getpid, 0, 0), SIGTERM);
#endif
  }
  return argument;
}
int main() {
  pthread_t t;
  pthread_create(&t, nullptr, one, nullptr);
  x.fetch_add(1);
  pthread_join(t, nullptr);
}
"""

# What is shared lies on the stack of main.
LOCALS = """
#include <cassert>
#include <mutex>
#include <thread>
struct Account { std::mutex guard; int balances[2] = {0, 0}; };
int main() {
  Account account;
  std::thread other([&] {
    const std::lock_guard<std::mutex> guard(account.guard);
    account.balances[1] = 1;
  });
  {
    const std::lock_guard<std::mutex> guard(account.guard);
    assert(account.balances[1] == 0);
  }
  other.join();
}
"""


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="mazurka-robust-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run_command(self, *words, **variables):
        return subprocess.run(
            [str(word) for word in words],
            cwd=self.folder,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def check(self, *arguments, expect=None, **variables):
        """The exit code, the text and the report."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        done = self.run_command(MAZURKA, "check", *arguments, "--json", report, **variables)
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
        script = Path(__file__).with_name("interrupt.py")
        done = self.run_command(
            "python3", script, "--points", 3, "--small", "--mazurka", MAZURKA
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_damaged_and_foreign_files_are_refused(self):
        self.check(*self.racers(3, 2), "--max-executions", 10, expect=INCONCLUSIVE)
        good = self.saved().read_bytes()
        bad = self.folder / "bad.exploration"

        def refused(saying):
            written = bad.read_bytes() if bad.exists() else None
            done = self.run_command(MAZURKA, "check", "--resume", bad)
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
            done = self.run_command(MAZURKA, "check", "--resume", self.saved(), *option)
            self.assertEqual(done.returncode, ERROR, done.stdout)

    def test_a_technique_that_can_not_be_saved_says_so(self):
        done = self.run_command(
            MAZURKA, "check", *self.racers(2, 1), "--technique", "random", "--save", "x"
        )
        self.assertEqual(done.returncode, ERROR)
        self.assertIn("can not save", done.stderr)
        for technique in ("source-context", "optimal-context", "optimal-observers"):
            how = [*self.racers(3, 2), "--technique", technique]
            done = self.run_command(MAZURKA, "check", *how, "--save", "x")
            self.assertEqual(done.returncode, ERROR, technique)
            self.assertIn("can not save", done.stderr)
            done, report = self.check(*how, "--max-executions", 5, expect=INCONCLUSIVE)
            self.assertIn("can not save its exploration", done.stdout)
            self.assertIsNone(self.saved())
            self.assertEqual(report["resume_command"], "")

    def test_other_kinds_of_programs_can_not_be_saved(self):
        examples = Path(__file__).resolve().parents[2] / "examples"
        for program in ("actors/shop.cpp", "automata/philosophers.tck"):
            done = self.run_command(MAZURKA, "check", examples / program, "--save", "x")
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
        again = self.run_command(*finding["replay"].split())
        self.assertEqual(again.returncode, FINDING, again.stdout + again.stderr)
        self.assertIn("killed by SIGKILL", again.stdout)

    def test_the_search_goes_on_after_it(self):
        self.write("suicide.c", SUICIDE)
        for technique in ("exhaustive", "source", "optimal"):
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
            again = self.run_command(*finding["replay"].split())
            self.assertEqual(again.returncode, FINDING, again.stdout + again.stderr)

    def test_a_program_that_leaves_behind_our_back(self):
        self.write("leaves.c", RAW_EXIT)
        _, report = self.check("leaves.c", "--keep-going", expect=FINDING)
        finding = report["findings"][0]
        self.assertIn("ended itself with exit code 3", finding["message"])
        self.assertTrue(finding["story"]["rows"])
        self.assertEqual(report["executions"], 2)
        again = self.run_command(*finding["replay"].split())
        self.assertEqual(again.returncode, FINDING, again.stdout + again.stderr)

    def test_memory(self):
        self.write("glutton.c", GLUTTON)
        done, report = self.check(
            "glutton.c", "--max-memory", "100M", "--max-stall", "60s", expect=FINDING
        )
        finding = report["findings"][0]
        self.assertIn("more memory than --max-memory", finding["message"])
        self.assertTrue(finding["story"]["rows"])
        again = self.run_command(*finding["replay"].split())
        self.assertEqual(again.returncode, FINDING, again.stdout + again.stderr)
        done = self.run_command(MAZURKA, "check", "glutton.c", "--max-memory", "much")
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
        done = self.run_command(
            MAZURKA, "check", "narrow.c", "--preemptions", "1", "--technique", "optimal"
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
        again = self.run_command(*report["findings"][0]["replay"].split())
        self.assertEqual(again.returncode, FINDING)

    def test_the_circle_of_a_deadlock_is_drawn(self):
        self.write("deadlock.c", DEADLOCK)
        done, report = self.check("deadlock.c", expect=FINDING)
        drawing = report["findings"][0]["story"]["drawing"]
        self.assertEqual(len(drawing), 3)
        self.assertIn("+-> main --[right]--> T1", done.stdout)

    def test_the_circle_of_read_write_locks(self):
        self.write(
            "rwlocks.c", DEADLOCK.replace("mutex_lock", "rwlock_wrlock").replace("mutex", "rwlock")
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
        self.write("deadlock.c", DEADLOCK)
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
        done = self.run_command(MAZURKA, "check", "narrow.c", MAZURKA_OPTIONS="--tecnique x")
        self.assertEqual(done.returncode, ERROR)

    def test_manual_and_completions_know_every_option(self):
        help_text = self.run_command(MAZURKA, "check", "--help").stdout
        lines = [line.split() for line in help_text.splitlines()]
        options = {words[0] for words in lines if words and words[0].startswith("--")}
        self.assertGreater(len(options), 20)
        manual = self.run_command(MAZURKA, "manual", "man").stdout.replace("\\-", "-")
        for text in (manual, *(self.run_command(MAZURKA, "manual", f).stdout for f in ("bash", "zsh"))):
            for option in options:
                self.assertIn(option, text)
        bash = self.run_command(MAZURKA, "manual", "bash").stdout
        (self.folder / "completion").write_text(bash)
        done = self.run_command(
            "bash", "-c",
            "source ./completion; COMP_WORDS=(mazurka check --tech); COMP_CWORD=2; _mazurka;"
            " echo ${COMPREPLY[@]}",
        )
        self.assertEqual(done.stdout.strip(), "--technique", done.stderr)


if __name__ == "__main__":
    unittest.main()
