#!/usr/bin/env python3
"""Where primitives and threads begin and end: initialising and destroying a primitive conflict with
every use of it, in every technique; what was destroyed is not used; who was detached or joined is
gone; and all this costs nothing where nobody else is concerned."""

import unittest

from calling import FINDING, INCONCLUSIVE, VERIFIED
from primitives_test import COMMON, TECHNIQUES, Checks

SHARED = (
    "#include <threads.h>\n"
    + COMMON
    + r"""
static pthread_mutex_t x;
static pthread_rwlock_t r;
static pthread_spinlock_t l;
static pthread_barrier_t b;
static sem_t s;
static mtx_t cx;
static cnd_t cc;
static int ready;
static void *other(void *_) { OTHER; return 0; }
int main(void) {
  (void)x, (void)r, (void)l, (void)b, (void)s, (void)cx, (void)cc, (void)ready, (void)outcome;
  BEFORE;
  pthread_t t = go(other, 0);
  HERE;
  wait_for(t);
  AFTER;
  return 0;
}
"""
)


def program(other="", here="", before="", after=""):
    text = SHARED.replace("BEFORE", before).replace("OTHER", other)
    return text.replace("HERE", here).replace("AFTER", after)


# What another thread initialises, and what main does with it; what that can come to.
BEGINNINGS = {
    "mutex": (
        "pthread_mutex_init(&x, 0)",
        "pthread_mutex_lock(&x); pthread_mutex_unlock(&x)",
        "initialises a mutex that is locked",
    ),
    "mutex that is only tried": (
        "pthread_mutex_init(&x, 0)",
        "if (!pthread_mutex_trylock(&x)) pthread_mutex_unlock(&x)",
        "initialises a mutex that is locked",
    ),
    "read-write lock": (
        "pthread_rwlock_init(&r, 0)",
        "pthread_rwlock_wrlock(&r); pthread_rwlock_unlock(&r)",
        "initialises a read-write lock that is held",
    ),
    "read-write lock that is shared": (
        "pthread_rwlock_init(&r, 0)",
        "pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r)",
        "initialises a read-write lock that is held",
    ),
    "spin lock": (
        "pthread_spin_init(&l, 0)",
        "pthread_spin_lock(&l); pthread_spin_unlock(&l)",
        "initialises a spin lock that is held",
    ),
    "semaphore": ("sem_init(&s, 0, 0)", "sem_post(&s); sem_wait(&s)", "can no longer happen"),
    "condition variable": (
        "pthread_cond_init(&c, 0); pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c);"
        " pthread_mutex_unlock(&m)",
        "pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m)",
        "initialises a condition variable that threads wait for",
    ),
    "barrier": (
        "pthread_barrier_init(&b, 0, 1)",
        "pthread_barrier_wait(&b)",
        "waits at a barrier that is not initialised",
    ),
    "mutex of C11": (
        "mtx_init(&cx, mtx_plain)",
        "mtx_lock(&cx); mtx_unlock(&cx)",
        "initialises a mutex that is locked",
    ),
    "condition variable of C11": (
        "cnd_init(&cc); mtx_lock(&cx); ready = 1; cnd_signal(&cc); mtx_unlock(&cx)",
        "mtx_lock(&cx); while (!ready) cnd_wait(&cc, &cx); mtx_unlock(&cx)",
        "initialises a condition variable that threads wait for",
    ),
}

# What main sets up, what another thread does with it, and how main ends it; what that can come to.
ENDS = {
    "mutex": (
        "pthread_mutex_init(&x, 0)",
        "pthread_mutex_lock(&x); pthread_mutex_unlock(&x)",
        "pthread_mutex_destroy(&x)",
    ),
    "read-write lock": (
        "pthread_rwlock_init(&r, 0)",
        "pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r)",
        "pthread_rwlock_destroy(&r)",
    ),
    "spin lock": (
        "pthread_spin_init(&l, 0)",
        "pthread_spin_lock(&l); pthread_spin_unlock(&l)",
        "pthread_spin_destroy(&l)",
    ),
    "semaphore": ("sem_init(&s, 0, 0)", "sem_post(&s)", "sem_destroy(&s)"),
    "condition variable": (
        "pthread_cond_init(&c, 0)",
        "pthread_cond_signal(&c)",
        "pthread_cond_destroy(&c)",
    ),
    "condition variable of C11": ("cnd_init(&cc)", "cnd_broadcast(&cc)", "cnd_destroy(&cc)"),
}

# Each thread has its own, the second time at the same place.
OWN = r"""
static void *own(void *_) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_t x; pthread_rwlock_t r; pthread_spinlock_t l; pthread_cond_t c; sem_t s;
    pthread_barrier_t b;
    pthread_mutex_init(&x, 0); pthread_rwlock_init(&r, 0); pthread_spin_init(&l, 0);
    pthread_cond_init(&c, 0); sem_init(&s, 0, 1); pthread_barrier_init(&b, 0, 1);
    pthread_mutex_lock(&x); pthread_mutex_unlock(&x);
    pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r);
    pthread_spin_lock(&l); pthread_spin_unlock(&l);
    sem_wait(&s); pthread_cond_signal(&c); pthread_barrier_wait(&b);
    pthread_mutex_destroy(&x); pthread_rwlock_destroy(&r); pthread_spin_destroy(&l);
    pthread_cond_destroy(&c); sem_destroy(&s); pthread_barrier_destroy(&b);
  }
  for (int i = 0; i < 2; i++) {
    pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_rwlock_wrlock(&r); pthread_rwlock_unlock(&r); pthread_rwlock_destroy(&r);
    pthread_cond_broadcast(&c); pthread_cond_destroy(&c);
  }
  return 0;
}
int main(void) {
  (void)m, (void)c, (void)outcome;
  pthread_t a = go(own, 0), b = go(own, 0);
  wait_for(a);
  wait_for(b);
  return 0;
}
"""

# Who is told to be the serial one makes another barrier of it; the others know what came before.
RENEWED = r"""
static pthread_barrier_t b;
static int data, seen;
static void meet(void) {
  if (pthread_barrier_wait(&b) != PTHREAD_BARRIER_SERIAL_THREAD) return;
  pthread_barrier_destroy(&b);
  pthread_barrier_init(&b, 0, 1);
}
static void *other(void *_) { meet(); seen = data; return 0; }
int main(void) {
  (void)m, (void)c, (void)outcome;
  pthread_barrier_init(&b, 0, 2);
  pthread_t t = go(other, 0);
  data = 1;
  meet();
  wait_for(t);
  assert(seen == 1);
  pthread_barrier_wait(&b);
  return 0;
}
"""

JOINS = [
    ("joins a thread that was detached", "pthread_detach(t); pthread_join(t, 0)"),
    ("joins a thread that was detached", "pthread_join(d, 0)"),
    ("detaches a thread that was detached before", "pthread_detach(t); pthread_detach(t)"),
    ("detaches a thread that was joined before", "pthread_join(t, 0); pthread_detach(t)"),
    ("joins a thread that was joined before", "pthread_join(t, 0); pthread_join(t, 0)"),
    ("detache", "pthread_join(go(detaches, 0), 0)"),  # before it is joined, or while it is
]
JOINING = (
    "#include <threads.h>\n"
    + COMMON
    + r"""
static void *nothing(void *_) { return 0; }
static void *detaches(void *_) { wait_for(go(nothing, 0)); pthread_detach(pthread_self()); return 0; }
int main(void) {
  (void)m, (void)c, (void)outcome, (void)wait_for, (void)detaches;
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_t t = go(nothing, 0), d;
  pthread_create(&d, &detached, nothing, 0);
  DO;
  return 0;
}
"""
)


class Primitives(Checks):
    def expect_misuse(self, file, text, message, *options):
        path = self.build(file, text, "-w")
        for technique in ("exhaustive", *TECHNIQUES):
            with self.subTest(technique=technique):
                _, report = self.check(
                    *options, "--keep-going", "--technique", technique, path, expect=FINDING
                )
                messages = [one["message"] for one in report["findings"]]
                self.assertTrue(any(message in one for one in messages), messages)
        return path

    def test_initialising_conflicts_with_every_use(self):
        for at, (name, (begin, use, message)) in enumerate(BEGINNINGS.items()):
            with self.subTest(name):
                path = self.expect_misuse(f"b{at}.c", program(begin, use), message, "--racy")
                _, report = self.check(path, expect=FINDING)
                self.assertEqual(report["findings"][0]["kind"], "data race")
                self.assertIn("initialises it", report["findings"][0]["message"])
                swapped = self.build(f"s{at}.c", program(use, begin), "-w")
                _, report = self.check(swapped, expect=FINDING)
                kinds = ("data race", "misuse") if name == "barrier" else ("data race",)
                self.assertIn(report["findings"][0]["kind"], kinds)

    def test_what_was_destroyed_is_not_used(self):
        for at, (name, (begin, use, end)) in enumerate(ENDS.items()):
            with self.subTest(name):
                self.expect_misuse(f"e{at}.c", program(use, end, begin), "destroy")
                later = self.build(f"l{at}.c", program("", f"{end}; {use}", begin), "-w")
                _, report = self.check(later, expect=FINDING)
                self.assertIn("that was destroyed", report["findings"][0]["message"])
                proper = self.build(f"p{at}.c", program(use, "", begin, end + ";" + begin), "-w")
                self.check(proper, expect=VERIFIED)
                twice = self.build(f"t{at}.c", program("", "", begin, end + ";" + end), "-w")
                _, report = self.check(twice, expect=FINDING)
                self.assertEqual(report["findings"][0]["kind"], "misuse")

    def test_an_order_that_something_else_makes_is_enough(self):
        for name, (begin, use, _) in BEGINNINGS.items():
            if "condition" in name:
                continue
            with self.subTest(name):
                text = program(
                    f"{begin}; atomic_store(&flag, 1)", f"if (atomic_load(&flag)) {{ {use}; }}"
                )
                path = self.build("o.c", "#include <stdatomic.h>\nstatic atomic_int flag;\n" + text)
                for options in ((), ("--racy",)):
                    _, report = self.check(*options, path, expect=VERIFIED)
                    self.assertEqual(report["statistics"]["executions"], 2)

    def test_what_nobody_else_uses_costs_nothing(self):
        path = self.build("own.c", COMMON + OWN, "-w")
        for technique in TECHNIQUES:
            with self.subTest(technique=technique):
                _, report = self.check("--technique", technique, path, expect=VERIFIED)
                self.assertEqual(report["statistics"]["executions"], 1)

    def test_a_barrier_is_renewed_while_others_leave_it(self):
        path = self.build("renewed.c", COMMON + RENEWED, "-w")
        for technique in TECHNIQUES:
            with self.subTest(technique=technique):
                self.check("--technique", technique, path, expect=VERIFIED)

    def test_no_memory_order_comes_of_it(self):
        text = program(
            "atomic_store_explicit(&p, 1, memory_order_relaxed); sem_init(&s, 0, 0);"
            " sem_destroy(&s); a = atomic_load_explicit(&q, memory_order_relaxed)",
            "atomic_store(&q, 1); d = atomic_load(&p)",
            after="assert(a + d > 0)",
        )
        text = "#include <stdatomic.h>\nstatic atomic_int p, q;\nstatic int a, d;\n" + text
        path = self.build("w.c", text, "-w")
        self.check("--memory", "tso", path, expect=FINDING)
        self.check("--memory", "sc", path, expect=VERIFIED)


class Threads(Checks):
    def test_who_is_gone_is_neither_joined_nor_detached(self):
        for at, (message, statements) in enumerate(JOINS):
            path = self.build(f"j{at}.c", JOINING.replace("DO", statements), "-w")
            for technique in ("exhaustive", *TECHNIQUES):
                with self.subTest(message, technique=technique):
                    _, report = self.check("--technique", technique, path, expect=FINDING)
                    self.assertEqual(report["findings"][0]["kind"], "misuse")
                    self.assertIn(message, report["findings"][0]["message"])

    def test_of_c11_as_well(self):
        path = self.build("c11.c", JOINING.replace("DO", "thrd_detach(t); thrd_join(t, 0)"), "-w")
        _, report = self.check(path, expect=FINDING)
        self.assertIn("joins a thread that was detached", report["findings"][0]["message"])

    def test_who_joins_itself_is_told(self):
        itself = "assert(pthread_join(pthread_self(), 0) == EDEADLK)"
        path = self.build("self.c", JOINING.replace("DO", itself), "-w")
        self.check(path, expect=VERIFIED)


# What another thread does with a key that main deletes, with an order or without.
KEY = r"""
#include <stdatomic.h>
static pthread_key_t key;
static atomic_int ended, ran;
static void count(void *_) { atomic_fetch_add(&ran, 1); }
static void *other(void *_) { OTHER; return 0; }
int main(void) {
  (void)m, (void)c, (void)outcome;
  pthread_key_create(&key, count);
  BEFORE;
  pthread_t t = go(other, 0);
  HERE;
  wait_for(t);
  AFTER;
  return 0;
}
"""
KEY_USES = {
    "reads": "pthread_getspecific(key)",
    "sets": "pthread_setspecific(key, &key)",
    "deletes": "pthread_key_delete(key)",
}


class Keys(Checks):
    def key_program(self, name, **parts):
        text = KEY
        for part in ("OTHER", "BEFORE", "HERE", "AFTER"):
            text = text.replace(part, parts.get(part.lower(), ""))
        return self.build(name, COMMON + text, "-w")

    def test_deleting_a_key_is_ordered_with_every_use(self):
        for at, (name, use) in enumerate(KEY_USES.items()):
            path = self.key_program(f"k{at}.c", other=use, here="pthread_key_delete(key)")
            for technique in ("exhaustive", *TECHNIQUES):
                with self.subTest(name, technique=technique):
                    done, report = self.check("--technique", technique, path)
                    self.assertEqual(done.returncode, INCONCLUSIVE, done.stdout)
                    self.assertIn("a pthread key", report["reason"])

    def test_the_end_of_a_thread_is_a_use_if_it_has_something_for_the_key(self):
        # The use itself is ordered with the deletion; whether the destructor runs is not.
        set_first = "pthread_setspecific(key, VALUE); atomic_store(&ended, 1)"
        delete = "if (atomic_load(&ended)) pthread_key_delete(key)"
        for value, code in (("&key", INCONCLUSIVE), ("0", VERIFIED)):
            with self.subTest(value):
                path = self.key_program(
                    "end.c", other=set_first.replace("VALUE", value), here=delete
                )
                done, _ = self.check(path)
                self.assertEqual(done.returncode, code, done.stdout)

    def test_an_order_that_something_else_makes_is_enough(self):
        path = self.key_program(
            "ordered.c",
            other="pthread_setspecific(key, &key)",
            before="pthread_setspecific(key, &key)",
            after="assert(ran == 1); pthread_key_delete(key)",
        )
        for technique in TECHNIQUES:
            with self.subTest(technique=technique):
                _, report = self.check("--technique", technique, path, expect=VERIFIED)
                self.assertEqual(report["statistics"]["executions"], 1)


# Two threads that block each other in some executions, and a main that does not wait for them.
LEFT = {
    "spin locks": (
        r"""
static atomic_int a, b;
static void lock(atomic_int *l) { int r = 0; while (!atomic_compare_exchange_strong(l, &r, 1)) r = 0; }
static void unlock(atomic_int *l) { atomic_store(l, 0); }
""",
        "waits in a loop",
    ),
    "mutexes": (
        r"""
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void lock(pthread_mutex_t *l) { pthread_mutex_lock(l); }
static void unlock(pthread_mutex_t *l) { pthread_mutex_unlock(l); }
""",
        "waits for mutex",
    ),
}
CROSSED = r"""
static void *one(void *_) { lock(&a); lock(&b); unlock(&b); unlock(&a); return 0; }
static void *two(void *_) { lock(&FIRST); lock(&SECOND); unlock(&SECOND); unlock(&FIRST); return 0; }
int main(void) {
  (void)m, (void)c, (void)outcome, (void)wait_for;
  go(one, 0);
  go(two, 0);
  END;
}
"""
LOOP = r"""
static atomic_int x;
static void *loop(void *_) {
  for (;;)
    atomic_fetch_add(&x, 1);  // here
  return 0;
}
int main(void) {
  (void)m, (void)c, (void)outcome;
  wait_for(go(loop, 0));
}
"""


class Ends(Checks):
    def crossed(self, file, locks, first, second, end="return 0"):
        text = CROSSED.replace("FIRST", first).replace("SECOND", second).replace("END", end)
        return self.build(file, COMMON + locks + text, "-w")

    def test_who_is_left_waiting_is_told(self):
        for at, (name, (locks, words)) in enumerate(LEFT.items()):
            for end in ("return 0", "exit(0)", "pthread_exit(0)"):
                with self.subTest(name, end=end):
                    path = self.crossed("left.c", locks, "b", "a", end)
                    done, report = self.check(path)
                    if end == "pthread_exit(0)":
                        self.assertEqual(report["verdict"], "finding")
                        continue
                    self.assertEqual(report["verdict"], "verified")
                    self.assertEqual(report["statistics"]["left_waiting"], 1)
                    note = " ".join(report["notes"])
                    self.assertIn("waited for ever in 1 execution (--liveness", note)
                    for who in ("T1 ", "T2 "):
                        self.assertIn(who + words, note)
                    self.assertIn("left.c:", note)

    def test_liveness_makes_it_a_finding(self):
        for name, (locks, words) in LEFT.items():
            path = self.crossed("left.c", locks, "b", "a")
            for technique in ("exhaustive", *TECHNIQUES):
                with self.subTest(name, technique=technique):
                    done, report = self.check("--liveness", "--technique", technique, path)
                    self.assertEqual(report["verdict"], "finding", report["reason"])
                    self.assertEqual(report["findings"][0]["kind"], "deadlock")
                    self.assertIn(words, done.stdout)

    def test_nobody_is_left_where_all_come_to_their_end(self):
        for name, (locks, _) in LEFT.items():
            with self.subTest(name):
                path = self.crossed("proper.c", locks, "a", "b")
                _, report = self.check("--liveness", path, expect=VERIFIED)
                self.assertEqual(report["statistics"]["left_waiting"], 0)

    def test_who_loops_and_waits_for_nothing_is_named(self):
        path = self.build("loop.c", COMMON + LOOP, "-w")
        line = (COMMON + LOOP).split("// here")[0].count("\n") + 1
        done, report = self.check("--max-events", "5000", path)
        self.assertEqual(report["verdict"], "inconclusive")
        self.assertIn("T1 goes on and on in a loop, without waiting for anything", report["reason"])
        self.assertIn(f"loop.c:{line}", report["reason"])


if __name__ == "__main__":
    unittest.main()
