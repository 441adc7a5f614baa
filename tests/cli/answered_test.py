#!/usr/bin/env python3
"""Calls that change nothing outside, or nothing that matters where we decide who runs, are answered:
the same in every execution, with all outcomes that they may have."""

import json
import os
import unittest

from calling import ERROR, FINDING, VERIFIED, InFolder

COMMON = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void act(void);
"""
# Three threads, of which the first acts: 6 executions of whatever it does, if that is no step.
THREE = COMMON + r"""
static int turns;
static void *turn(void *acts) {
  pthread_mutex_lock(&mutex);
  turns++;
  pthread_mutex_unlock(&mutex);
  if (acts) act();
  return NULL;
}
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; ++i) pthread_create(&t[i], NULL, turn, (void *)(long)(i == 0));
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  assert(turns == 3);
  return 0;
}
"""
HANDLER = "static volatile int seen, code, value; static void h(int n) { seen = n; } static void more(int n, siginfo_t *i, void *c) { seen = n; code = i->si_code; value = i->si_value.sival_int; assert(c); }\n"  # fmt: skip

ANSWERED = {
    "options of the process": """
      char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      assert(prctl(PR_SET_VMA, 0, p, 4096, "name") == 0);
      assert(prctl(PR_GET_DUMPABLE) == 1 && prctl(PR_SET_DUMPABLE, 0) == 0 && prctl(PR_GET_DUMPABLE) == 0);
      assert(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
      assert(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
      assert(prctl(PR_SET_TIMERSLACK, 7) == 0 && prctl(PR_GET_TIMERSLACK) == 7);
      int who = 5; assert(prctl(PR_GET_PDEATHSIG, &who) == 0 && who == 0);
      assert(prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && prctl(PR_GET_PDEATHSIG, &who) == 0 && who == SIGTERM);
      assert(prctl(PR_CAPBSET_READ, 0) >= 0 && prctl(PR_GET_SECCOMP) == 0);
      char name[16]; assert(prctl(PR_SET_NAME, "worker") == 0 && prctl(PR_GET_NAME, name) == 0 && !strcmp(name, "worker"));""",
    "the stack": """
      pthread_attr_t a; void *low; size_t size; int detached; char here;
      assert(pthread_getattr_np(pthread_self(), &a) == 0 && pthread_attr_getstack(&a, &low, &size) == 0);
      assert(&here >= (char *)low && &here < (char *)low + size && size >= 1 << 20);
      assert(pthread_attr_getdetachstate(&a, &detached) == 0 && detached == PTHREAD_CREATE_JOINABLE);
      pthread_attr_destroy(&a);""",
    "sleeping by waiting for nothing": """
      struct timespec a, b, t = {1, 0}; struct timeval v = {1, 0}; fd_set none; FD_ZERO(&none);
      struct pollfd ignored = {-1, POLLIN, 7};
      clock_gettime(CLOCK_MONOTONIC, &a);
      assert(poll(0, 0, 1000) == 0 && poll(&ignored, 1, 1000) == 0 && ignored.revents == 0 && ppoll(0, 0, &t, 0) == 0);
      assert(select(0, 0, 0, 0, &v) == 0); v.tv_sec = 1; assert(select(5, &none, 0, 0, &v) == 0 && pselect(0, 0, 0, 0, &t, 0) == 0);
      clock_gettime(CLOCK_MONOTONIC, &b);
      assert(b.tv_sec - a.tv_sec >= 6 && b.tv_sec - a.tv_sec < 8);""",
    "two processors": """
      cpu_set_t set; assert(get_nprocs() == 2 && sysconf(_SC_NPROCESSORS_ONLN) == 2 && sysconf(_SC_NPROCESSORS_CONF) == 2);
      assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 2);
      assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_COUNT(&set) == 2);
      assert(sysconf(_SC_PAGESIZE) >= 4096);""",
    "signals to nobody": """
      struct itimerval none = {{0, 0}, {0, 0}}, now = {{1, 1}, {1, 1}};
      assert(kill(getpid(), 0) == 0 && pthread_kill(pthread_self(), 0) == 0 && alarm(0) == 0);
      assert(setitimer(ITIMER_REAL, &none, &now) == 0 && now.it_value.tv_usec == 0);
      now.it_value.tv_sec = 1; assert(getitimer(ITIMER_REAL, &now) == 0 && now.it_value.tv_sec == 0);
      assert(pthread_kill(pthread_self(), 12345) == EINVAL && kill(getpid(), SIGCHLD) == 0);""",
    "signals to itself": """
      signal(SIGUSR1, h); assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && seen == SIGUSR1);
      struct sigaction a = {0}; a.sa_sigaction = more; a.sa_flags = SA_SIGINFO | SA_RESETHAND; sigaction(SIGUSR2, &a, 0);
      union sigval v = {.sival_int = 42};
      assert(pthread_sigqueue(pthread_self(), SIGUSR2, v) == 0 && seen == SIGUSR2 && code == SI_QUEUE && value == 42);
      assert(signal(SIGUSR2, SIG_IGN) == SIG_DFL);""",
    "signals that are blocked": """
      signal(SIGUSR1, h); sigset_t s, now; sigemptyset(&s); sigaddset(&s, SIGUSR1);
      pthread_sigmask(SIG_BLOCK, &s, 0); seen = 0; assert(raise(SIGUSR1) == 0 && seen == 0);
      assert(sigpending(&now) == 0 && sigismember(&now, SIGUSR1) == 1);
      pthread_sigmask(SIG_UNBLOCK, &s, 0); assert(seen == SIGUSR1);
      pthread_sigmask(SIG_BLOCK, &s, 0); raise(SIGUSR1); int n = 0; assert(sigwait(&s, &n) == 0 && n == SIGUSR1);
      struct timespec t = {1, 0}; assert(sigtimedwait(&s, 0, &t) == -1 && errno == EAGAIN);
      raise(SIGUSR1); seen = 0; sigset_t all; sigemptyset(&all); assert(sigsuspend(&all) == -1 && errno == EINTR && seen == SIGUSR1);""",
    "attributes": """
      pthread_mutexattr_t a; pthread_mutexattr_init(&a); assert(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_STALLED) == 0);
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; assert(pthread_mutex_consistent(&m) == EINVAL);
      clockid_t c; struct timespec t; assert(pthread_getcpuclockid(pthread_self(), &c) == 0 && clock_gettime(c, &t) == 0);
      assert(system(NULL) != 0);""",
}  # fmt: skip

REFUSED = {
    "a descriptor": ("struct pollfd p = {0, POLLIN, 0}; poll(&p, 1, 0);", "poll() of a descriptor"),
    "for ever": ("poll(0, 0, -1);", "poll() that waits for ever"),
    "a signal in a second": ("alarm(1);", "alarm()"),
    "a signal that nobody sends": ("sigset_t s; int n; sigemptyset(&s); sigaddset(&s, SIGUSR1); sigwait(&s, &n);", "sigwait()"),
    "robust mutexes": ("pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);", "setrobust"),
    "a command": ('if (system("true")) abort();', "system()"),
    "options with an effect": ("prctl(PR_SET_MM, 0, 0, 0, 0);", "prctl"),
}  # fmt: skip


class Answers(InFolder):
    def test_the_same_in_every_execution(self):
        for case, what in ANSWERED.items():
            with self.subTest(case):
                self.write("program.c", THREE + HANDLER + "static void act(void) {" + what + "\n}\n")
                done = self.mazurka("check", "program.c", "--json", "j", expect=VERIFIED)
                report = json.loads((self.folder / "j").read_text())
                self.assertEqual(report["executions"], 6, done.stdout)

    def test_refused_by_name(self):
        for case, (what, words) in REFUSED.items():
            with self.subTest(case):
                self.write("program.c", THREE + "static void act(void) {" + what + "\n}\n")
                self.assertIn(words, self.mazurka("check", "program.c", expect=ERROR).stderr)

    def test_a_signal_to_the_process_is_for_main(self):
        program = COMMON + HANDLER + "int main(void) { signal(SIGTERM, h); kill(getpid(), SIGTERM); assert(seen == SIGTERM); }\n"
        self.write("program.c", program + "static void act(void) {}")
        self.mazurka("check", "program.c", expect=VERIFIED)
        self.write("program.c", THREE + HANDLER + "static void act(void) { signal(SIGTERM, h); kill(getpid(), SIGTERM); }\n")
        self.assertIn("another thread", self.mazurka("check", "program.c", expect=ERROR).stderr)

    def test_hardware_concurrency(self):
        self.write(
            "program.cpp",
            "#include <cassert>\n#include <thread>\nint main() { std::thread t([] { assert(std::thread::hardware_concurrency() == 2); }); t.join(); }\n",
        )
        self.mazurka("check", "program.cpp", expect=VERIFIED)


JOINS = COMMON + r"""
static atomic_int stage, late;
static void act(void) {}
static void *quick(void *a) { atomic_store(&stage, 1); return a; }
static void *waits(void *a) { while (!atomic_load(&late)) ; return a; }
static void *stuck(void *a) { pthread_mutex_lock(&mutex); pthread_mutex_lock(&mutex); return a; }
int main(void) { pthread_t t; void *r = 0; struct timespec then = {1, 0}; (void)r; (void)then; MAIN return 0; }
"""


class Joining(InFolder):
    def check(self, body, expect, *options):
        self.write("join.c", JOINS.replace("MAIN", body))
        return self.mazurka("check", "join.c", *options, expect=expect)

    def test_it_may_have_ended_or_not(self):
        start = "pthread_create(&t, 0, quick, &t); int e = pthread_tryjoin_np(t, &r); if (e) { assert(e == EBUSY); pthread_join(t, &r); } assert(r == &t);"
        self.check(start, VERIFIED)
        self.assertIn("e == 0", self.check(start.replace("assert(r == &t);", "assert(e == 0);"), FINDING).stdout)
        self.assertIn("e != 0", self.check(start.replace("assert(r == &t);", "assert(e != 0);"), FINDING).stdout)

    def test_for_a_time(self):
        for call in ("pthread_timedjoin_np(t, &r, &then)", "pthread_clockjoin_np(t, &r, CLOCK_MONOTONIC, &then)"):
            start = f"pthread_create(&t, 0, quick, &t); int e = {call}; if (e) {{ assert(e == ETIMEDOUT); pthread_join(t, &r); }} assert(r == &t);"
            self.check(start, VERIFIED)
            self.check(start.replace("assert(r == &t);", "assert(e == 0);"), FINDING)

    def test_who_succeeds_comes_after_all_that_the_thread_did(self):
        self.check("pthread_create(&t, 0, quick, 0); if (pthread_tryjoin_np(t, 0) == 0) assert(stage == 1); else pthread_join(t, 0);", VERIFIED)

    def test_it_can_not_succeed_before_what_it_waits_for_itself(self):
        """The thread waits for main, which goes on whatever it is told."""
        for technique in ("optimal", "reverse", "source", "optimal-observers", "source-context", "optimal-context"):
            body = "pthread_create(&t, 0, waits, 0); int e = pthread_tryjoin_np(t, 0); assert(e == EBUSY); atomic_store(&late, 1); pthread_join(t, 0);"
            self.check(body, VERIFIED, "--technique", technique)

    def test_trying_again_and_again_is_waiting(self):
        loop = "while (pthread_tryjoin_np(t, 0)) sched_yield();"
        self.check("pthread_create(&t, 0, quick, 0);" + loop, VERIFIED)
        self.check("pthread_create(&t, 0, waits, 0); atomic_store(&late, 1);" + loop, VERIFIED)
        done = self.check("pthread_create(&t, 0, waits, 0);" + loop, FINDING)
        self.assertIn("ivelock", done.stdout)
        self.check("pthread_create(&t, 0, stuck, 0);" + loop, FINDING)

    def test_a_deadlock_is_found_beside_it(self):
        self.assertIn("eadlock", self.check("pthread_create(&t, 0, stuck, 0); if (pthread_tryjoin_np(t, 0)) pthread_join(t, 0);", FINDING).stdout)


class Compilers(InFolder):
    def test_profiled_programs_run(self):
        self.write("profiled.cpp", "#include <cassert>\n#include <thread>\nint main() { int n = 0; std::thread t([&] { n++; }); t.join(); assert(n == 1); }\n")
        self.mazurka("check", "profiled.cpp", "-pg", expect=VERIFIED)

    def test_undefined_behaviour_is_a_finding(self):
        program = r"""
#include <limits.h>
#include <memory>
#include <thread>
struct Base { virtual ~Base() = default; virtual int number() { return 1; } };
struct Derived : Base { int number() override { return LARGE; } };
int main() {
  std::unique_ptr<Base> one = std::make_unique<Derived>();
  int sum = 1;
  std::thread t([&] { sum += one->number(); });
  t.join();
  return sum == 0;
}
"""
        self.write("program.cpp", program)
        self.mazurka("check", "program.cpp", "-fsanitize=undefined", "-DLARGE=2", expect=VERIFIED)
        done = self.mazurka("check", "program.cpp", "-fsanitize=undefined", "-DLARGE=INT_MAX", expect=FINDING)
        self.assertIn("undefined behaviour: signed integer overflow", done.stdout)


FAULTS = COMMON + r"""
#include <setjmp.h>
#include <ucontext.h>
static void act(void) {}
static volatile int seen;
static __thread sigjmp_buf back;
static atomic_int shared;
static void leave(int n) { seen = n; siglongjmp(back, 1); }
static void on(int n, void (*f)(int), int flags) { struct sigaction a = {0}; a.sa_handler = f; a.sa_flags = flags; sigaction(n, &a, 0); }
static void fault(void) { *(volatile int *)8 = 1; }
"""
HANDLED = {
    "a jump out": "int main(void) { signal(SIGSEGV, leave); if (!sigsetjmp(back, 1)) fault(); assert(seen == SIGSEGV); }",
    "again and again": "int main(void) { volatile int n = 0; signal(SIGSEGV, leave); while (n < 5) { if (!sigsetjmp(back, 1)) fault(); ++n; } }",
    "division": """
      static volatile int zero, result;
      int main(void) { signal(SIGFPE, leave); if (!sigsetjmp(back, 1)) result = 7 / zero; assert(seen == SIGFPE); }""",
    "an instruction": """
      int main(void) { signal(SIGILL, leave); if (!sigsetjmp(back, 1)) __builtin_trap(); assert(seen == SIGILL || seen == SIGTRAP); }""",
    "in threads": """
      static void count(int n) { atomic_fetch_add(&shared, 1); pthread_mutex_lock(&mutex); ++seen; pthread_mutex_unlock(&mutex); siglongjmp(back, 1); }
      static void *run(void *u) { if (!sigsetjmp(back, 1)) fault(); return u; }
      int main(void) {
        pthread_t a, b; signal(SIGSEGV, count); pthread_create(&a, 0, run, 0); pthread_create(&b, 0, run, 0);
        pthread_join(a, 0); pthread_join(b, 0); assert(shared == 2 && seen == 2); }""",
    "a handler that mends": """
      #ifdef __x86_64__
      static int good = 42; static double keep = 1.5;
      static void mend(int n, siginfo_t *i, void *c) {
        double other[8] = {1, 2, 3, 4, 5, 6, 7, 8}; for (int k = 0; k < 8; ++k) keep += other[k] * other[k];
        assert(n == SIGSEGV && i->si_addr == (void *)8); ((ucontext_t *)c)->uc_mcontext.gregs[REG_RAX] = (long)&good; ++seen; atomic_fetch_add(&shared, 1); }
      static void *step(void *u) { atomic_fetch_add(&shared, 1); return u; }
      int main(void) {
        pthread_t t; struct sigaction a = {0}; a.sa_sigaction = mend; a.sa_flags = SA_SIGINFO; sigaction(SIGSEGV, &a, 0);
        int v; register double x __asm__("xmm9") = 2.25; long rcx = 77;
        __asm__ volatile("movl (%%rax), %0" : "=b"(v), "+x"(x), "+c"(rcx) : "a"(8L) : "memory");
        assert(v == 42 && seen == 1 && x == 2.25 && rcx == 77);
        pthread_create(&t, 0, step, 0); pthread_join(t, 0); assert(shared == 2); }
      #else
      int main(void) {}
      #endif""",
    "memory of the program that is code": r"""
      static unsigned char room[8192]; static const unsigned char code[] = CODE;
      static void runs(unsigned char *p) { memcpy(p, code, sizeof code); __builtin___clear_cache((char *)p, (char *)p + sizeof code); assert(((int (*)(void))p)() == 42); }
      int main(void) {
        unsigned char *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); runs(p); munmap(p, 4096);
        p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); memset(p, 0, 4096);
        memcpy(p, code, sizeof code); assert(mprotect(p, 4096, PROT_READ | PROT_EXEC) == 0 && ((int (*)(void))p)() == 42);
        p = (unsigned char *)(((unsigned long)room + 4095) & ~4095ul); assert(mprotect(p, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0); runs(p); assert(room[0] == 0 || 1); }""",
    "functions within functions": """
      static int apply(int (*f)(int), int n) { return f(n); }
      int main(void) { int base = 40; int add(int n) { return base + n; } assert(apply(add, 2) == 42); }""",
}  # fmt: skip
NOT_HANDLED = {
    "no handler": ("int main(void) { fault(); }", "segmentation fault"),
    "a fault in the handler": ("static void h(int n) { (void)n; fault(); }\nint main(void) { signal(SIGSEGV, h); fault(); }", "segmentation fault"),
    "blocked since the first jump": ("static jmp_buf b; static void h(int n) { (void)n; longjmp(b, 1); }\nint main(void) { signal(SIGSEGV, h); if (!setjmp(b)) fault(); fault(); }", "segmentation fault"),
    "once only": ("int main(void) { on(SIGSEGV, leave, SA_RESETHAND); if (!sigsetjmp(back, 1)) fault(); fault(); }", "segmentation fault"),
    "a stack that is full": ("static int deep(volatile char *p) { volatile char more[4000]; more[0] = p[0]; return deep(more) + more[1]; }\nint main(void) { char c = 0; signal(SIGSEGV, leave); return deep(&c); }", "stack overflow"),
    "a race in a handler": ("static int plain; static void h(int n) { (void)n; ++plain; siglongjmp(back, 1); }\nstatic void *run(void *u) { if (!sigsetjmp(back, 1)) fault(); return u; }\nint main(void) { pthread_t t; signal(SIGSEGV, h); pthread_create(&t, 0, run, 0); run(0); pthread_join(t, 0); }", "Data race"),
}  # fmt: skip
HANDLER_REFUSED = {
    "the program's code": ("int main(void) { void *p = (void *)((unsigned long)&fault & ~4095ul); mprotect(p, 8192, PROT_READ | PROT_WRITE | PROT_EXEC); }", "change the program's code"),
    "memory that can not be protected": ("int main(void) { signal(SIGSEGV, leave); void *p = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); (void)p; }", "so that a signal comes"),
    "... and then a handler": ("int main(void) { void *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); mprotect(p, 4096, PROT_READ); signal(SIGSEGV, leave); }", "so that a signal comes"),
    "in a call": ("int main(void) { signal(SIGSEGV, leave); if (!sigsetjmp(back, 1)) pthread_mutex_lock((pthread_mutex_t *)8); }", "in a call"),
}  # fmt: skip
CODE = '{0xb8, 42, 0, 0, 0, 0xc3}' if os.uname().machine == "x86_64" else '{0x40, 0x05, 0x80, 0x52, 0xc0, 0x03, 0x5f, 0xd6}'


class Faults(InFolder):
    def check(self, what, expect):
        self.write("faults.c", FAULTS + what + "\n")
        return self.mazurka("check", "faults.c", "-Wno-infinite-recursion", f"-DCODE={CODE}", expect=expect)

    def test_the_programs_handler_runs(self):
        for case, what in HANDLED.items():
            with self.subTest(case):
                self.check(what, VERIFIED)

    def test_as_the_system_would(self):
        for case, (what, words) in NOT_HANDLED.items():
            with self.subTest(case):
                self.assertIn(words, self.check(what, FINDING).stdout)

    def test_refused_by_name(self):
        for case, (what, words) in HANDLER_REFUSED.items():
            with self.subTest(case):
                self.assertIn(words, self.check(what, ERROR).stderr)


if __name__ == "__main__":
    unittest.main()
