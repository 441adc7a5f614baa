#!/usr/bin/env python3
"""Executions that begin in the middle show the same as those that begin at the beginning.

Each program keeps something somewhere (a register, a page of static data, the heap, errno, ...) on both
sides of steps that others may take in between, and asserts that it is still there. With
`--checkpoints always` it is put back again and again, with `check` it is compared with what replaying
leads to; counts, decisions and findings must be those of `off`.
"""

import json
import unittest

from calling import InFolder

THREADS = r"""
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void step(int value) { atomic_store(&x, value); }
"""

TWO = r"""
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, run, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
"""

# What a thread does between its steps; `me` is its number.
KEPT = {
    "registers and stack": ("", r"""
        volatile int here[64];
        for (int i = 0; i < 64; i++) here[i] = i * (int)me;
        long sum = me;
        for (int k = 0; k < 3; k++) { step(k); sum = sum * 3 + k; }
        assert(sum == me * 27 + 5);
        for (int i = 0; i < 64; i++) assert(here[i] == i * (int)me);"""),
    "deep stack": (r"""
        static int deep(int depth, long me) {
          volatile char room[3000];
          room[0] = room[2999] = (char)(depth + me);
          step(depth);
          if (depth > 0) assert(deep(depth - 1, me) == 1);
          step(depth + 10);
          assert(room[0] == (char)(depth + me) && room[2999] == room[0]);
          return 1;
        }""", "assert(deep(1, me) == 1); step(5);"),
    "static data": (r"""
        static int small[2]; static char large[2][200000];""", r"""
        for (int k = 1; k < 4; k++) {
          small[me]++; large[me][k * 50000] = (char)k;
          step(k);
          assert(small[me] == k && large[me][k * 50000] == (char)k && large[me][100] == 0);
        }"""),
    "heap": (r"""
        #include <stdlib.h>
        #include <string.h>""", r"""
        char* one = malloc(100); strcpy(one, "first");
        step(1);
        assert(strcmp(one, "first") == 0);
        char* two = calloc(1, 50); strcpy(two, "second");
        free(one);
        step(2);
        assert(strcmp(two, "second") == 0);
        two = realloc(two, 5000); two[4999] = 'x';
        step(3);
        assert(strcmp(two, "second") == 0 && two[4999] == 'x');
        free(two);"""),
    "thread-local variables": (r"""
        static _Thread_local long own = 7;
        static _Thread_local char table[5000];""", r"""
        assert(own == 7 && table[4000] == 0);
        own += me; step(1); assert(own == 7 + me);
        table[4000] = 3; step(2); assert(table[4000] == 3);"""),
    "errno": (r"""
        #include <errno.h>""", r"""
        errno = 40 + (int)me; step(1); assert(errno == 40 + (int)me);
        errno = 50; step(2); assert(errno == 50);"""),
    "rounding": (r"""
        #include <fenv.h>""", r"""
        int mode = me ? FE_UPWARD : FE_DOWNWARD;
        fesetround(mode); step(1); assert(fegetround() == mode); step(2);
        assert(fegetround() == mode);"""),
    "keys": (r"""
        static pthread_key_t key;
        static pthread_once_t once = PTHREAD_ONCE_INIT;
        static void make(void) { pthread_key_create(&key, 0); }""", r"""
        pthread_once(&once, make);
        pthread_setspecific(key, (void*)(me + 1)); step(1);
        assert(pthread_getspecific(key) == (void*)(me + 1));"""),
    "jumps": (r"""
        #include <setjmp.h>""", r"""
        jmp_buf back;
        volatile int times = 0;
        if (setjmp(back) < 2) { step(times); times++; longjmp(back, times); }
        assert(times == 2);"""),
    "strtok": (r"""
        #include <string.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;""", r"""
        char text[] = "a b c";
        pthread_mutex_lock(&m);
        char* one = strtok(text, " ");
        step(1);
        char* two = strtok(0, " ");
        assert(*one == 'a' && *two == 'b');
        pthread_mutex_unlock(&m);"""),
    "locks": (r"""
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        static int there;""", r"""
        pthread_mutex_lock(&m);
        if (++there == 2) pthread_cond_broadcast(&c);
        while (there < 2) pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        step(1);"""),
}

# What is not memory: executions that have touched it begin at the beginning.
OUTSIDE = {
    "a file": (r"""
        #include <stdio.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;""", r"""
        pthread_mutex_lock(&m);
        FILE* file = fopen("kept", "a+");
        fputc('x', file);
        step(1);
        fseek(file, 0, SEEK_END);
        long size = ftell(file);
        fclose(file);
        assert(size == 1 || size == 2);
        pthread_mutex_unlock(&m);
        step(2);"""),
    "a mapping": (r"""
        #include <sys/mman.h>""", r"""
        char* page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        page[10] = (char)(me + 1); step(1); assert(page[10] == (char)(me + 1)); step(2);
        munmap(page, 4096);"""),
    "a buffer of the C library": (r"""
        #include <time.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;""", r"""
        time_t when = me * 86400;
        pthread_mutex_lock(&m);
        struct tm* date = gmtime(&when);
        step(1);
        assert(date->tm_mday == me + 1);
        pthread_mutex_unlock(&m);
        step(2);"""),
    "a locale": (r"""
        #include <locale.h>""", r"""
        locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        uselocale(own); step(1); assert(uselocale((locale_t)0) == own); step(2);
        uselocale(LC_GLOBAL_LOCALE); freelocale(own);"""),
}

CPP = r"""
#include <atomic>
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
static std::atomic<int> x;
static void run(int me) {
  std::vector<std::string> kept{"a string that is too long to be short " + std::to_string(me)};
  try {
    x = me;
    throw std::runtime_error("thrown by " + std::to_string(me));
  } catch (const std::exception& one) {
    x = 2;
    try {
      throw std::logic_error("inner");
    } catch (const std::logic_error& other) {
      x = 3;
      assert(std::string(other.what()) == "inner");
    }
    assert(one.what() == "thrown by " + std::to_string(me));
    assert(std::current_exception() != nullptr);
  }
  assert(kept[0] == "a string that is too long to be short " + std::to_string(me));
}
int main() {
  std::thread one(run, 1), two(run, 2);
  one.join();
  two.join();
}
"""

BROKEN = THREADS + r"""
#include <stdlib.h>
static void* run(void* me) {
  int* number = malloc(sizeof *number);
  *number = atomic_load(&y);
  step(1);
  atomic_store(&y, *number + 1);
  step(2);
  free(number);
  return me;
}
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(atomic_load(&y) != 1);
  assert(atomic_load(&y) != 2);
  return 0;
}
"""

TECHNIQUES = ["optimal", "source", "dpor", "sleep", "source-context:chains", "optimal-context"]


def program(before, does):
    return "#define _GNU_SOURCE\n" + THREADS + before + "\n" + (
        "static void* run(void* argument) { const long me = (long)argument; (void)me;" + does +
        " return 0; }") + TWO


class Checkpoints(InFolder):
    def explored(self, source, mode, technique="optimal", name="program.c", extra=()):
        self.write(name, source)
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        done = self.mazurka("check", name, "-lm", "--checkpoints", mode, "--technique", technique, "--json", report,
                            "--shorten", "off", *extra)
        self.assertTrue(report.exists(), done.stdout + done.stderr)
        return json.loads(report.read_text())

    def same(self, one, other):
        for field in ("verdict", "executions", "asleep"):
            self.assertEqual(one[field], other[field], other.get("reason"))
        for field in ("events", "transitions", "digest"):
            self.assertEqual(one["statistics"][field], other["statistics"][field])
        self.assertEqual(sorted(finding["message"] for finding in one["findings"]),
                         sorted(finding["message"] for finding in other["findings"]))

    def test_memory_is_put_back(self):
        for what, (before, does) in KEPT.items():
            source = program(before, does)
            for technique in TECHNIQUES if what == "heap" else TECHNIQUES[:1]:
                with self.subTest(what, technique=technique):
                    off = self.explored(source, "off", technique)
                    self.assertEqual(off["verdict"], "verified", off.get("reason"))
                    self.assertGreater(off["executions"], 1)
                    self.assertEqual(off["statistics"]["events_spared"], 0)
                    always = self.explored(source, "always", technique)
                    self.same(off, always)
                    self.assertGreater(always["statistics"]["events_spared"], 0)
                    self.same(off, self.explored(source, "check", technique))

    def test_exceptions_are_put_back(self):
        off = self.explored(CPP, "off", name="program.cpp")
        self.assertEqual(off["verdict"], "verified", off.get("reason"))
        always = self.explored(CPP, "always", name="program.cpp")
        self.same(off, always)
        self.assertGreater(always["statistics"]["events_spared"], 0)
        self.same(off, self.explored(CPP, "check", name="program.cpp"))

    def test_what_is_not_memory_is_not(self):
        for what, (before, does) in OUTSIDE.items():
            with self.subTest(what):
                source = program(before, does)
                off = self.explored(source, "off")
                self.assertEqual(off["verdict"], "verified", off.get("reason"))
                self.assertGreater(off["executions"], 1)
                always = self.explored(source, "always")
                self.same(off, always)
                spared = always["statistics"]["events_spared"]
                # Up to the first use there is nothing that could not be put back.
                self.assertLess(spared, off["statistics"]["events"] // 2)

    def test_findings_are_the_same(self):
        for technique in TECHNIQUES:
            with self.subTest(technique):
                off = self.explored(BROKEN, "off", technique, extra=["--keep-going"])
                self.assertEqual(off["verdict"], "finding")
                self.assertEqual(len(off["findings"]), 2)
                for mode in ("on", "always", "check"):
                    self.same(off, self.explored(BROKEN, mode, technique, extra=["--keep-going"]))


if __name__ == "__main__":
    unittest.main()
