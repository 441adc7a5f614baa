#!/usr/bin/env python3
"""What a verdict says, and what it rests on."""

import json
import shutil
import unittest

from calling import FINDING, INCONCLUSIVE, MAZURKA, VERIFIED, InFolder

CC = MAZURKA.parent / "mazurka-cc"

# Two threads add to a counter under a mutex that they give up in between.
LOST_UPDATE = """
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *add(void *unused) {
  pthread_mutex_lock(&guard);
  int seen = counter;
  pthread_mutex_unlock(&guard);
  pthread_mutex_lock(&guard);
  counter = seen + 1;
  pthread_mutex_unlock(&guard);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (counter != 2) END(3);
  return 0;
}
"""

# A plain and an atomic access; A and B are given on the command line.
TWO_ACCESSES = """
#include <pthread.h>
int x;
volatile int sink, sunk;
static void *first(void *unused) { A; return unused; }
static void *second(void *unused) { B; return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
#ifndef LEFT_ALONE
  pthread_join(a, 0);
  pthread_join(b, 0);
#endif
  return 0;
}
"""

STORE = "__atomic_store_n(&x,17,__ATOMIC_RELAXED)"
LOAD = "sunk=__atomic_load_n(&x,__ATOMIC_SEQ_CST)"
ADD = "__atomic_fetch_add(&x,1,__ATOMIC_SEQ_CST)"
FAILING = "({int e=5;__atomic_compare_exchange_n(&x,&e,6,0,__ATOMIC_SEQ_CST,__ATOMIC_SEQ_CST);})"
READ = "sink=x"
WRITE = "x=1"

# A lock of a library: made of atomic operations, or a mutex.
LOCK_LIBRARY = """
#ifdef MUTEX
#include <pthread.h>
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
void library_lock(void) { pthread_mutex_lock(&guard); }
void library_unlock(void) { pthread_mutex_unlock(&guard); }
#else
static int taken;
void library_lock(void) { while (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE)) { } }
void library_unlock(void) { __atomic_store_n(&taken, 0, __ATOMIC_RELEASE); }
#endif
"""
LOCK_USER = """
#include <pthread.h>
void library_lock(void);
void library_unlock(void);
static int shared;
static void *work(void *unused) {
  library_lock();
  shared++;
  library_unlock();
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  work(NULL);
  pthread_join(other, NULL);
  return 0;
}
"""


# Two threads that increment a variable, by code that FUNCTION and BODY say.
TWO_INCREMENTS = """
#include <pthread.h>
static int shared;
static void FUNCTION increment(void) { BODY }
static void *work(void *unused) { AROUND(increment()); return unused; }
int main(void) {
  pthread_t other;
  BEFORE;
  pthread_create(&other, 0, work, 0);
  work(0);
  pthread_join(other, 0);
  BEFORE;
  return 0;
}
"""
NOT_INSTRUMENTED = "__attribute__((no_sanitize_thread))"
IN_ASSEMBLY = '__asm__ volatile("incl %0" : "+m"(shared) : : "memory");'


class VerdictTest(InFolder):
    def json_of(self, *arguments, expect=None, **variables):
        result = self.mazurka(*arguments, "--json", "-", expect=expect, **variables)
        return json.loads(result.stdout)

    def outcome(self, name, text, *arguments, expect):
        self.write(name, text)
        return self.json_of("check", name, *arguments, expect=expect)


class Grounds(VerdictTest):
    def notes(self, text, *arguments, expect=VERIFIED, name="program.c"):
        return " | ".join(self.outcome(name, text, *arguments, expect=expect)["notes"])

    def test_nothing_to_say(self):
        text = """
            #include <pthread.h>
            #include <stdatomic.h>
            static atomic_int x;
            static void *work(void *unused) { x++; return unused; }
            int main(void) {
              pthread_t other;
              pthread_create(&other, 0, work, 0);
              x++;
              pthread_join(other, 0);
              return 0;
            }"""
        outcome = self.outcome("program.c", text, expect=VERIFIED)
        self.assertEqual(outcome["notes"], [])
        self.assertEqual(outcome["verdict_in_words"], "verified")

    def test_data_races_that_are_not_looked_for(self):
        text = """
            #include <pthread.h>
            #include <stdatomic.h>
            static atomic_int n;
            static int x;
            static void *work(void *unused) { atomic_store(&n, 1); x = 0; return unused; }
            int main(void) {
              pthread_t other;
              pthread_create(&other, 0, work, 0);
              atomic_store(&n, 1);
              x = 1;
              pthread_join(other, 0);
              return 0;
            }"""
        self.assertIn("data races were not looked for (--races off)",
                      self.notes(text, "--races", "off"))
        self.assertNotIn("not looked for", self.notes(text, "--races", "off", "--racy"))

    def test_no_execution_met_the_assumptions(self):
        text = """
            #include <assert.h>
            void __VERIFIER_assume(int);
            int main(int count, char **words) { __VERIFIER_assume(count > 5); assert(0); }"""
        outcome = self.outcome("program.c", text, expect=INCONCLUSIVE)
        self.assertIn("no execution met the assumptions; 1 execution was ended by them",
                      outcome["reason"])
        self.assertEqual(outcome["executions"], 0)
        self.assertEqual(outcome["statistics"]["ended_by_assumption"], 1)

    def test_executions_that_assumptions_end_are_counted_apart(self):
        text = """
            #include <pthread.h>
            #include <stdatomic.h>
            void __VERIFIER_assume(int);
            static atomic_int x;
            static void *work(void *unused) { x = 1; return unused; }
            int main(void) {
              pthread_t other;
              pthread_create(&other, 0, work, 0);
              __VERIFIER_assume(x == 1);
              pthread_join(other, 0);
              return 0;
            }"""
        outcome = self.outcome("program.c", text, expect=VERIFIED)
        self.assertEqual((outcome["executions"], outcome["statistics"]["ended_by_assumption"]),
                         (1, 1))
        self.assertIn("1 execution was ended by an assumption", outcome["notes"][0])
        self.assertIn("1 execution and 1 ended by assumptions",
                      self.mazurka("check", "program.c").stdout)

    def test_weak_orders(self):
        text = """
            #include <pthread.h>
            #include <stdatomic.h>
            static atomic_int x;
            static void *work(void *unused) {
              atomic_store_explicit(&x, 1, memory_order_relaxed);
              return unused;
            }
            int main(void) {
              atomic_init(&x, 0);
              pthread_t other;
              pthread_create(&other, 0, work, 0);
              atomic_load(&x);
              pthread_join(other, 0);
              return 0;
            }"""
        self.write("program.c", text)
        strong = ("--memory", "sc")
        outcome = self.json_of("check", "program.c", *strong, expect=VERIFIED)
        self.assertEqual(outcome["verdict_in_words"], "verified under sequential consistency")
        self.assertIn("seq_cst", outcome["notes"][0])
        result = self.mazurka("check", "program.c", *strong, "--junit", "out.xml", "--sarif",
                              "out.sarif")
        self.assertRegex(result.stdout, r"^VERIFIED under sequential consistency  program\.c: ")
        self.assertIn("VERIFIED under sequential consistency",
                      (self.folder / "out.xml").read_text())
        run = json.loads((self.folder / "out.sarif").read_text())["runs"][0]
        self.assertIn("seq_cst",
                      run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])

    def test_weak_orders_while_nobody_else_is_there(self):
        text = """
            #include <stdatomic.h>
            static atomic_int x;
            int main(void) { return atomic_load_explicit(&x, memory_order_relaxed); }"""
        self.assertEqual(self.notes(text), "")

    def test_assertions_that_are_not_compiled(self):
        text = "#include <assert.h>\nint main(void) { assert(1 > 2); return 0; }\n"
        self.write("program.c", text)
        for flag in (["-DNDEBUG"], ["-D", "NDEBUG"], ["-DNDEBUG=1", "--compiler", "clang"]):
            if "clang" in flag and shutil.which("clang") is None:
                continue
            notes = self.json_of("check", "program.c", *flag, expect=VERIFIED)["notes"]
            self.assertEqual(notes, ["compiled with NDEBUG: 1 assertion is not checked "
                                     "(in program.c)"])
        self.mazurka("check", "program.c", "-DNDEBUG", "-UNDEBUG", expect=FINDING)
        self.write("quiet.h", "#define NDEBUG\n#include <assert.h>\n")
        text = '#include "quiet.h"\nint main(void) { assert(1 > 2); return 0; }\n'
        self.assertIn("NDEBUG", self.notes(text, name="header.c"))
        # In a header of a header, wherever each of them lies, and however it is included.
        (self.folder / "inner").mkdir()
        self.write("inner/quiet_too.h", '#include "../quiet.h"\n')
        self.write("inner/outer.h", '#pragma once\n#include "quiet_too.h"\n#include "outer.h"\n')
        for include in ('"inner/outer.h"', f'"{self.folder}/inner/outer.h"'):
            text = f"#include {include}\nint main(void) {{ assert(1 > 2); return 0; }}\n"
            self.assertIn("NDEBUG", self.notes(text, name="nested.c"), include)
        text = '#define outer "inner/outer.h"\n#include outer\nint main(void) { assert(1 > 2); }\n'
        self.assertIn("NDEBUG", self.notes(text, name="by_macro.c"))
        # Built elsewhere, by the wrapper.
        self.run_command([CC, "-DNDEBUG", "-O2", "-c", "program.c", "-o", "program.o"])
        self.run_command([CC, "program.o", "-o", "program"])
        notes = self.json_of("check", "./program", expect=VERIFIED)["notes"]
        self.assertIn("NDEBUG", " ".join(notes))

    def test_no_assertions_to_miss(self):
        self.assertEqual(self.notes("int main(void) { return 0; }", "-DNDEBUG"), "")

    def test_chance_and_clocks(self):
        chance = "#include <stdlib.h>\nint main(void) { return rand() == -1; }"
        self.assertEqual(self.notes(chance), "random numbers were the same sequence in every execution")
        clock = "#include <time.h>\nint main(void) { return time(0) == 0; }"
        self.assertIn("clocks were", self.notes(clock))

    def test_sampled_values(self):
        text = "int __VERIFIER_nondet_int(void);\nint main(void) { __VERIFIER_nondet_int(); return 0; }"
        outcome = self.outcome("program.c", text, expect=INCONCLUSIVE)
        self.assertIn("only a few were tried", outcome["reason"])

    def test_threads_that_never_meet(self):
        text = """
            #include <pthread.h>
            #include <stdatomic.h>
            static atomic_int x, y;
            static void *work(void *unused) { x = 1; return unused; }
            int main(void) {
              pthread_t other;
              pthread_create(&other, 0, work, 0);
              MINE = 1;
              pthread_join(other, 0);
              return 0;
            }"""
        self.assertIn("nothing in common whose order matters", self.notes(text, "-DMINE=y"))
        self.assertEqual(self.notes(text, "-DMINE=x"), "")


class ExitCodes(VerdictTest):
    def test_told_as_a_note(self):
        for end in ("return", "exit", "_exit", "quick_exit"):
            outcome = self.outcome("program.c", LOST_UPDATE, f"-DEND={end}", expect=VERIFIED)
            self.assertEqual(len(outcome["notes"]), 1, outcome["notes"])
            self.assertIn("ended with exit code 3 in 4 executions", outcome["notes"][0])
            self.assertEqual(outcome["statistics"]["nonzero_exits"], 4)
            self.assertEqual(outcome["statistics"]["exit_code"], 3)

    def test_told_as_a_finding(self):
        for end in ("return", "exit", "_exit", "quick_exit"):
            outcome = self.outcome("program.c", LOST_UPDATE, f"-DEND={end}", "--exit-code",
                                   "finding", expect=FINDING)
            finding = outcome["findings"][0]
            self.assertEqual(finding["kind"], "exit code")
            self.assertIn("exit code 3", finding["message"])
            result = self.run_command(finding["replay"].split())
            self.assertEqual(result.returncode, FINDING, result.stdout + result.stderr)

    def test_zero_is_fine(self):
        self.outcome("program.c", "int main(void) { return 0; }", "--exit-code", "finding",
                     expect=VERIFIED)


class Foreign(VerdictTest):
    """A library that an ordinary compiler has built."""

    def build(self, shared, *flags):
        self.write("lock.c", LOCK_LIBRARY)
        self.write("user.c", LOCK_USER)
        if shared:
            build = ["gcc", "-O1", "-shared", "-fPIC", *flags, "lock.c", "-o", "liblock.so"]
            link = [CC, "user.c", "-o", "user", "-L.", "-llock", f"-Wl,-rpath,{self.folder}"]
        else:
            build = ["gcc", "-O1", "-c", *flags, "lock.c", "-o", "lock.o"]
            link = [CC, "user.c", "lock.o", "-o", "user"]
        for command in (build, link):
            result = self.run_command(command)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_lock_made_of_atomics(self):
        for shared, name in ((True, "liblock.so"), (False, "binary form")):
            self.build(shared)
            outcome = self.json_of("check", "./user", expect=INCONCLUSIVE)
            self.assertIn("may be none", outcome["reason"])
            self.assertIn("may only look like one", outcome["findings"][0]["message"])
            self.assertIn(name, outcome["notes"][0])
            self.assertIn("mazurka-cc", outcome["notes"][0])

    def test_only_what_ran_in_between_can_order_anything(self):
        self.write("lock.c", LOCK_LIBRARY)
        self.run_command(["gcc", "-O1", "-c", "lock.c", "-o", "lock.o"])
        for before, between, expect in (("", "", FINDING), ("LOCKED", "", FINDING),
                                        ("", "LOCKED", INCONCLUSIVE)):
            self.write("user.c", """
                #include <pthread.h>
                void library_lock(void);
                void library_unlock(void);
                #define LOCKED library_lock(); library_unlock();
                static int shared;
                static void *work(void *unused) { shared = 1; BETWEEN return unused; }
                int main(int count, char **words) {
                  pthread_t other;
                  if (count > 1) { LOCKED }
                  BEFORE
                  pthread_create(&other, 0, work, 0);
                  shared = 2;
                  pthread_join(other, 0);
                }""".replace("BEFORE", before).replace("BETWEEN", between))
            built = self.run_command([CC, "user.c", "lock.o", "-o", "user"])
            self.assertEqual(built.returncode, 0, built.stderr)
            finding = self.json_of("check", "./user", expect=expect)["findings"][0]
            self.assertEqual(finding["kind"], "data race")
            self.assertEqual("may only look" in finding["message"], expect == INCONCLUSIVE)

    def test_loads_of_16_bytes_are_none(self):
        # clang calls the hook, and leaves the instructions there as well.
        source = """
            #include <pthread.h>
            #include <stdatomic.h>
            static _Atomic unsigned __int128 wide;
            static int plain;
            static void* body(void* unused) { plain = (int)atomic_load(&wide); return unused; }
            int main(void) {
              pthread_t thread;
              pthread_create(&thread, 0, body, 0);
              plain = 1;
              pthread_join(thread, 0);
            }"""
        for compiler in ("gcc", "clang"):
            self.write("wide.c", source)
            outcome = self.json_of("check", "wide.c", "--compiler", compiler, expect=FINDING)
            self.assertEqual(outcome["findings"][0]["kind"], "data race")

    def test_a_mutex_is_seen(self):
        self.build(True, "-DMUTEX")
        outcome = self.json_of("check", "./user", expect=VERIFIED)
        self.assertIn("liblock.so is not built with mazurka-cc", outcome["notes"][0])
        self.build(False, "-DMUTEX")
        self.assertEqual(self.json_of("check", "./user", expect=VERIFIED)["executions"], 2)

    def test_built_with_the_wrapper(self):
        self.write("lock.c", LOCK_LIBRARY)
        self.write("user.c", LOCK_USER)
        self.run_command([CC, "-shared", "-fPIC", "lock.c", "-o", "liblock.so"])
        self.run_command([CC, "user.c", "-o", "user", "-L.", "-llock",
                          f"-Wl,-rpath,{self.folder}"])
        outcome = self.json_of("check", "./user", expect=VERIFIED)
        self.assertEqual([note for note in outcome["notes"] if "liblock" in note], [])


class Unseen(VerdictTest):
    """Code of the program itself whose accesses are not seen: nothing is verified."""

    def told(self, expect, *flags, function="", body="shared++;", around="X", before=""):
        text = TWO_INCREMENTS.replace("FUNCTION", function).replace("BODY", body)
        text = f"#define AROUND(X) {around}\n" + text.replace("BEFORE", before)
        return self.outcome("program.c", text, *flags, expect=expect)

    def assert_names(self, outcome):
        self.assertIn("increment", outcome["reason"])
        self.assertIn("mazurka-cc", outcome["reason"])
        self.assertNotIn("nothing in common", " ".join(outcome["notes"]))

    def test_functions_that_are_not_instrumented(self):
        for flags in ((), ("-O1", "-fno-inline"), ("--compiler", "clang")):
            if "clang" in flags and not shutil.which("clang"):
                continue
            attribute = "__attribute__((no_sanitize(\"thread\")))" if "clang" in flags else NOT_INSTRUMENTED
            self.assert_names(self.told(INCONCLUSIVE, *flags, function=attribute))

    def test_inline_assembly(self):
        self.assert_names(self.told(INCONCLUSIVE, body=IN_ASSEMBLY))

    def test_inline_assembly_among_accesses_that_are_seen(self):
        body = "static int own; __atomic_fetch_add(&own, 1, 5); " + IN_ASSEMBLY
        self.assert_names(self.told(INCONCLUSIVE, body=body))
        self.assert_names(self.told(INCONCLUSIVE, "-pipe", body=body))

    def test_an_object_that_another_compiler_has_built(self):
        self.write("part.c", "int shared; void increment(void) { ++shared; }")
        self.run_command(["gcc", "-c", "part.c", "-o", "part.o"])
        self.write("main.c", """
            #include <pthread.h>
            void increment(void);
            static void *work(void *unused) { increment(); return unused; }
            int main(void) {
              pthread_t other;
              pthread_create(&other, 0, work, 0);
              work(0);
              pthread_join(other, 0);
            }""")
        built = self.run_command([CC, "main.c", "part.o", "-o", "program"])
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assert_names(self.json_of("check", "./program", expect=INCONCLUSIVE))

    def test_under_a_lock_that_orders_it_all_the_same(self):
        around = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); X; pthread_mutex_unlock(&m)"
        self.assert_names(self.told(INCONCLUSIVE, function=NOT_INSTRUMENTED, around=around))

    def test_where_nobody_else_is_it_does_no_harm(self):
        self.told(VERIFIED, function=NOT_INSTRUMENTED, around="", before="increment()")

    def test_code_that_does_not_run_does_none_either(self):
        self.told(VERIFIED, function=NOT_INSTRUMENTED, around="if (shared > 9) X")

    def test_assembly_without_memory(self):
        for body in ('__asm__ volatile("pause" : : : "memory");',
                     'int own = 0; __asm__ volatile("incl %0" : "+m"(own)); (void)own;',
                     'int own = 0; __asm__ volatile("incl %0" : "+r"(own)); (void)own;'):
            self.told(VERIFIED, body=body)


class Compiled(VerdictTest):
    """At the default flags the compiler leaves what is wrong where it is."""

    def compilers(self):
        return [["--compiler", name] for name in ("gcc", "clang") if shutil.which(name)]

    def test_a_load_whose_value_nobody_uses(self):
        text = """
            #include <pthread.h>
            int x;
            void *reader(void *unused) { int seen = x; (void)seen; return unused; }
            int main(void) {
              pthread_t other;
              pthread_create(&other, 0, reader, 0);
              x = 1;
              pthread_join(other, 0);
              return 0;
            }"""
        for compiler in self.compilers():
            outcome = self.outcome("program.c", text, *compiler, expect=FINDING)
            self.assertEqual(outcome["findings"][0]["kind"], "data race")

    def test_a_store_that_nobody_reads(self):
        text = """
            #include <stdlib.h>
            int main(void) { int *p = malloc(4); *p = 1; free(p); *p = 2; return 0; }"""
        for compiler in self.compilers():
            outcome = self.outcome("program.c", text, *compiler, expect=FINDING)
            self.assertEqual(outcome["findings"][0]["kind"], "memory error")

    def test_the_users_own_level_wins(self):
        text = """
            int main(void) {
            #ifdef __OPTIMIZE__
              return 7;
            #endif
              return 0;
            }"""
        self.assertEqual(self.outcome("program.c", text, expect=VERIFIED)["notes"], [])
        notes = self.outcome("program.c", text, "-O2", expect=VERIFIED)["notes"]
        self.assertIn("exit code 7", notes[0])

    def test_fences_make_no_noise(self):
        text = """
            #include <stdatomic.h>
            int main(void) { atomic_thread_fence(memory_order_seq_cst); return 0; }"""
        self.write("program.c", text)
        result = self.mazurka("check", "program.c", "-Wall", "-Wextra", expect=VERIFIED)
        self.assertEqual(result.stderr, "")


class Races(VerdictTest):
    """A plain access and an atomic one: the report has both, with both stacks."""

    def message(self, first, second, *flags):
        outcome = self.outcome("program.c", TWO_ACCESSES, f"-DA={first}", f"-DB={second}", *flags,
                               expect=FINDING)
        finding = outcome["findings"][0]
        self.assertEqual(finding["kind"], "data race")
        rows = [row for row in finding["story"]["rows"] if row["failing"]]
        self.assertEqual(len(rows), 2, finding["story"]["rows"])
        for row in rows:
            self.assertTrue(row["stack"], row)
        return finding["message"]

    def test_both_are_named(self):
        for flags in ([], ["-DLEFT_ALONE"], ["-O2"]):
            for first, second in ((STORE, READ), (STORE, WRITE), (LOAD, WRITE), (ADD, READ),
                                  (ADD, WRITE), (FAILING, WRITE)):
                for one, other in ((first, second), (second, first)):
                    message = self.message(one, other, *flags)
                    self.assertRegex(message, r"^x: T\d (reads|writes) .*and T\d (reads|writes)")
                    self.assertEqual(message.count("atomically"), 1, message)
                    self.assertNotRegex(message, r"reads .*reads")

    def test_reads_do_not_race(self):
        for first, second in ((LOAD, READ), (FAILING, READ), (READ, FAILING)):
            self.outcome("program.c", TWO_ACCESSES, f"-DA={first}", f"-DB={second}",
                         expect=VERIFIED)


class Competition(VerdictTest):
    """Functions of the verification competition, wherever they are defined."""

    def test_an_error_function_of_a_header(self):
        self.write("errors.h", "void reach_error() {}\n")
        self.write("check.h", "#define check(holds) (!(holds) ? reach_error() : (void)0)\n")
        text = '#include "errors.h"\n#include "check.h"\nint main() { check(0); return 0; }\n'
        for flag in ("-O0", "-O1", "-O2"):
            for compiler in ("gcc", "clang"):
                if shutil.which(compiler) is None:
                    continue
                outcome = self.outcome("program.c", text, flag, "--compiler", compiler,
                                       expect=FINDING)
                self.assertIn("error location", outcome["findings"][0]["message"])

    ATOMIC = """
        #include <pthread.h>
        #include <stdlib.h>
        #include "atomic.h"
        int x;
        void *work(void *unused) { INCREMENT(); return unused; }
        int main() {
          pthread_t p, q;
          pthread_create(&p, 0, work, 0);
          pthread_create(&q, 0, work, 0);
          pthread_join(p, 0);
          pthread_join(q, 0);
          if (x != 2) abort();
          return 0;
        }"""

    def test_an_indivisible_function_of_a_header(self):
        for storage in ("", "static ", "static inline "):
            self.write("atomic.h", "extern int x;\n#define NAME(n) __VERIFIER_atomic_##n\n" +
                       storage + "void NAME(inc)(void) { int r = x; x = r + 1; }\n"
                       "#define INCREMENT NAME(inc)\n")
            for flag in ("-O0", "-O2"):
                outcome = self.outcome("program.c", self.ATOMIC, flag, expect=VERIFIED)
                self.assertEqual(outcome["executions"], 2)

    def test_functions_of_other_files(self):
        self.write("atomic.h", "void increment(void);\n#define INCREMENT increment\n")
        self.write("program.c", self.ATOMIC)
        self.write("other.c", "extern int x;\nstatic void __VERIFIER_atomic_inc(void) "
                   "{ int r = x; x = r + 1; }\nvoid increment(void) { __VERIFIER_atomic_inc(); }\n")
        for name in ("program", "other"):
            self.run_command([CC, "-O2", "-c", f"{name}.c"])
        self.run_command([CC, "program.o", "other.o", "-o", "program"])
        self.json_of("check", "./program", expect=VERIFIED)
        # As a shared library.
        self.run_command([CC, "-O2", "-shared", "-fPIC", "other.c", "-o", "libother.so"])
        result = self.run_command([CC, "program.o", "-L.", "-lother", "-o", "program",
                                   f"-Wl,-rpath,{self.folder}"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.json_of("check", "./program", expect=VERIFIED)


class Restarts(VerdictTest):
    """A search that begins anew, because an execution shows that the program has atomic blocks."""

    TEXT = """
        #include <assert.h>
        #include <pthread.h>
        #include <stdatomic.h>
        void __VERIFIER_atomic_begin(void);
        void __VERIFIER_atomic_end(void);
        static atomic_int x, y;
        static void *work(void *unused) { x = 1; return unused; }
        int main(void) {
          pthread_t other;
          pthread_create(&other, 0, work, 0);
          int seen = x;
          if (seen == WHEN) {
            __VERIFIER_atomic_begin();
            y++;
            __VERIFIER_atomic_end();
          } else {
            assert(!FAILS);
          }
          pthread_join(other, 0);
          return 0;
        }"""

    def test_what_was_performed_stays_counted(self):
        repeated = 0
        # With 0 the thread's write comes before the read, before the block, or after the block.
        for when, traces in ((0, 3), (1, 2)):
            outcome = self.outcome("program.c", self.TEXT, f"-DWHEN={when}", "-DFAILS=0",
                                   expect=VERIFIED)
            again = outcome["statistics"]["repeated"]
            self.assertEqual(outcome["executions"] - again, traces)
            repeated += again
        self.assertEqual(repeated, 1)  # one of the two was complete before the other came

    def test_what_was_found_stays_found(self):
        for when in (0, 1):
            outcome = self.outcome("program.c", self.TEXT, f"-DWHEN={when}", "-DFAILS=1",
                                   "--keep-going", expect=FINDING)
            self.assertEqual([finding["kind"] for finding in outcome["findings"]], ["assertion"])


if __name__ == "__main__":
    unittest.main()
