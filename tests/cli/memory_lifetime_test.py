#!/usr/bin/env python3
"""Memory that begins and ends: blocks that the C library allocates, `new` without an initialiser,
errno, static variables of functions, and locals of functions that have returned."""

import unittest

from calling import FINDING, VERIFIED, InFolder

COMMON = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *block;
static size_t room;
static void make(void) { MAKE }
static void *other(void *u) {
  pthread_mutex_lock(&mutex);
  make();
  pthread_mutex_unlock(&mutex);
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  assert(block != NULL && strlen(block) < room);
  USE
  return 0;
}
"""
# How the block comes to be, as large as `room`.
MADE = {
    "getcwd": "block = getcwd(NULL, 0); room = strlen(block) + 1;",
    "getcwd with a size": "block = getcwd(NULL, 5000); room = 5000;",
    "get_current_dir_name": "block = get_current_dir_name(); room = strlen(block) + 1;",
    "realpath": 'block = realpath(".", NULL); room = strlen(block) + 1;',
    "canonicalize_file_name": 'block = canonicalize_file_name("/"); room = 2;',
    "strdup": 'block = strdup("text"); room = 5;',
    "asprintf": 'room = asprintf(&block, "%d", 42) + 1;',
    "getline": 'FILE *f = fopen("lines", "r"); assert(getline(&block, &room, f) == 4 && !strcmp(block, "one\\n")); fclose(f);',
    "getline again": """
      FILE *f = fopen("lines", "r"); room = 2; block = malloc(2);
      assert(getline(&block, &room, f) == 4 && getline(&block, &room, f) == 301 && room >= 302);
      assert(getline(&block, &room, f) == -1); fclose(f);""",
    "open_memstream": """
      FILE *f = open_memstream(&block, &room); fputs("te", f); fflush(f); assert(room == 2 && !strcmp(block, "te"));
      fputs("xt", f); fclose(f); assert(room == 4 && !strcmp(block, "text")); ++room;""",
    "scandir": """
      struct dirent **l; int n = scandir(".", &l, NULL, alphasort); assert(n >= 3 && !strcmp(l[0]->d_name, "."));
      for (int i = 1; i < n; ++i) free(l[i]);
      block = (char *)l[0]; room = l[0]->d_reclen; memset(block, 'x', room - 1); block[room - 1] = 0; free(l);""",
    "valloc": "block = valloc(100); room = 100; block[0] = 0;",
}  # fmt: skip


class Blocks(InFolder):
    def check(self, case, use, expect, *options):
        self.write("lines", "one\n" + "x" * 300 + "\n")
        self.write("program.c", COMMON.replace("MAKE", MADE[case]).replace("USE", use))
        return self.mazurka("check", "program.c", "--leaks", *options, expect=expect)

    def test_they_are_the_programs(self):
        for case in MADE:
            with self.subTest(case):
                self.check(case, "free(block); block = NULL;", VERIFIED)

    def test_bounds(self):
        for case in MADE:
            with self.subTest(case):
                self.assertIn("behind the end", self.check(case, "block[room] = 'x';", FINDING).stdout)

    def test_use_after_free(self):
        for case in MADE:
            with self.subTest(case):
                self.assertIn("was freed", self.check(case, "free(block); block[0] = 'x';", FINDING).stdout)

    def test_leaks(self):
        for case in MADE:
            with self.subTest(case):
                self.assertIn("Leak: a heap block", self.check(case, "block = NULL;", FINDING).stdout)

    def test_who_does_not_know_of_the_call_races_with_it(self):
        for case in ("getcwd", "realpath", "asprintf"):
            with self.subTest(case):
                text = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static _Atomic(char *) shared;
static void *look(void *u) { char *p = atomic_load_explicit(&shared, ORDER); if (p && p[0] == 'q') abort(); return u; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, look, 0);
  char *block; size_t room; (void)room;
  MAKE
  atomic_store_explicit(&shared, block, ORDER2); pthread_join(t, 0); free(block); return 0;
}
"""
                self.write("publish.c", text.replace("MAKE", MADE[case]))
                self.mazurka("check", "publish.c", "-DORDER=memory_order_acquire", "-DORDER2=memory_order_release", expect=VERIFIED)
                done = self.mazurka("check", "publish.c", "-DORDER=memory_order_relaxed", "-DORDER2=memory_order_relaxed", expect=FINDING)
                self.assertIn("Data race", done.stdout)

    def test_new_without_an_initialiser(self):
        self.write(
            "new.cpp",
            "#include <atomic>\n#include <new>\n#include <thread>\nstruct Block { int number; };\nstd::atomic<Block *> shared;\n"
            "int main() {\n"
            "  std::thread t([] { Block *b = shared.load(ORDER); if (b) b->number = 1; });\n"
            "  shared.store(new MAKE, ORDER2);\n"
            "  t.join();\n"
            "  delete shared.load();\n"
            "}\n",
        )
        for make in ("Block", "(std::nothrow) Block"):
            relaxed = [f"-DMAKE={make}", "-DORDER=std::memory_order_relaxed", "-DORDER2=std::memory_order_relaxed"]
            self.assertIn("Data race", self.mazurka("check", "new.cpp", *relaxed, expect=FINDING).stdout)
            ordered = [f"-DMAKE={make}", "-DORDER=std::memory_order_acquire", "-DORDER2=std::memory_order_release"]
            self.mazurka("check", "new.cpp", *ordered, expect=VERIFIED)


class Variables(InFolder):
    def test_errno_of_another_thread(self):
        text = r"""
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *its) { LOCK; *(int *)its = 5; UNLOCK; return its; }
int main(void) { pthread_t t; pthread_create(&t, 0, other, &errno); LOCK; errno = 7; UNLOCK; pthread_join(t, 0); return errno == 0; }
"""
        self.write("errno.c", text)
        locks = ["-DLOCK=pthread_mutex_lock(&m)", "-DUNLOCK=pthread_mutex_unlock(&m)"]
        self.assertIn("Data race", self.mazurka("check", "errno.c", "-DLOCK=", "-DUNLOCK=", expect=FINDING).stdout)
        self.mazurka("check", "errno.c", *locks, expect=VERIFIED)

    def test_errno_of_a_thread_that_has_ended(self):
        text = r"""
#include <errno.h>
#include <pthread.h>
static void *tells(void *u) { (void)u; return &errno; }
int main(void) { pthread_t t; void *its; pthread_create(&t, 0, tells, 0); pthread_join(t, &its); return *(int *)its; }
"""
        self.write("errno.c", text)
        self.assertIn("which has ended", self.mazurka("check", "errno.c", expect=FINDING).stdout)

    def test_static_variables_of_functions(self):
        text = r"""
#include <cassert>
#include <thread>
struct Table { int numbers[4]; Table() { for (int &one : numbers) one = 3; } };
static Table &table() { static Table one; return one; }
int main() {
  std::thread t([] { assert(table().numbers[2] == 3); CHANGE });
  assert(table().numbers[1] == 3);
  t.join();
}
"""
        self.write("static.cpp", text)
        self.mazurka("check", "static.cpp", "-DCHANGE=", expect=VERIFIED)
        self.assertIn("Data race", self.mazurka("check", "static.cpp", "-DCHANGE=table().numbers[1]=3;", expect=FINDING).stdout)

    def test_a_local_of_a_function_that_has_returned(self):
        """What comes to lie in the same place is used by two threads."""
        text = r"""
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) lent;
static void use(int *p) { *p = 1; if (*p != 1) abort(); }
__attribute__((noinline)) static void lend(void) { int local = 0; use(&local); atomic_store(&lent, &local); }
__attribute__((noinline)) static void goes_on(void) { int local = 0; use(&local); }
static void *owner(void *u) { lend(); goes_on(); return u; }
static void *borrower(void *u) { int *p = atomic_load(&lent); if (p) *p = 2; return u; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, owner, 0); pthread_create(&t, 0, borrower, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  return 0;
}
"""
        self.write("left.c", text)
        done = self.mazurka("check", "left.c", expect=FINDING)
        self.assertIn("stack of T1", done.stdout)


UNWRITTEN = {
    "a local of another thread": r"""
#include <pthread.h>
#include <stdatomic.h>
static _Atomic(int *) lent;
static atomic_int done;
static void *owner(void *u) { int local INIT; atomic_store(&lent, &local); while (!atomic_load(&done)) ; return u; }
static void *borrower(void *u) { int *p; while (!(p = atomic_load(&lent))) ; int seen = *p; (void)seen; atomic_store(&done, 1); return u; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, owner, 0); pthread_create(&t, 0, borrower, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  return 0;
}
""",
    "a local in the place of another one": r"""
static int take(int *p) { return *p; }
__attribute__((noinline)) static int first(void) { int one = 1; return take(&one); }
__attribute__((noinline)) static int second(void) { int two INIT; return take(&two); }
int main(void) { return first() + second() > 1000; }
""",
    "a block": r"""
#include <stdlib.h>
int main(void) { long *p = malloc(2 * sizeof *p); p[0] = 3; long q INIT; (void)(p[1] INIT_BLOCK); long r = p[0] + p[1]; free(p); (void)q; return r == 5; }
""",
}  # fmt: skip
WRITTEN = r"""
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>
struct Gaps { char a; long b; char c; };
struct Half { int set, unset; };
int number(int n) { int *p = &n; return *p; }
int main() {
  std::map<std::string, std::vector<int>> m; m["a long string that is not kept in place"].push_back(1);
  Gaps one{1, 2, 3}, two = one; auto more = std::make_unique<Gaps>(two);
  Half *h = new Half; h->set = 1; Half copy = *h; delete h;
  std::optional<long> none, other = none;
  std::ostringstream text; text << 1.5 << "x" << m.size();
  char *zeros = static_cast<char *>(std::calloc(10, 1)); int sum = zeros[3]; std::free(zeros);
  int row[100]; std::memset(row, 0, sizeof row); sum += row[50];
  double d = std::strtod("2.5", nullptr); std::string s = std::to_string(d) + text.str();
  std::thread t([&] { sum += number(4) + copy.set; });
  t.join();
  return sum == 77 || more->a == 9 || s.empty() || other.has_value();
}
"""


class Uninitialised(InFolder):
    def test_reads_of_what_nobody_has_written(self):
        for case, text in UNWRITTEN.items():
            with self.subTest(case):
                self.write("program.c", text)
                self.mazurka("check", "program.c", "-DINIT=", "-DINIT_BLOCK=", expect=VERIFIED)
                done = self.mazurka("check", "program.c", "--uninitialised", "-DINIT=", "-DINIT_BLOCK=", expect=FINDING)
                self.assertIn("nobody has written", done.stdout)
                self.mazurka("check", "program.c", "--uninitialised", "-DINIT==7", "-DINIT_BLOCK==2", expect=VERIFIED)

    def test_what_libraries_write_is_written_and_copies_may_have_gaps(self):
        self.write("program.cpp", WRITTEN)
        for flags in ([], ["-O2"]):
            self.mazurka("check", "program.cpp", "--uninitialised", *flags, expect=VERIFIED)


if __name__ == "__main__":
    unittest.main()
