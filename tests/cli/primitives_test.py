#!/usr/bin/env python3
"""Primitives of threads: every technique finds the same, whatever a process waits for and whoever
fails; misuse is told; the runtime keeps out of the program's names and memory; nothing is forgotten
by an exploration that is saved."""

import json
import unittest

from calling import ERROR, FINDING, INCONCLUSIVE, MAZURKA, VERIFIED, InFolder

TECHNIQUES = (
    "optimal",
    "reverse",
    "source",
    "sleep",
    "optimal-observers",
    "source-context",
    "source-context:cut",
    "source-context:cut,guide",
    "source-context:chains",
    "optimal-context",
    "optimal-context-observers",
)

COMMON = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_t go(void *(*f)(void *), long a) {
  pthread_t t;
  pthread_create(&t, 0, f, (void *)a);
  return t;
}
static void wait_for(pthread_t t) { pthread_join(t, 0); }
// Each value that can come out is a finding of its own.
static void outcome(int value) {
  switch (value) {
    case 0: assert(!"outcome 0");
    case 1: assert(!"outcome 1");
    case 2: assert(!"outcome 2");
    case 3: assert(!"outcome 3");
    case 4: assert(!"outcome 4");
    case 5: assert(!"outcome 5");
    default: assert(!"another outcome");
  }
}
"""

# What may happen, as the last words of the findings' messages.
SAME_FINDINGS = {
    "a signal that comes too early, and another": (
        {"n<2"},
        r"""
static int flag;
static void *t0(void *_) { pthread_cond_signal(&c); return 0; }
static void *t1(void *_) {
  int n = 0;
  pthread_mutex_lock(&m);
  while (!flag) { pthread_cond_wait(&c, &m); n++; }
  pthread_mutex_unlock(&m);
  assert(n<2);
  return 0;
}
int main(void) {
  pthread_t a = go(t0, 0), b = go(t1, 0);
  wait_for(a);
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  wait_for(b);
}
""",
    ),
    "a signal that comes in time or too early": (
        {"0", "deadlock"},
        r"""
static void *t0(void *_) { pthread_cond_signal(&c); return 0; }
static void *t1(void *_) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  outcome(0);
  return 0;
}
int main(void) { pthread_t a = go(t0, 0), b = go(t1, 0); wait_for(a); wait_for(b); }
""",
    ),
    "a wait that is signalled, times out, or both": (
        {"1", "2", "3"},
        r"""
static int ready, result;
static void *w(void *_) {
  struct timespec t = {0, 0};
  pthread_mutex_lock(&m);
  int r = 0;
  if (!ready) r = pthread_cond_timedwait(&c, &m, &t);
  result = (r == ETIMEDOUT) * 2 + ready;
  pthread_mutex_unlock(&m);
  return 0;
}
static void *s(void *_) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);
  return 0;
}
int main(void) { pthread_t a = go(w, 0), b = go(s, 0); wait_for(a); wait_for(b); outcome(result); }
""",
    ),
    "a wait that times out while the one who signals holds the mutex": (
        {"1", "2", "3"},
        r"""
static int ready, result;
static void *w(void *_) {
  struct timespec t = {0, 0};
  pthread_mutex_lock(&m);
  int r = 0;
  if (!ready) r = pthread_cond_timedwait(&c, &m, &t);
  result = (r == ETIMEDOUT) * 2 + ready;
  pthread_mutex_unlock(&m);
  return 0;
}
static void *s(void *_) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t a = go(w, 0), b = go(s, 0); wait_for(a); wait_for(b); outcome(result); }
""",
    ),
    "an assumption in a block that chooses": (
        set(),
        r"""
extern int __mazurka_choose(int);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
void assume_abort_if_not(int holds) { if (!holds) abort(); }
static int taken[2];
static void *f(void *_) {
  __VERIFIER_atomic_begin();
  const int i = __mazurka_choose(2);
  assume_abort_if_not(!taken[i]);
  assert(taken[0] + taken[1] < 2);
  taken[i] = 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) { go(f, 0); go(f, 0); return 0; }
""",
    ),
    "a timed lock of what the thread holds": (
        {"1"},
        r"""
int main(void) {
  (void)go; (void)wait_for;
  struct timespec t = {0, 0};
  pthread_mutexattr_t how;
  pthread_mutex_t own;
  pthread_mutexattr_init(&how);
  pthread_mutexattr_settype(&how, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&own, &how);
  pthread_mutex_lock(&own);
  outcome(pthread_mutex_timedlock(&own, &t) == EDEADLK ? 1 : 2);
}
""",
    ),
    "a futex with a limited time, and how many are woken": (
        {"0", "1"},
        r"""
static atomic_int word;
static int woken, late;
static void *w(void *_) {
  struct timespec t = {1, 0};
  long r = syscall(SYS_futex, &word, FUTEX_WAIT, 0, &t, 0, 0);
  late = r != 0 && errno == ETIMEDOUT;
  return 0;
}
static void *s(void *_) { woken = syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0); return 0; }
int main(void) {
  pthread_t a = go(w, 0), b = go(s, 0);
  wait_for(a);
  wait_for(b);
  outcome(woken == 1 ? (late ? 3 : 0) : 1);
}
""",
    ),
    "which two of four who wait for a futex": (
        {"0", "1", "2", "3", "4", "5"},
        r"""
static atomic_int word, mask;
static sem_t up;
static void *w(void *a) {
  syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
  atomic_fetch_or_explicit(&mask, 1 << (long)a, memory_order_seq_cst);
  sem_post(&up);
  return 0;
}
int main(void) {
  sem_init(&up, 0, 0);
  for (int i = 0; i < 4; i++) go(w, i);
  if (syscall(SYS_futex, &word, FUTEX_WAKE, 2, 0, 0, 0) != 2) return 0;
  sem_wait(&up);
  sem_wait(&up);
  const int seen = atomic_load(&mask);
  outcome(seen == 3 ? 0 : seen == 5 ? 1 : seen == 6 ? 2 : seen == 9 ? 3 : seen == 10 ? 4 : 5);
}
""",
    ),
    "who comes first at a crowded barrier": (
        {"1", "2", "3"},
        r"""
static pthread_barrier_t b;
static atomic_int mask;
static sem_t up;
static void *f(void *a) {
  pthread_barrier_wait(&b);
  atomic_fetch_or(&mask, 1 << (long)a);
  sem_post(&up);
  return 0;
}
int main(void) {
  sem_init(&up, 0, 0);
  pthread_barrier_init(&b, 0, 2);
  for (int i = 0; i < 3; i++) go(f, i);
  sem_wait(&up);
  sem_wait(&up);
  const int seen = atomic_load(&mask);
  outcome(seen == 3 ? 1 : seen == 5 ? 2 : 3);
}
""",
    ),
    "a thread that fails while others go on": (
        {"0", "1"},
        r"""
static atomic_int x;
static void *bad(void *_) { if (atomic_load(&x) == 0) outcome(0); return 0; }
static void *other(void *_) { if (atomic_exchange(&x, 1) == 0) outcome(1); return 0; }
int main(void) { pthread_t a = go(bad, 0), b = go(other, 0); wait_for(a); outcome(x ? 1 : 2); }
""",
    ),
    "nothing comes after a failure": (
        {"0"},
        r"""
static void *nop(void *_) { return 0; }
static void *bad(void *_) { outcome(0); return 0; }
int main(void) {
  pthread_t p = go(nop, 0), q = go(bad, 0);
  wait_for(p);
  wait_for(q);
  outcome(1);
}
""",
    ),
    "a failure at the very beginning": (
        {"0"},
        r"""
static void *bad(void *_) { outcome(0); return 0; }
int main(void) { wait_for(go(bad, 0)); return 0; }
""",
    ),
    "the serial thread of a barrier": (
        {"1", "2", "3"},
        r"""
static pthread_barrier_t b;
static void *f(void *a) {
  if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) outcome((int)(long)a);
  return 0;
}
int main(void) {
  pthread_barrier_init(&b, 0, 3);
  pthread_t p = go(f, 1), q = go(f, 2);
  f((void *)3);
  wait_for(p);
  wait_for(q);
}
""",
    ),
}

# These have many interleavings.
NOT_EXHAUSTIVELY = {"which two of four who wait for a futex", "who comes first at a crowded barrier"}


class Checks(InFolder):
    def build(self, name, text, *flags):
        self.write(name, text)
        wrapper = "mazurka-cc" if name.endswith(".c") else "mazurka-c++"
        program = name.rsplit(".", 1)[0]
        done = self.run_command([MAZURKA.parent / wrapper, "-g", *flags, name, "-o", program])
        self.assertEqual(done.returncode, 0, done.stderr)
        return "./" + program

    def check(self, *arguments, expect=None):
        (self.folder / "report.json").unlink(missing_ok=True)
        done = self.mazurka("check", "--json", "report.json", *arguments, expect=expect)
        report = self.folder / "report.json"
        return done, json.loads(report.read_text()) if report.exists() else None

    @staticmethod
    def found(report):
        """What was found, each in a word."""
        words = set()
        for finding in report["findings"]:
            message = finding["message"]
            if finding["kind"] != "assertion":
                words.add(finding["kind"])
            elif "outcome " in message:
                words.add(message.split("outcome ")[1][0])
            else:
                words.add(message.split("`")[1])
        return words


class Findings(Checks):
    def test_every_technique_finds_the_same(self):
        for at, (name, (expected, text)) in enumerate(SAME_FINDINGS.items()):
            program = self.build(f"p{at}.c", COMMON + text, "-w")
            techniques = TECHNIQUES
            if name not in NOT_EXHAUSTIVELY:
                techniques = ("exhaustive", *techniques)
            for technique in techniques:
                with self.subTest(program=name, technique=technique):
                    _, report = self.check("--keep-going", "--technique", technique, program)
                    self.assertEqual(self.found(report), expected)
                    self.assertEqual(report["verdict"], "finding" if expected else "verified")

    def test_a_result_that_nobody_looks_at_makes_no_difference(self):
        text = COMMON + r"""
static pthread_barrier_t b;
static void *f(void *a) { pthread_barrier_wait(&b); return a; }
int main(void) {
  pthread_barrier_init(&b, 0, 4);
  pthread_t t[3];
  for (int i = 0; i < 3; i++) t[i] = go(f, i);
  pthread_barrier_wait(&b);
  for (int i = 0; i < 3; i++) wait_for(t[i]);
}
"""
        for level in ("-O0", "-O1", "-O2"):
            program = self.build("ignored.c", text, level)
            _, report = self.check(program, expect=VERIFIED)
            self.assertEqual(report["statistics"]["executions"], 1, level)


MISUSES = {
    "initialises a barrier that is in use": "pthread_barrier_init(&b, 0, 2); pthread_barrier_init(&b, 0, 3);",
    "initialises a mutex that is locked": "pthread_mutex_init(&x, 0); pthread_mutex_lock(&x); pthread_mutex_init(&x, 0);",
    "initialises a read-write lock that is held": "pthread_rwlock_init(&r, 0); pthread_rwlock_rdlock(&r); pthread_rwlock_init(&r, 0);",
    "initialises a condition variable that threads wait for": "go(waits, 0); sem_wait(&s); pthread_mutex_lock(&m); pthread_cond_init(&c, 0);",
    "destroys a condition variable that threads wait for": "go(waits, 0); sem_wait(&s); pthread_mutex_lock(&m); pthread_cond_destroy(&c);",
    "initialises a semaphore that others use": "go(takes, 0); sem_init(&s, 0, 1);",
    "destroys a semaphore that others use": "go(takes, 0); sem_destroy(&s);",
    "destroys a read-write lock that others use": "go(holds, 0); pthread_rwlock_destroy(&r);",
    "joins a thread that another one is waiting to join": "pthread_t t = go(takes, 0); go(joins, (long)t); pthread_join(t, 0);",
}
MISUSE = COMMON + r"""
static pthread_barrier_t b;
static pthread_mutex_t x;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s;
static void *waits(void *_) {
  pthread_mutex_lock(&m);
  sem_post(&s);
  pthread_cond_wait(&c, &m);
  return 0;
}
static void *takes(void *_) { sem_wait(&s); return 0; }
static void *holds(void *_) { pthread_rwlock_wrlock(&r); pthread_rwlock_unlock(&r); return 0; }
static void *joins(void *t) { pthread_join((pthread_t)t, 0); return 0; }
int main(void) {
  (void)b; (void)x; (void)waits; (void)takes; (void)holds; (void)joins; (void)outcome; (void)wait_for;
  DO
  return 0;
}
"""
# The same in order.
PROPER = r"""
  pthread_barrier_init(&b, 0, 1); pthread_barrier_wait(&b); pthread_barrier_destroy(&b);
  pthread_barrier_init(&b, 0, 1); pthread_barrier_wait(&b); pthread_barrier_destroy(&b);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_t left; pthread_mutex_init(&left, 0); pthread_mutex_lock(&left);
  }
  sem_init(&s, 0, 0); sem_init(&s, 0, 0);
  pthread_t t = go(waits, 0);
  sem_wait(&s);
  pthread_mutex_lock(&m); pthread_cond_broadcast(&c); pthread_cond_destroy(&c); pthread_mutex_unlock(&m);
  t = go(holds, 0); wait_for(t); pthread_rwlock_destroy(&r); pthread_rwlock_init(&r, 0);
"""


class Misuse(Checks):
    def test_what_is_in_use_is_not_initialised_or_destroyed(self):
        for at, (message, statements) in enumerate(MISUSES.items()):
            with self.subTest(message):
                program = self.build(f"m{at}.c", MISUSE.replace("DO", statements), "-w")
                _, report = self.check("--races", "off", program, expect=FINDING)
                self.assertEqual(report["findings"][0]["kind"], "misuse")
                self.assertIn(message, report["findings"][0]["message"])

    def test_proper_use_is_no_misuse(self):
        program = self.build("proper.c", MISUSE.replace("DO", PROPER), "-w")
        self.check("--technique", "optimal", program, expect=VERIFIED)

    def test_who_uses_what_was_destroyed_never_moves_again(self):
        for kind, lock in (("mutex", "mutex_lock"), ("rwlock", "rwlock_wrlock")):
            text = GONE.replace("KIND", kind).replace("LOCK", lock)
            program = self.build(f"gone_{kind}.c", text, "-w")
            for technique in ("exhaustive", "sleep", "optimal"):
                with self.subTest(kind=kind, technique=technique):
                    done, report = self.check(
                        "--keep-going", "--technique", technique, program, expect=FINDING
                    )
                    self.assertEqual(self.found(report) - {"misuse", "data race"}, set())
                    if kind == "mutex":  # a lock that another thread has come to is not destroyed
                        self.assertIn("that was destroyed", done.stdout)
                    self.assertNotIn("internal error", done.stdout + done.stderr)

    def test_futexes_that_are_not_supported_are_refused_by_name(self):
        for operation in ("FUTEX_REQUEUE", "FUTEX_CMP_REQUEUE", "FUTEX_WAKE_OP"):
            call = f"static int w, v; syscall(SYS_futex, &w, {operation}, 1, 1L, &v, 0);"
            program = self.build("refused.c", MISUSE.replace("DO", call), "-w")
            done, _ = self.check(program, expect=ERROR)
            self.assertIn(f"{operation} is not supported", done.stdout + done.stderr)


# Who locks it between the two stands there for good, while others go on with what is new.
GONE = r"""
#include <pthread.h>
static pthread_KIND_t x;
static void *other(void *_) { pthread_LOCK(&x); pthread_KIND_unlock(&x); return 0; }
int main(void) {
  pthread_t t;
  pthread_KIND_init(&x, 0);
  pthread_create(&t, 0, other, 0);
  pthread_KIND_destroy(&x);
  pthread_KIND_init(&x, 0);
  pthread_LOCK(&x);
  pthread_KIND_unlock(&x);
  pthread_join(t, 0);
}
"""

# Functions of the program's own that have the names of others.
OWN_NAMES = r"""
#include <pthread.h>
static int v;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void set(int x) { pthread_mutex_lock(&m); v = x; pthread_mutex_unlock(&m); }
#define OWN(name) void own_##name(int x) asm(#name); void own_##name(int x) { set(x); }
NAMES
static void *t(void *a) { CALLS return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); CALLS pthread_join(p, 0); return 0; }
"""
NAMES = """read write open close time clock select poll send recv sleep yield lock unlock wait signal
    error index y0 accept connect getenv access dup2 fstat lseek rename unlink readlink realpath
    strtol strerror memchr waitpid fflush getrusage sigaltstack timer_settime clock_gettime usleep
    socket pipe kill getpid""".split()

OWN_NEW = r"""
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>
static std::mutex m;
static int count;
void* operator new(std::size_t size) {
  std::lock_guard<std::mutex> lock(m);
  ++count;
  return static_cast<char*>(std::malloc(size + 16)) + 16;
}
void operator delete(void* block) noexcept {
  if (block == nullptr) return;
  std::lock_guard<std::mutex> lock(m);
  --count;
  std::free(static_cast<char*>(block) - 16);
}
void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
int main() {
  int* one = nullptr;
  std::thread t([&] { one = new int(1); });
  t.join();
  std::vector<int> some(3, *one);
  delete one;
}
"""


class Names(Checks):
    def test_the_runtime_does_not_call_what_the_program_defines(self):
        for names in [[name] for name in ("read", "write", "time")] + [NAMES]:
            with self.subTest(names):
                text = OWN_NAMES.replace("NAMES", " ".join(f"OWN({name})" for name in names))
                text = text.replace("CALLS", " ".join(f"own_{name}(1);" for name in names[:2]))
                program = self.build("own.c", text, "-w", "-fno-builtin")
                _, report = self.check(program, expect=VERIFIED)
                self.assertGreaterEqual(report["statistics"]["executions"], 2)

    def test_nor_the_operator_new_of_the_program(self):
        program = self.build("own_new.cpp", OWN_NEW)
        self.check(program, expect=VERIFIED)


ORDERS = r"""
#include <atomic>
#include <thread>
#include <cstring>
template <int Size> struct Odd {
  unsigned char bytes[Size];
};
static std::atomic<Odd<SIZE>> s;
static std::atomic<int> flag{0};
static int data;
static void exchange(int value) {
  Odd<SIZE> expected, desired;
  std::memset(&expected, value, SIZE);
  std::memset(&desired, 1, SIZE);
  s.compare_exchange_strong(expected, desired, std::memory_order_acq_rel, FAILURE);
}
int main() {
  std::thread t([] { data = 1; exchange(0); flag.store(1, std::memory_order_relaxed); });
  std::thread u([] {
    if (flag.load(std::memory_order_relaxed) != 1) return;
    exchange(8);  // fails
    data = 2;
  });
  t.join();
  u.join();
}
"""


class Orders(Checks):
    def test_a_failed_compare_exchange_has_its_own_order(self):
        for size in (3, 4, 12, 16):
            for order, expect in (("relaxed", FINDING), ("acquire", VERIFIED)):
                with self.subTest(size=size, order=order):
                    program = self.build(
                        "orders.cpp",
                        ORDERS,
                        "-std=c++20",
                        f"-DSIZE={size}",
                        f"-DFAILURE=std::memory_order_{order}",
                    )
                    _, report = self.check(program, "--memory", "sc", expect=expect)
                    kinds = [finding["kind"] for finding in report["findings"]]
                    self.assertEqual(kinds, ["data race"] if expect == FINDING else [])


USED_AGAIN = COMMON + r"""
static void *f(void *_) {
  for (int i = 0; i < ROUNDS; i++) {
    char *p = malloc(1 << 20);
    pthread_mutex_t *x = (pthread_mutex_t *)p;
    pthread_mutex_init(x, 0);
    pthread_mutex_lock(x);  // is gone with its block
    KEEP free(p);
  }
  return 0;
}
int main(void) { (void)outcome; pthread_t a = go(f, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); wait_for(a); }
"""
FREED_LATE = COMMON + r"""
static void *f(void *_) {
  for (int i = 0; i < 100; i++) free(malloc(1 << 20));
  char *p = malloc(32);
  free(p);
  for (int i = 0; i < 10; i++) free(malloc(32));
  p[0] = 1;
  return 0;
}
int main(void) { (void)outcome; (void)m; wait_for(go(f, 0)); }
"""


class Memory(Checks):
    def test_freed_memory_is_used_again(self):
        program = self.build("again.c", USED_AGAIN, "-w", "-DROUNDS=700", "-DKEEP=")
        self.check(program, expect=VERIFIED)

    def test_a_limit_of_ours_is_no_fault_of_the_program(self):
        program = self.build("more.c", USED_AGAIN, "-w", "-DROUNDS=700", "-DKEEP=if(0)")
        for options in ((), ("--keep-going",)):
            done, report = self.check(*options, program, expect=INCONCLUSIVE)
            self.assertEqual(report["findings"], [])
            self.assertIn("504 MB of heap", done.stdout)

    def test_what_no_machine_has_is_refused_as_ever(self):
        text = COMMON + "int main(void) { (void)outcome; (void)go; (void)wait_for; assert(malloc(~0UL / 2 + 9) == 0); }"
        self.check(self.build("huge.c", text, "-w", "-O0"), expect=VERIFIED)

    def test_a_use_soon_after_is_found_though_blocks_are_used_again(self):
        program = self.build("late.c", FREED_LATE, "-w", "-O0")
        _, report = self.check(program, expect=FINDING)
        self.assertEqual(report["findings"][0]["kind"], "memory error")


ENDLESS = r"""
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *spinner(void *a) { if (atomic_load(&x) == 1) { for (;;) ; } return a; }
static void *w(void *a) { for (int i = 0; i < 3; ++i) if (atomic_fetch_add(&y, 1) < 0) break; return a; }
int main(void) {
  pthread_t s, t, u;
  pthread_create(&s, 0, spinner, 0);
  pthread_detach(s);
  pthread_create(&t, 0, w, 0);
  pthread_create(&u, 0, w, 0);
  atomic_store(&x, 1);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
"""
BLOCKS = r"""
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static atomic_int x;
static void *w(void *a) {
  for (int i = 0; i < 2; ++i) {
    __VERIFIER_atomic_begin();
    atomic_fetch_add(&x, 1);
    atomic_fetch_add(&x, 1);
    __VERIFIER_atomic_end();
  }
  return a;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
  return 0;
}
"""


class Saved(Checks):
    def cut_and_resume(self, text):
        self.write("program.c", text)
        _, whole = self.check("program.c")
        self.check("program.c", "--max-executions", 30, expect=INCONCLUSIVE)
        saved = next((self.folder / ".mazurka").glob("*.exploration"))
        done = self.mazurka("check", "--resume", saved, "--json", "report.json")
        return whole, json.loads((self.folder / "report.json").read_text()), done

    def test_that_a_thread_never_ends_is_not_forgotten(self):
        whole, resumed, done = self.cut_and_resume(ENDLESS)
        self.assertEqual(whole["verdict"], "inconclusive")
        self.assertEqual(done.returncode, INCONCLUSIVE, done.stdout)
        self.assertIn("never ends", done.stdout)

    def test_that_there_are_atomic_blocks_is_not_forgotten(self):
        whole, resumed, done = self.cut_and_resume(BLOCKS)
        self.assertEqual(done.returncode, VERIFIED, done.stdout)
        for count in ("executions", "asleep", "transitions"):
            self.assertEqual(resumed["statistics"][count], whole["statistics"][count], count)


if __name__ == "__main__":
    unittest.main()
