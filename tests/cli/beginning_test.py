#!/usr/bin/env python3
"""What runs before main and after it is a part of every execution, as main is."""

import json
import os
import unittest

from calling import ERROR, FINDING, MAZURKA, VERIFIED, InFolder

BIN = MAZURKA.parent

# Two threads that meet: two executions of everything else that the program does.
MEETING = r"""
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define BEFORE __attribute__((constructor)) static void
#define AFTER __attribute__((destructor)) static void
static int met;
static pthread_mutex_t meeting = PTHREAD_MUTEX_INITIALIZER;
static void *meet(void *u) {
  pthread_mutex_lock(&meeting);
  met++;
  pthread_mutex_unlock(&meeting);
  return u;
}
static void meet_twice(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, meet, NULL);
  pthread_create(&two, NULL, meet, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(met == 2);
}
"""
MAIN = "int main(void) { meet_twice(); return 0; }\n"

MEETING_CPP = r"""
#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <mutex>
#include <pthread.h>
#include <string>
#include <thread>
#include <vector>
static std::mutex meeting;
static int met;
static void meet() { const std::lock_guard<std::mutex> guard(meeting); ++met; }
static void meet_twice() { std::thread one(meet), two(meet); one.join(); two.join(); assert(met == 2); }
"""
MAIN_CPP = "int main() { meet_twice(); }\n"

# In C: what there is beside the meeting, what is right, words of it.
CASES = {
    "a signal to another process": ("BEFORE begin(void) { kill(getppid(), SIGTERM); }", ERROR, "kill()"),
    "a command": ('BEFORE begin(void) { if (system("touch made.txt")) abort(); }', ERROR, "system()"),
    "a command at the end": ('AFTER end(void) { if (system("touch made.txt")) abort(); }', ERROR, "system()"),
    "files": (
        'BEFORE begin(void) { assert(unlink("kept.txt") == 0); int f = open("made.txt", O_CREAT | O_EXCL | O_WRONLY, 0600);'
        ' assert(f == 3 && write(f, "x", 1) == 1); close(f); }',
        VERIFIED, ""),
    "files at the end": (
        'AFTER end(void) { assert(unlink("kept.txt") == 0); FILE *f = fopen("made.txt", "wx"); assert(f); fclose(f); }',
        VERIFIED, ""),
    "a race of threads that are started before main": (
        "static int x; static void *count(void *u) { x++; return u; }"
        "BEFORE begin(void) { pthread_t a, b; pthread_create(&a, 0, count, 0); pthread_create(&b, 0, count, 0);"
        " pthread_join(a, 0); pthread_join(b, 0); }",
        FINDING, "Data race"),
    "a thread that races with main": (
        "static int x; static pthread_t t; static void *set(void *u) { x = 1; return u; }"
        "BEFORE begin(void) { pthread_create(&t, 0, set, 0); }"
        "AFTER end(void) { x = 2; pthread_join(t, 0); }",
        FINDING, "Data race"),
    "a thread that main waits for": (
        "static int x; static atomic_int done; static pthread_t t;"
        "static void *set(void *u) { x = 1; done = 1; return u; }"
        "BEFORE begin(void) { pthread_create(&t, 0, set, 0); }"
        "AFTER end(void) { while (!done) sched_yield(); x = 2; pthread_join(t, 0); }",
        VERIFIED, ""),
    "an assertion": ("BEFORE begin(void) { assert(getpid() == 1); }", FINDING, "getpid() == 1"),
    "an assertion at the end": ("AFTER end(void) { assert(met == 3); }", FINDING, "met == 3"),
    "a thread that locks twice": (
        "BEFORE begin(void) { pthread_mutex_lock(&meeting); pthread_mutex_lock(&meeting); }", FINDING, "Deadlock"),
    "a deadlock at the end": (
        "static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;"
        "static void *other(void *u) { pthread_mutex_lock(&l); pthread_mutex_lock(&meeting); pthread_mutex_unlock(&meeting);"
        " pthread_mutex_unlock(&l); return u; }"
        "AFTER end(void) { pthread_t t; pthread_create(&t, 0, other, 0); pthread_mutex_lock(&meeting);"
        " pthread_mutex_lock(&l); pthread_join(t, 0); }",
        FINDING, "Deadlock"),
    "an endless loop": ("static volatile int on = 1; BEFORE begin(void) { while (on) { } }", FINDING, "Livelock"),
    "an end before main": ("BEFORE begin(void) { exit(0); } AFTER end(void) { assert(met == 0); }", VERIFIED, ""),
    "a race with a detached thread at the end": (
        "static int x; static void *set(void *u) { x = 1; return u; }"
        "AFTER end(void) { pthread_t t; pthread_create(&t, 0, set, 0); pthread_detach(t); x = 2; }",
        FINDING, "Data race"),
    "a key with a destructor": (
        "static pthread_key_t key; static int gone; static void leave(void *value) { gone += *(int *)value; }"
        "BEFORE begin(void) { static int one = 1; assert(pthread_key_create(&key, leave) == 0 &&"
        " pthread_setspecific(key, &one) == 0); }"
        "AFTER end(void) { assert(gone == 1 && pthread_key_delete(key) == 0); }",
        VERIFIED, ""),
    "thread-local variables": (
        "static __thread int own = 1; BEFORE begin(void) { assert(own == 1); own = 7; }"
        "static void *look(void *u) { assert(own == 1); return u; }"
        "AFTER end(void) { assert(own == 7); pthread_t t; pthread_create(&t, 0, look, 0); pthread_join(t, 0); }",
        VERIFIED, ""),
    "a stream": (
        'static FILE *f; BEFORE begin(void) { f = fopen("kept.txt", "r+"); assert(f && fileno(f) == 3); fputs("new", f); }'
        "AFTER end(void) { rewind(f); assert(fgetc(f) == 'n'); fclose(f); }",
        VERIFIED, ""),
    "all that belongs to the process": (
        'BEFORE begin(void) { char p[4096]; assert(getcwd(p, sizeof p) && strcmp(p, "/") && !getenv("NEW_ONE"));'
        ' assert(chdir("/") == 0 && setenv("NEW_ONE", "1", 1) == 0 && umask(0777) != 0777);'
        ' assert(!strcmp(setlocale(LC_ALL, NULL), "C") && setlocale(LC_ALL, "C.UTF-8"));'
        " assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL); }"
        'AFTER end(void) { char p[4096]; assert(!strcmp(getcwd(p, sizeof p), "/") && getenv("NEW_ONE")); }',
        VERIFIED, ""),
    "what is done once": (
        "static pthread_once_t o = PTHREAD_ONCE_INIT; static int n; static void once(void) { n++; }"
        "BEFORE begin(void) { pthread_once(&o, once); } AFTER end(void) { pthread_once(&o, once); assert(n == 1); }",
        VERIFIED, ""),
    "an exit handler that registers another": (
        "static int n; static void two(void) { assert(n++ == 1); } static void one(void) { assert(n++ == 0); atexit(two); }"
        "BEFORE begin(void) { atexit(one); } AFTER end(void) { assert(n == 2); }",
        VERIFIED, ""),
    "no end": (
        "BEFORE begin(void) { atexit(abort); } AFTER end(void) { abort(); }"
        "static void *leave(void *u) { _exit(0); return u; }"
        "BEFORE last(void) { pthread_t t; pthread_create(&t, 0, leave, 0); pthread_join(t, 0); }",
        VERIFIED, ""),
}

CASES_CPP = {
    "an exception": ('struct B { B() { throw std::string("no"); } } b;', FINDING, "not caught"),
    "a thread of a global object": ("struct S { std::thread t{[] {}}; ~S() { t.join(); } } s;", VERIFIED, ""),
    "a thread of a global object that races with another's constructor": (
        "int x; struct S { std::thread t{[] { x = 1; }}; ~S() { t.join(); } } s;"
        "struct R { int seen; R() : seen(x) {} } r;",
        FINDING, "Data race"),
    "a key of a global object": (
        "struct K { pthread_key_t key; K() { pthread_key_create(&key, nullptr); pthread_setspecific(key, this); }"
        " ~K() { if (pthread_getspecific(key) != this || pthread_key_delete(key) != 0) abort(); } } k;",
        VERIFIED, ""),
    "a mutex of a global object": (
        "struct M { pthread_mutex_t m; M() { pthread_mutex_init(&m, nullptr); pthread_mutex_lock(&m); }"
        " ~M() { pthread_mutex_unlock(&m); pthread_mutex_destroy(&m); } } m;",
        VERIFIED, ""),
    "a stream that is read": ('std::ifstream input("kept.txt");', VERIFIED, ""),
    "a stream that is written": (
        'std::ofstream log_file("kept.txt"); struct W { W() { log_file << "gone" << std::endl; } } w;', VERIFIED, ""),
    "containers": (
        'std::vector<std::string> all(3, "a text that is too long to be kept inside of it");'
        "struct E { ~E() { assert(all.size() == 3); all.clear(); all.shrink_to_fit(); } } e;",
        VERIFIED, ""),
    "output that is buffered to the end": (
        'struct O { O() { std::cout << "begin"; } ~O() { std::cout << "end"; } } o;', VERIFIED, ""),
    "thread-local objects": (
        "struct T { int n = 3; ~T() { assert(n == 4); } }; thread_local T t; struct U { U() { ++t.n; } } u;",
        VERIFIED, ""),
    "a static local": (
        "int count; struct L { L() { ++count; } ~L() { assert(count == 1); } }; L &local() { static L l; return l; }"
        "struct F { F() { local(); } ~F() { local(); } } f; std::once_flag o; struct C { C() { std::call_once(o, [] {}); } } c;",
        VERIFIED, ""),
}  # fmt: skip


class BeginningTest(InFolder):
    def setUp(self):
        super().setUp()
        self.write("kept.txt", "kept\n")

    def expect(self, file, outcome, words, *options):
        done = self.mazurka(
            "check", file, "--max-time", "20s", "--json", "report", *options, expect=outcome
        )
        self.assertIn(words, done.stdout + done.stderr)
        self.assertEqual((self.folder / "kept.txt").read_text(), "kept\n")
        self.assertFalse((self.folder / "made.txt").exists())
        return json.loads((self.folder / "report").read_text()) if outcome != ERROR else None

    def build(self, wrapper, *arguments):
        done = self.run_command([BIN / wrapper, *arguments])
        self.assertEqual(done.returncode, 0, done.stderr)


class Cases(BeginningTest):
    def test_c(self):
        for case, (text, outcome, words) in CASES.items():
            with self.subTest(case):
                file = self.write("case.c", "#include <sys/stat.h>\n" + MEETING + text + "\n" + MAIN)
                report = self.expect(file, outcome, words)
                if outcome == VERIFIED and "end before" not in case and "no end" not in case:
                    self.assertGreaterEqual(report["executions"], 2)

    def test_cpp(self):
        for case, (text, outcome, words) in CASES_CPP.items():
            with self.subTest(case):
                report = self.expect(
                    self.write("case.cpp", MEETING_CPP + text + "\n" + MAIN_CPP), outcome, words
                )
                if outcome == VERIFIED:
                    self.assertGreaterEqual(report["executions"], 2)

    def test_choices(self):
        file = self.write(
            "choice.c",
            "#include <mazurka/mazurka.h>\n" + MEETING + "static int chosen;"
            "BEFORE begin(void) { chosen = mazurka_choose(3); } int main(void) { assert(chosen < 3); return 0; }",
        )
        self.assertEqual(self.expect(file, VERIFIED, "")["executions"], 3)

    def test_findings_are_replayed(self):
        file = self.write("late.c", MEETING + CASES["a deadlock at the end"][0] + "\n" + MAIN)
        done = self.mazurka("check", file, expect=FINDING)
        line = next(one for one in done.stdout.splitlines() if one.strip().startswith("replay:"))
        self.assertIn("Deadlock", self.mazurka(*line.split()[2:], expect=FINDING).stdout)

    def test_checkpoints_are_what_the_beginning_leads_to(self):
        for text in ("a key of a global object", "containers", "a static local"):
            file = self.write("case.cpp", MEETING_CPP + CASES_CPP[text][0] + "\n" + MAIN_CPP)
            self.expect(file, VERIFIED, "", "--checkpoints", "check")


class Quiet(BeginningTest):
    """A beginning that is the same in every execution leaves no trace in what is told."""

    FIRST = """
struct Log { std::mutex mutex; std::vector<int> lines; Log() { const std::lock_guard<std::mutex> guard(mutex); lines.push_back(1); } };
static Log logs[5];
"""

    def counts(self, text, *options):
        self.write("program.cpp", MEETING_CPP + text + MAIN_CPP)
        self.mazurka("check", "program.cpp", "--json", "j", *options, expect=VERIFIED)
        report = json.loads((self.folder / "j").read_text())
        return report["executions"], report["events"]

    def test_counts(self):
        self.assertEqual(self.counts(self.FIRST), self.counts(""))
        self.assertEqual(self.counts(self.FIRST, "--memory", "rc11"), self.counts("", "--memory", "rc11"))

    def test_a_beginning_with_a_choice_or_a_thread_is_performed_every_time(self):
        thread = "struct T { T() { std::thread([] {}).join(); } } t;"
        self.assertEqual(self.counts(thread)[0], 2)
        self.assertGreater(self.counts(thread)[1], self.counts("")[1])

    def test_findings_begin_at_main(self):
        text = self.FIRST + "static int x; static void set() { x = 1; } int main() { std::thread t(set); x = 2; t.join(); }"
        self.write("program.cpp", MEETING_CPP + text)
        done = self.mazurka("check", "program.cpp", expect=FINDING)
        self.assertNotIn("logs", done.stdout)
        line = next(one for one in done.stdout.splitlines() if one.strip().startswith("replay:"))
        self.mazurka(*line.split()[2:], expect=FINDING)

    def test_what_is_printed_before_main_is_shown_once(self):
        text = 'struct P { P() { puts("in the " "beginning"); } } p;'
        text += "static int x; static void set() { x = 1; } int main() { std::thread t(set); x = 2; t.join(); }"
        self.write("program.cpp", MEETING_CPP + text)
        done = self.mazurka("check", "program.cpp", expect=FINDING)
        line = next(one for one in done.stdout.splitlines() if one.strip().startswith("replay:"))
        shown = self.mazurka(*line.split()[2:], expect=FINDING)
        self.assertEqual(shown.stdout.count("in the beginning"), 1, shown.stdout)

    def test_what_is_printed_where_a_thread_begins_is_shown_once(self):
        text = 'struct P { P() { puts("in the " "beginning"); std::thread([] {}).join(); } } p;'
        text += "static int x; static void set() { x = 1; } int main() { std::thread t(set); x = 2; t.join(); }"
        self.write("program.cpp", MEETING_CPP + text)
        done = self.mazurka("check", "program.cpp", expect=FINDING)
        line = next(one for one in done.stdout.splitlines() if one.strip().startswith("replay:"))
        shown = self.mazurka(*line.split()[2:], expect=FINDING)
        self.assertEqual(shown.stdout.count("in the beginning"), 1, shown.stdout)

    def test_a_beginning_costs_once(self):
        """That of 20 executions as much as that of one, about."""
        text = """
#include <stdatomic.h>
static volatile unsigned long result;
static atomic_int x;
BEFORE begin(void) { unsigned long sum = 1; for (int i = 0; i < 50000000; ++i) sum = sum * 3 + 1; result = sum; }
static void *run(void *a) { x = 1; x = 2; x = 3; return a; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, run, 0);
  if (MEETS) run(0);
  pthread_join(t, 0);
}"""
        self.write("program.c", MEETING + text)
        seconds = {}
        for meets, executions in ((0, 1), (1, 20)):
            self.mazurka("check", "program.c", "-O1", "-Wno-unused", f"-DMEETS={meets}", "--json", "j", expect=VERIFIED)
            report = json.loads((self.folder / "j").read_text())
            self.assertEqual(report["executions"], executions)
            seconds[meets] = report["processor_seconds"]
        self.assertLess(seconds[1], 5 * seconds[0])

    def test_what_is_printed_on_the_way_to_a_call_is_shown_once(self):
        text = '#include <mazurka/check.hpp>\nint main() { puts("on the " "way"); (void)mazurka::check([] { int x = 0;'
        text += ' std::thread t([&] { x = 1; }); x = 2; t.join(); }, {"here", {}, {}, false, ""}); }'
        self.write("program.cpp", MEETING_CPP + text)
        done = self.mazurka("check", "--function", "here", "program.cpp", expect=FINDING)
        line = next(one for one in done.stdout.splitlines() if one.strip().startswith("replay:"))
        shown = self.mazurka(*line.split()[2:], expect=FINDING)
        self.assertEqual(shown.stdout.count("on the way"), 1, shown.stdout)

    def test_several_processes_begin_in_the_same_way(self):
        for text in (self.FIRST, "struct T { T() { std::thread([] {}).join(); } } t;"):
            alone = self.counts(text, "--technique", "reverse")
            self.assertEqual(self.counts(text, "--technique", "reverse", "--jobs", "2"), alone)
            self.assertEqual(alone[0], 2)

    def test_what_allocates_much_and_what_is_left_are_put_back(self):
        text = """
static std::vector<int> many(1 << 16, 1);
static std::vector<int>* left = new std::vector<int>(100, 2);
static char room[1 << 18];
struct S { S() { for (int at = 0; at < 1 << 18; at += 4096) room[at] = 3; errno = 33; } } s;
int main() {
  assert(errno == 33);
  for (int& one : many) assert(one++ == 1);
  for (int at = 0; at < 1 << 18; at += 4096) assert(room[at]++ == 3);
  delete left;
  meet_twice();
}
"""
        self.write("program.cpp", "#include <cerrno>\n" + MEETING_CPP + text)
        self.expect("program.cpp", VERIFIED, "")
        self.expect("program.cpp", VERIFIED, "", "--checkpoints", "check")


# Who begins and ends says so: to the terminal, or, if EXPECTED says in what order they come, by
# aborting where it is another one.
TRACE = r"""
#include <stdlib.h>
#include <unistd.h>
static int at;
void trace(char who) {
  const char *expected = getenv("EXPECTED");
  if (expected) {
    if (expected[at++] != who) abort();
  } else if (write(1, &who, 1) != 1) {
    abort();
  }
}
"""
USES = "void trace(char who);\n"


class Order(BeginningTest):
    """Against the plain program, which is built without Mazurka."""

    def setUp(self):
        super().setUp()
        self.write("trace.c", TRACE)
        self.commands = []

    def both(self, *arguments):
        self.commands.append(arguments)

    def compare(self, program="program", count=2, **variables):
        environment = {"LD_LIBRARY_PATH": str(self.folder), **variables}
        for arguments in self.commands:
            done = self.run_command(["cc", *arguments])
            self.assertEqual(done.returncode, 0, done.stderr)
        plain = self.run_command([f"./{program}"], **environment)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        for arguments in self.commands:
            self.build("mazurka-cc", *arguments)
        alone = self.run_command([f"./{program}"], **environment)
        self.assertEqual((alone.returncode, alone.stdout), (0, plain.stdout), alone.stderr)
        order = plain.stdout
        done = self.mazurka(
            "check", f"./{program}", "--json", "j", expect=VERIFIED, EXPECTED=order, **environment
        )
        executions = json.loads((self.folder / "j").read_text())["executions"]
        self.assertEqual(executions, count, done.stdout)
        for wrong in {order[:-1] + "?", order[: len(order) // 2] + "?"}:
            self.mazurka("check", f"./{program}", expect=FINDING, EXPECTED=wrong, **environment)
        return order

    def program(self, text, *flags):
        self.write("program.c", MEETING + USES + text + "\nint main(void) { trace('m'); meet_twice(); return 0; }\n")
        self.both("program.c", "trace.c", "-o", "program", "-pthread", *flags)

    PRIORITIES = """
__attribute__((constructor(201))) static void b1(void) { trace('1'); }
__attribute__((constructor(105))) static void b0(void) { trace('0'); }
__attribute__((destructor(201))) static void e1(void) { trace('x'); }
__attribute__((destructor(105))) static void e0(void) { trace('y'); }
static void last(void) { trace('l'); }
BEFORE begin(void) { trace('b'); atexit(last); }
AFTER end(void) { trace('e'); }"""

    def test_priorities(self):
        self.program(self.PRIORITIES)
        self.assertEqual(self.compare(), "01bmlexy")

    def test_no_pie(self):
        self.program(self.PRIORITIES, "-no-pie", "-fno-pie")
        self.assertEqual(self.compare(), "01bmlexy")

    def test_preinit_array(self):
        self.program(
            "static void early(int c, char **v, char **e) { trace(c == 1 && v[0] && e[0] ? 'p' : '?'); }\n"
            '__attribute__((section(".preinit_array"), used)) static void (*one)(int, char **, char **) = early;\n'
            + self.PRIORITIES
        )
        self.assertEqual(self.compare(), "p01bmlexy")

    def test_what_the_linker_is_told(self):
        self.program("void first(void) { trace('f'); } void final(void) { trace('g'); }" + self.PRIORITIES,
                     "-Wl,-init=first", "-Wl,-fini=final")  # fmt: skip
        self.assertEqual(self.compare(), "f01bmlexyg")

    def library(self, name, text, *needs, flags=()):
        self.write(f"{name}.c", MEETING + USES + text)
        self.both("-shared", "-fPIC", f"{name}.c", "-o", f"lib{name}.so", "-L.", *flags,
                  *(f"-l{one}" for one in needs))  # fmt: skip

    def test_libraries(self):
        self.both("-shared", "-fPIC", "trace.c", "-o", "libtrace.so")
        # Its handler comes after its destructor: they are not in one row.
        self.library(
            "deep",
            "int deep(void) { return 1; } static void left(void) { trace('h'); }"
            "BEFORE begin(void) { trace('d'); atexit(left); } AFTER end(void) { trace('D'); }",
            "trace",
        )
        self.library(
            "high",
            "int deep(void); BEFORE begin(void) { trace('h' + deep()); } AFTER end(void) { trace('I'); }",
            "deep", "trace", flags=("-Wl,-init=opens", "-Wl,-fini=closes"),
        )  # fmt: skip
        (self.folder / "high.c").write_text(
            (self.folder / "high.c").read_text() + "void opens(void) { trace('o'); } void closes(void) { trace('c'); }"
        )
        self.write("program.c", MEETING + USES + self.PRIORITIES
                   + "int deep(void); int main(void) { trace('m'); meet_twice(); return deep() - 1; }")  # fmt: skip
        self.both("program.c", "-o", "program", "-L.", "-Wl,--no-as-needed", "-lhigh", "-ldeep", "-ltrace", "-pthread")
        self.compare()

    def test_libraries_that_need_each_other(self):
        self.both("-shared", "-fPIC", "trace.c", "-o", "libtrace.so")
        one = "int two(void); int one(void) { return 1; } BEFORE begin(void) { trace('1'); if (two() != 2) abort(); } AFTER end(void) { trace('x'); }"
        self.library("one", one, "trace", flags=("-Wl,--unresolved-symbols=ignore-all",))
        two = "int one(void); int two(void) { return one() + 1; } BEFORE begin(void) { trace('2'); } AFTER end(void) { trace('y'); }"
        self.library("two", two, "trace", "one")
        self.library("one", one, "trace", "two", flags=("-Wl,--no-as-needed",))
        self.write("program.c", MEETING + USES + "int one(void); int main(void) { meet_twice(); return one() - 1; }")
        self.both("program.c", "-o", "program", "-L.", "-lone", "-ltwo", "-ltrace", "-pthread")
        self.compare()

    def test_a_library_that_is_preloaded(self):
        self.write("ahead.c", "void trace(char who) __attribute__((weak));\n"
                   "__attribute__((constructor)) static void begin(void) { if (trace) trace('a'); }\n"
                   "__attribute__((destructor)) static void end(void) { if (trace) trace('z'); }")  # fmt: skip
        done = self.run_command(["cc", "-shared", "-fPIC", "ahead.c", "-o", "libahead.so"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.program("", "-rdynamic")
        self.assertEqual(self.compare(LD_PRELOAD="./libahead.so"), "amz")

    def test_start_up_code_of_older_c_libraries(self):
        # It passes on what is to be called, which the dynamic section does not mention.
        self.write(
            "program.c",
            MEETING
            + USES
            + r"""
extern void (*__init_array_start[])(int, char **, char **), (*__init_array_end[])(int, char **, char **);
static void all(int c, char **v, char **e) {
  trace('a');
  for (void (**one)(int, char **, char **) = __init_array_start; one < __init_array_end; ++one) (*one)(c, v, e);
}
BEFORE begin(void) { trace('b'); }
static int real_main(int c, char **v, char **e) { (void)c, (void)v, (void)e; trace('m'); meet_twice(); return 0; }
int __libc_start_main(int (*)(int, char **, char **), int, char **, void (*)(int, char **, char **), void (*)(void), void (*)(void), void *);
__attribute__((used)) static void start(long *stack, void (*end)(void)) {
  __libc_start_main(real_main, (int)*stack, (char **)(stack + 1), all, NULL, end, stack);
}
__asm__(".globl _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n mov %rdx, %rsi\n and $-16, %rsp\n call start\n hlt\n");
""",
        )
        self.both("program.c", "trace.c", "-o", "program", "-nostartfiles", "-pthread", "-Wno-unused")
        self.assertEqual(self.compare(), "abm")

    def test_a_library_that_comes_before_everything(self):
        begin = "BEFORE begin(void) { }"
        self.library("early", begin, flags=("-Wl,-z,initfirst",))
        self.library("middle", begin, "early", flags=("-Wl,--no-as-needed",))
        self.library("late", begin, "middle", flags=("-Wl,--no-as-needed",))
        self.program("", "-L.", "-Wl,--no-as-needed", "-llate", "-Wl,-rpath-link=.")
        for arguments in self.commands:
            self.build("mazurka-cc", *arguments)
        done = self.mazurka("check", "./program", expect=ERROR, LD_LIBRARY_PATH=str(self.folder))
        self.assertIn("libearly.so", done.stderr)


class Tests(BeginningTest):
    def test_googletest_as_it_comes(self):
        self.write(
            "tests.cpp",
            "#include <gtest/gtest.h>\n"
            + MEETING_CPP
            + "TEST(Meeting, Both) { meet_twice(); EXPECT_EQ(met, 2); }\n",
        )
        self.build("mazurka-c++", "tests.cpp", "-o", "tests", "-lgtest", "-lgtest_main")
        done = self.mazurka("check", "./tests", "--json", "j")
        self.assertEqual(done.returncode, VERIFIED, done.stdout + done.stderr)
        self.assertEqual(json.loads((self.folder / "j").read_text())["executions"], 2)


if __name__ == "__main__":
    os.environ.pop("EXPECTED", None)
    unittest.main()
