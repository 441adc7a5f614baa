#!/usr/bin/env python3
"""What a program under test can not do even if it has found the way around everything in its process."""

import ctypes
import fcntl
import json
import os
import platform
import unittest

from calling import ERROR, FINDING, MAZURKA, VERIFIED, InFolder
from programs import RAW_CALL

CREATE_RULESET, ASK_VERSION = 444, 1
LANDLOCK = ctypes.CDLL(None, use_errno=True).syscall(CREATE_RULESET, None, 0, ASK_VERSION)
NO_FILES = "this kernel has no Landlock, so files are not kept from whoever breaks out"

HEADERS = RAW_CALL + r"""
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
static long call_with(long key, long number, long a, long b, long c, long d) {
#if defined(__aarch64__)
  register long x0 __asm__("x0") = a; register long x1 __asm__("x1") = b; register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d; register long x4 __asm__("x4") = 0; register long x5 __asm__("x5") = key;
  register long x8 __asm__("x8") = number;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5), "r"(x8) : "memory");
  return x0;
#else
  long result = number;
  register long r10 __asm__("r10") = d; register long r8 __asm__("r8") = 0; register long r9 __asm__("r9") = key;
  __asm__ volatile("syscall" : "+a"(result) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
#endif
}
/* All that is worth trying for whoever is free to ask the kernel; nothing that would do harm. */
static long key_of_all;
static long asked(long number, long a, long b, long c, long d) { return call_with(key_of_all, number, a, b, c, d); }
static int got_out(void) {
  int done = 0;
  long f = asked(SYS_openat, AT_FDCWD, (long)"made.txt", O_CREAT | O_WRONLY, 0600);
  if (f >= 0) done |= 1;
  f = asked(SYS_openat, AT_FDCWD, (long)"outside.txt", O_WRONLY | O_TRUNC, 0);
  if (f >= 0) done |= 2;
  if (asked(SYS_unlinkat, AT_FDCWD, (long)"outside.txt", 0, 0) == 0) done |= 4;
  if (asked(SYS_mkdirat, AT_FDCWD, (long)"folder", 0700, 0) == 0) done |= 8;
  if (asked(SYS_fchmodat, AT_FDCWD, (long)"outside.txt", 0777, 0) == 0) done |= 16;
  if (asked(SYS_kill, asked(SYS_getppid, 0, 0, 0, 0), 0, 0, 0) == 0) done |= 32;
  if (asked(SYS_symlinkat, (long)"a", AT_FDCWD, (long)"link", 0) == 0) done |= 64;
  if (asked(SYS_socket, 1, 1, 0, 0) >= 0) done |= 128;
  return done;
}
static atomic_int shared;
static void *add(void *u) { shared++; return u; }
static void threads(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
"""

# All of its memory that can be written, as a list of ranges.
RANGES = r"""
static unsigned long from[256], to[256];
static int ranges;
__attribute__((no_sanitize_thread)) static void find_ranges(const char *name) {
  static char text[1 << 16];
  long size = 0, count;
  int file = open("/proc/self/maps", O_RDONLY);
  while ((count = read(file, text + size, sizeof text - size - 1)) > 0) size += count;
  close(file);
  int after = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    unsigned long low, high;
    char rights[8];
    if (sscanf(line, "%lx-%lx %7s", &low, &high, rights) != 3 || strstr(line, "stack")) continue;
    int of = strstr(line, name) != NULL || (after && low == to[ranges - 1]);
    after = of && rights[0] == 'r' && rights[1] == 'w' && high - low < 1ul << 22 && ranges < 256;
    if (after) from[ranges] = low, to[ranges++] = high;
  }
}
"""

# Looks for the key with which the runtime asks: with it, the number of the parent is the true one.
KEY = HEADERS + RANGES + r"""
__attribute__((no_sanitize_thread)) int main(void) {
  find_ranges("");
  for (int i = 0; i < ranges; i++)
    for (unsigned long at = from[i]; at < to[i]; at += 8) {
      long value = *(volatile long *)at;
      if ((unsigned long)value >> 40 && call_with(value, SYS_getppid, 0, 0, 0, 0) != 999) {
        key_of_all = value;
        int out = got_out();
        printf("found it: %d\n", out);
        fflush(stdout);
        assert(out && "the key was found, and of no use");
        assert(!out && "the key was found, and the program got out");
      }
    }
  threads();
}
"""

# Changes the runtime's own variables until it takes the program's questions for its own.
FLAG = HEADERS + RANGES + r"""
__attribute__((no_sanitize_thread)) int main(void) {
  if (getenv("PLAIN")) return 0;
  find_ranges("libmazurka");
  for (int i = ranges; i-- > 0;)
    for (unsigned long at = to[i]; at-- > from[i];) {
      volatile char *byte = (char *)at;
      if (*byte) continue;
      *byte = 1;
      long parent = raw_call(SYS_getppid, 0, 0);
      int out = parent == 999 ? -1 : got_out();
      *byte = 0;
      if (out < 0) continue;
      assert(out && "the flag was found, and of no use");
      assert(!out && "the flag was found, and the program got out");
    }
  threads();
}
"""

BEFORE_MAIN = HEADERS + r"""
static void early(void) {
#ifdef SIGNALS
  raw_call(SYS_kill, raw_call(SYS_getppid, 0, 0), 0);
#else
  int f = open("made.txt", O_CREAT | O_WRONLY, 0600);
  if (f >= 0 && write(f, "x", 1) == 1) close(f);
  unlink("outside.txt");
#endif
}
#if defined(CONSTRUCTOR)
__attribute__((constructor)) static void begin(void) { early(); }
#elif defined(DESTRUCTOR)
__attribute__((destructor)) static void finish(void) { early(); }
#elif defined(PREINIT)
__attribute__((section(".preinit_array"), used)) static void (*before_all)(void) = early;
#elif defined(RESOLVER)
static int one(void) { return 1; }
static int (*resolve(void))(void) {
  raw_call(SYS_unlink, (long)"outside.txt", 0);
  raw_call(SYS_mkdir, (long)"folder", 0700);
  return one;
}
int resolved(void) __attribute__((ifunc("resolve")));
#endif
int main(void) {
#ifdef RESOLVER
  assert(resolved() == 1);
#endif
  threads();
}
"""

ACTORS = r"""
#include <fcntl.h>
#include <mazurka/actors.hpp>
#include <sys/stat.h>
#include <unistd.h>
struct Writer {
  void write() {
    (void)::open("made.txt", O_CREAT | O_WRONLY, 0600);
    (void)::open("outside.txt", O_WRONLY | O_TRUNC);
    (void)::unlink("outside.txt");
#ifdef MODE
    (void)::chmod("outside.txt", 0777);
#endif
  }
};
int main() {
  return mazurka::run([](mazurka::Setup& system) { system.send<&Writer::write>(system.spawn<Writer>()); });
}
"""


class Confined(InFolder):
    def setUp(self):
        super().setUp()
        self.write("outside.txt", "outside\n")
        self.mode = (self.folder / "outside.txt").stat().st_mode

    def nothing_happened(self, files=True):
        self.assertEqual((self.folder / "outside.txt").stat().st_mode, self.mode)
        self.assertFalse(os.path.lexists(self.folder / "link"))
        if files:
            self.assertEqual((self.folder / "outside.txt").read_text(), "outside\n")
            for name in ("made.txt", "folder"):
                self.assertFalse((self.folder / name).exists(), name)


class BrokenOut(Confined):
    def try_it(self, text):
        self.write("program.c", text)
        arguments = ["program.c", "--jobs", "1", "--max-time", "60s"]
        done = self.mazurka("check", *arguments, expect=FINDING)
        self.nothing_happened(files=LANDLOCK >= 3)
        if LANDLOCK < 3:
            self.skipTest(NO_FILES)
        self.assertIn("of no use", done.stdout)
        replay = next(one for one in done.stdout.splitlines() if one.strip().startswith("replay:"))
        self.mazurka(*replay.split()[2:])
        self.nothing_happened()

    def test_who_finds_the_key(self):
        self.try_it(KEY)

    def test_who_changes_the_flag(self):
        self.try_it(FLAG)


class Early(Confined):
    """Constructors and the like; whatever the verdict is."""

    def test_files(self):
        if LANDLOCK < 1:
            self.skipTest(NO_FILES)
        self.write("program.c", BEFORE_MAIN)
        for where in ("CONSTRUCTOR", "DESTRUCTOR", "PREINIT", "RESOLVER"):
            with self.subTest(where):
                self.mazurka("check", "program.c", f"-D{where}", "-Wno-unused")
                self.nothing_happened()

    def test_signals_to_others_are_refused(self):
        self.write("program.c", BEFORE_MAIN)
        done = self.mazurka("check", "program.c", "-DCONSTRUCTOR", "-DSIGNALS", expect=ERROR)
        self.assertRegex(done.stderr, "signal to another process|may not signal others")

    def test_programs_are_not_started(self):
        self.write(
            "program.c",
            HEADERS
            + '__attribute__((constructor)) static void begin(void) { if (system("touch folder")) errno = 0; }\n'
            + "int main(void) { threads(); }\n",
        )
        self.mazurka("check", "program.c")
        self.nothing_happened()

    def test_programs_of_actors(self):
        self.write("actors.cpp", ACTORS)
        if LANDLOCK >= 1:
            self.mazurka("check", "actors.cpp", expect=VERIFIED)
            self.nothing_happened()
        done = self.mazurka("check", "actors.cpp", "-DMODE", expect=ERROR)
        self.assertIn("reaches outside", " ".join(done.stderr.split()))
        self.nothing_happened(files=LANDLOCK >= 1)

    def test_before_a_function_that_is_checked(self):
        if LANDLOCK < 1:
            self.skipTest(NO_FILES)
        self.write(
            "function.cpp",
            "#include <mazurka/check.hpp>\n#include <cstdlib>\n#include <thread>\n#include <unistd.h>\n"
            "int main() {\n"
            '  if (std::getenv("AGAIN")) unlink("outside.txt");\n'  # in the process that explores
            '  setenv("AGAIN", "1", 1);\n'
            "  const mazurka::Result result = mazurka::check([] { std::thread other([] {}); other.join(); });\n"
            "  return result ? 0 : 1;\n}\n",
        )
        built = self.run_command([MAZURKA.parent / "mazurka-c++", "-std=c++20", "function.cpp", "-o", "function"])
        self.assertEqual(built.returncode, 0, built.stderr)
        done = self.run_command(["./function"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.nothing_happened()


# What has an answer, the same in every execution.
INSIDE = {
    "modes of files outside": """
      struct stat s; assert(stat("outside.txt", &s) == 0 && (s.st_mode & 07777) == 0640);
      assert(chmod("outside.txt", 0400) == 0 && stat("outside.txt", &s) == 0 && (s.st_mode & 07777) == 0400);
      int f = open("outside.txt", O_RDONLY); assert(fstat(f, &s) == 0 && (s.st_mode & 07777) == 0400);
      char text[8]; assert(read(f, text, 8) == 8 && !memcmp(text, "outside", 7));""",
    "modes of its own": """
      struct stat s; umask(027);
      int f = open("new.txt", O_CREAT | O_RDWR, 0666);
      assert(fstat(f, &s) == 0 && (s.st_mode & 07777) == 0640 && S_ISREG(s.st_mode));
      assert(fchmod(f, 0711) == 0 && stat("new.txt", &s) == 0 && (s.st_mode & 07777) == 0711);
      assert(syscall(SYS_fstat, f, &s) == 0 && (s.st_mode & 07777) == 0711);
      assert(access("new.txt", X_OK) == 0 && chmod("new.txt", 0600) == 0 && access("new.txt", X_OK) == -1 && errno == EACCES);
      assert(rename("new.txt", "other.txt") == 0 && stat("other.txt", &s) == 0 && (s.st_mode & 07777) == 0600);
      assert(unlink("other.txt") == 0 && chmod("other.txt", 0600) == -1 && errno == ENOENT);
      assert(fstat(f, &s) == 0 && (s.st_mode & 07777) == 0600);""",
    "modes of folders of its own": """
      struct stat s; assert(mkdir("new", 0700) == 0 && stat("new", &s) == 0 && (s.st_mode & 07777) == 0700);
      assert(chmod("new", 0555) == 0 && stat("new", &s) == 0 && S_ISDIR(s.st_mode) && (s.st_mode & 07777) == 0555);""",
    "owners": """
      struct stat s; int f = open("new.txt", O_CREAT | O_RDWR, 0600);
      assert(fchown(f, getuid(), getgid()) == 0 && chown("outside.txt", -1, -1) == 0);
      assert(fstat(f, &s) == 0 && s.st_uid == getuid() && s.st_gid == getgid());""",
    "locks of files outside": """
      int f = open("outside.txt", O_RDONLY), g = open("outside.txt", O_RDONLY), h = dup(f);
      assert(flock(f, LOCK_EX | LOCK_NB) == 0 && flock(h, LOCK_EX | LOCK_NB) == 0);
      assert(flock(g, LOCK_SH | LOCK_NB) == -1 && errno == EWOULDBLOCK);
      close(f); assert(flock(g, LOCK_SH | LOCK_NB) == -1);
      close(h); assert(flock(g, LOCK_SH | LOCK_NB) == 0 && flock(g, LOCK_UN) == 0);""",
    "locks of a process": """
      int f = open("outside.txt", O_RDONLY); struct flock k = {.l_type = F_RDLCK};
      assert(fcntl(f, F_SETLK, &k) == 0 && fcntl(f, F_SETLKW, &k) == 0);
      k.l_type = F_WRLCK; assert(fcntl(f, F_SETLK, &k) == -1 && errno == EBADF);
      int g = open("outside.txt", O_RDWR); assert(fcntl(g, F_SETLKW, &k) == 0);""",
}

REFUSED = {
    "modes of folders outside": ('chmod(".", 0700);', "modes and owners of folders"),
    "a pipe that nobody writes to": ('open("fifo", O_RDONLY);', "may wait for ever"),
    "a lock of its own": (
        'int f = open("outside.txt", O_RDONLY), g = open("outside.txt", O_RDONLY); flock(f, LOCK_EX); flock(g, LOCK_EX);',
        "a lock that waits for another one of the program's own",
    ),
    "deaf ears": (
        "unsigned long all = ~0ul; call_with(0, SYS_rt_sigprocmask, 0, (long)&all, 0, 8); raw_call(SYS_getppid, 0, 0);",
        "rt_sigprocmask",
    ),
}
if platform.machine() == "x86_64":
    REFUSED["calls of 32 bits"] = (
        '#define NUMBER_OF_KILL 37\n long r; __asm__ volatile("int $0x80" : "=a"(r) : "0"(37), "b"(0), "c"(0) : "memory");',
        "int $0x80",
    )
    REFUSED["calls of x32"] = ("raw_call(0x40000000 + SYS_getppid, 0, 0);", "another processor")


class Answered(Confined):
    """What was refused without need, or hung."""

    def program(self, what):
        return self.write("program.c", HEADERS + "int main(void) {\n  threads();\n" + what + "\n}\n")

    def test_what_stays_inside(self):
        (self.folder / "outside.txt").chmod(0o640)
        self.mode = (self.folder / "outside.txt").stat().st_mode
        for case, what in INSIDE.items():
            with self.subTest(case):
                done = self.mazurka("check", self.program(what), "--json", "j", expect=VERIFIED)
                self.assertEqual(json.loads((self.folder / "j").read_text())["executions"], 2, done.stdout)
                self.nothing_happened()

    def test_what_is_refused_at_once(self):
        os.mkfifo(self.folder / "fifo")
        for case, (what, words) in REFUSED.items():
            with self.subTest(case):
                done = self.mazurka("check", self.program(what), expect=ERROR)
                self.assertIn(words, " ".join(done.stderr.split()))

    def test_who_is_deaf_from_the_beginning_is_told_so(self):
        deaf, _ = REFUSED["deaf ears"]
        self.write("program.c", HEADERS + "int main(void) {\n" + deaf + "\n  threads();\n}\n")
        done = self.mazurka("check", "program.c", expect=ERROR)
        self.assertIn("rt_sigprocmask", done.stderr)

    def test_locks_are_not_those_of_others(self):
        with open(self.folder / "outside.txt", "r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            fcntl.lockf(file, fcntl.LOCK_EX)
            what = """
      int f = open("outside.txt", O_RDONLY); struct flock k = {.l_type = F_RDLCK};
      assert(flock(f, LOCK_EX | LOCK_NB) == 0 && fcntl(f, F_SETLK, &k) == 0);"""
            self.mazurka("check", self.program(what), expect=VERIFIED)


if __name__ == "__main__":
    unittest.main()
