#!/usr/bin/env python3
"""The program under test reaches nothing outside, and no execution finds what another one left."""

import json
import os
import signal
import subprocess
import unittest

from calling import ERROR, FINDING, INCONCLUSIVE, MAZURKA, VERIFIED, InFolder
from programs import RAW_CALL

# Three threads: 6 executions of what the first of them does, whatever that is.
COMMON = RAW_CALL + r"""
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turns;
static void act(void);
static char **words;
static void *turn(void *acts) {
  pthread_mutex_lock(&mutex);
  turns++;
  pthread_mutex_unlock(&mutex);
  if (acts) act();
  return NULL;
}
int main(int count, char **given) {
  pthread_t t[3];
  if (count > 0) words = given;
  for (long i = 0; i < 3; ++i) pthread_create(&t[i], NULL, turn, (void *)(long)(i == 0));
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  assert(turns == 3);
  return 0;
}
"""

# What must be refused, with words of the message.
REFUSED = {
    "kill by a system call": ("syscall(SYS_kill, getppid(), SIGKILL);", "kill"),
    "kill by an instruction": ("raw_call(SYS_kill, raw_call(SYS_getppid, 0, 0), SIGKILL);", "kill"),
    "kill": ("kill(getppid(), SIGKILL);", "kill()"),
    "signals to a group": ("syscall(SYS_kill, 0, SIGTERM);", "group"),
    "signals to everybody": ("syscall(SYS_kill, -1, SIGTERM);", "another process"),
    "limits of others": (
        "struct rlimit r = {7, 7}; syscall(SYS_prlimit64, getppid(), RLIMIT_NOFILE, &r, NULL);",
        "prlimit64",
    ),
    "priority of others": ("setpriority(PRIO_PROCESS, getppid(), 13);", "setpriority"),
    "handles of processes": ("syscall(SYS_pidfd_open, getpid(), 0);", "pidfd_open"),
    "tracing": ("syscall(SYS_ptrace, 16, getppid(), 0, 0);", "ptrace"),
    "memory of others": ("syscall(SYS_process_vm_readv, 1, 0, 0, 0, 0, 0);", "process_vm_readv"),
    "sockets by a system call": ("syscall(SYS_socket, 1, 1, 0);", "socket"),
    "pipes by a system call": ("int p[2]; syscall(SYS_pipe2, p, 0);", "pipe2"),
    "processes by a system call": ("raw_call(SYS_clone, SIGCHLD, 0);", "clone"),
    "other programs": ('syscall(SYS_execve, "/bin/true", NULL, NULL);', "execve"),
    "execl": ('execl("/bin/true", "true", NULL);', "execl()"),
    "execlp": ('execlp("true", "true", NULL);', "execlp()"),
    "execle": ('char *e[] = {NULL}; execle("/bin/true", "true", NULL, e);', "execle()"),
    "fexecve": ("char *e[] = {NULL}; fexecve(0, e, e);", "fexecve()"),
    "links": ('symlink("a", "b");', "symlink"),
    "mounting": ('syscall(SYS_mount, "a", "b", "c", 0L, NULL);', "mount"),
    "another user": ("if (setuid(12345)) abort();", "setuid()"),
    "another user by a system call": ("syscall(SYS_setuid, 12345);", "setuid"),
    "unmapping everything": ("syscall(SYS_munmap, 0x10000, 0x7ffffffff000ul);", "munmap()"),
    "a new system call": ("syscall(4000);", "4000"),
    "a folder of its own": ('mkdir("made", 0700); opendir("made");', "folders that a program makes"),
    "a pipe of others": ('open("fifo", O_WRONLY);', "a device, a pipe"),
}

# What is harmless, or is kept inside. Each must be the same in every execution.
ALLOWED = {
    "closing everything": "for (int i = 0; i < 1024; i++) close(i);",
    "closing a range": "syscall(SYS_close_range, 0, ~0U, 0);",
    "copies over everything": 'for (int i = 3; i < 1024; i++) dup2(1, i); puts("x"); fflush(stdout);',
    "writing to everything": 'for (int i = 3; i < 1024; i++) if (write(i, "x", 1) < 0) errno = 0;',
    "descriptors that are left open": 'for (int i = 0; i < 200; i++) assert(open("/dev/null", O_RDONLY) == 3 + i);',
    "streams that are left open": 'for (int i = 0; i < 20; i++) { FILE *f = fopen("/dev/null", "r"); assert(f && fileno(f) == 3 + i); }',
    "folders that are left open": 'DIR *d = opendir("/"); assert(d && dirfd(d) == 3);',
    "priorities and limits": """
      assert(setpriority(PRIO_PROCESS, getpid(), 13) == 0);
      struct rlimit r = {7, 7}, now;
      assert(getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur != 7);
      assert(prlimit(getpid(), RLIMIT_NOFILE, &r, NULL) == 0);
      assert(getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == 7);""",
    "numbers": """
      assert(getpid() == 1000 && syscall(SYS_getpid) == 1000 && raw_call(SYS_getpid, 0, 0) == 1000);
      assert(getppid() == 999 && raw_call(SYS_getppid, 0, 0) == 999);
      assert(raw_call(SYS_gettid, 0, 0) == gettid());
      assert(raw_call(SYS_kill, getpid(), 0) == 0);""",
    "the same user": "assert(setuid(getuid()) == 0 && setgid(getgid()) == 0 && seteuid(geteuid()) == 0);",
    "the current folder": 'char p[4096]; assert(strcmp(getcwd(p, sizeof p), "/") != 0); assert(chdir("/") == 0);',
    "the mode mask": "mode_t m = umask(077); assert(m != 077);",
    "the environment": """
      assert(getenv("MAZURKA_NEW") == NULL && getenv("PATH") != NULL);
      setenv("MAZURKA_NEW", "1", 1); unsetenv("PATH"); putenv("MAZURKA_OTHER=x"); assert(getenv("PATH") == NULL);""",
    "everything of the environment": 'assert(getenv("PATH") != NULL); clearenv(); assert(getenv("PATH") == NULL);',
    "handlers of signals": """
      struct sigaction a;
      assert(sigaction(SIGUSR1, NULL, &a) == 0 && a.sa_handler == SIG_DFL);
      assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL && signal(SIGUSR1, SIG_IGN) == SIG_IGN);
      assert(raise(SIGUSR1) == 0);
      signal(SIGSEGV, SIG_IGN); signal(SIGVTALRM, SIG_IGN); signal(SIGSYS, SIG_DFL);""",
    "options": """
      char *v[] = {"p", "-a", "-b", NULL};
      assert(optind == 1 && getopt(3, v, "ab") == 'a' && getopt(3, v, "ab") == 'b' && getopt(3, v, "ab") == -1);""",
    "a buffer for output": 'static char room[100]; setvbuf(stdout, room, _IOFBF, sizeof room); puts("x");',
    "standard streams": """
      assert(freopen("log.txt", "w", stdout) == stdout && puts("x") >= 0 && fflush(stdout) == 0);
      struct stat s; assert(stat("log.txt", &s) == 0 && s.st_size == 2); fclose(stdout);""",
    "the words of the command line": """
      assert(words[0]);
      for (int i = 1; words[i]; ++i) { assert(words[i][0] != '?'); words[i][0] = '?'; }
      words[0] = NULL;""",
    "a mapping of a file": """
      int f = open("outside.txt", O_RDONLY); assert(f == 3);
      char *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, f, 0); assert(p != MAP_FAILED && p[0] == 'o');""",
    "time by a system call": """
      struct timespec a, b; raw_call(SYS_clock_gettime, CLOCK_REALTIME, (long)&a);
      clock_gettime(CLOCK_REALTIME, &b); assert(b.tv_sec - a.tv_sec < 10 && b.tv_sec > 1600000000);""",
}

# Files: what an execution does it sees itself, and nobody else.
FILES = r"""
  struct stat s;
  assert(access("new.txt", F_OK) == -1 && errno == ENOENT);
  FILE *f = fopen("new.txt", "w"); assert(f);
  fputs("hello\n", f); assert(fclose(f) == 0);
  assert(access("new.txt", F_OK) == 0 && stat("new.txt", &s) == 0 && s.st_size == 6);
  char line[100]; f = fopen("new.txt", "a+"); assert(fgets(line, 100, f) && !strcmp(line, "hello\n"));
  fputs("again\n", f); fclose(f);
  assert(rename("new.txt", "other.txt") == 0 && access("new.txt", F_OK) == -1);
  int d = open("other.txt", O_RDWR); char text[20];
  assert(read(d, text, 20) == 12 && !memcmp(text, "hello\nagain\n", 12)); close(d);
  assert(open("other.txt", O_WRONLY | O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST);
  d = open("outside.txt", O_RDWR); assert(d >= 0);
  assert(pread(d, text, 7, 0) == 7 && !memcmp(text, "outside", 7));
  assert(pwrite(d, "changed", 7, 0) == 7); close(d);
  d = open("outside.txt", O_RDONLY); assert(pread(d, text, 7, 0) == 7 && !memcmp(text, "changed", 7)); close(d);
  assert(unlink("gone.txt") == 0 && access("gone.txt", F_OK) == -1 && unlink("gone.txt") == -1);
  assert(mkdir("folder", 0700) == 0 && mkdir("folder", 0700) == -1 && stat("folder", &s) == 0 && S_ISDIR(s.st_mode));
  f = fopen("folder/inside", "w"); assert(f); fputs("x", f); fclose(f);
  assert(rmdir("folder") == -1 && unlink("folder/inside") == 0 && rmdir("folder") == 0);
  char name[] = "temporary-XXXXXX"; d = mkstemp(name); assert(d >= 0); assert(write(d, "x", 1) == 1);
  f = tmpfile(); assert(f); fputs("x", f);
  assert(open("no/such/folder", O_WRONLY | O_CREAT, 0600) == -1 && errno == ENOENT);
  f = fopen("/dev/null", "w"); assert(f && fputs("x", f) >= 0 && fclose(f) == 0);
"""


# The same, done in the place that the first argument names: the second says what. The places before
# and after main, and on the way to a call that is checked and in it.
PLACES = ("preinit", "constructor", "destructor", "way", "call")
ELSEWHERE = COMMON.replace("int main(int count, char **given) {", "static void others(void *ignored) {").replace(
    "  if (count > 0) words = given;", "").replace("  return 0;\n}", "}") + r"""
static void act(void) {}
CASES
static void (*const cases[])(void) = {TABLE};
static void at(const char *place) { if (!strcmp(words[1], place)) cases[atoi(words[2])](); }
static void preinit(int argc, char **argv) { words = argv; at("preinit"); }
__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **) = preinit;
__attribute__((constructor)) static void constructor(void) { at("constructor"); }
__attribute__((destructor)) static void destructor(void) { at("destructor"); }
struct call { const char *name; const char *const *options, *const *arguments; void (*body)(void *); void *argument;
  void (*take)(void *, const char *, unsigned long); void *text; };
int __mazurka_check(const struct call *call);
static void body(void *ignored) { at("call"); others(ignored); }
int main(void) {
  struct call here = {"here", NULL, NULL, body, NULL, NULL, NULL};
  const int checks = !strcmp(words[1], "way") || !strcmp(words[1], "call");
  at("way");
  if (checks) return __mazurka_check(&here);
  others(NULL);
}
"""


class Outside(InFolder):
    def program(self, what, name="program.c"):
        return self.write(name, COMMON + "static void act(void) {\n" + what + "\n}\n")

    def setUp(self):
        super().setUp()
        self.write("outside.txt", "outside\n")
        self.write("gone.txt", "not really\n")
        os.mkfifo(self.folder / "fifo")

    def test_what_reaches_outside_is_refused_by_name(self):
        for case, (what, words) in REFUSED.items():
            with self.subTest(case):
                done = self.mazurka("check", self.program(what), expect=ERROR)
                self.assertIn(words, done.stderr)
                self.assertIn("program.c:", done.stderr)

    def test_what_stays_inside_is_the_same_in_every_execution(self):
        for case, what in ALLOWED.items():
            with self.subTest(case):
                done = self.mazurka("check", self.program(what), "--json", "j", expect=VERIFIED)
                report = json.loads((self.folder / "j").read_text())
                self.assertEqual(report["executions"], 6, done.stdout)

    def test_nor_before_main_nor_after_it_nor_around_a_call_that_is_checked(self):
        cases = {**REFUSED, **{case: (what, None) for case, what in {**ALLOWED, "files": FILES}.items()}}
        functions = "".join(f"static void case_{at}(void) {{\n{what}\n}}\n" for at, (what, _) in enumerate(cases.values()))
        table = ", ".join(f"case_{at}" for at in range(len(cases)))
        self.write("program.c", ELSEWHERE.replace("CASES", functions).replace("TABLE", table))
        built = self.run_command([MAZURKA.parent / "mazurka-cc", "-g", "program.c", "-o", "program"])
        self.assertEqual(built.returncode, 0, built.stderr)
        for place in PLACES:
            call = ["--function", "here"] if place in ("way", "call") else []
            for at, (case, (_, refused)) in enumerate(cases.items()):
                with self.subTest(case, place=place):
                    done = self.mazurka("check", *call, "./program", "--json", "j", "--", place, str(at),
                                        expect=VERIFIED if refused is None else ERROR)
                    if refused is not None:
                        self.assertIn(refused, done.stderr)
                        self.assertIn("program.c:", done.stderr)
                    else:
                        self.assertEqual(json.loads((self.folder / "j").read_text())["executions"], 6)
            self.assertEqual((self.folder / "outside.txt").read_text(), "outside\n")

    def test_files(self):
        before = sorted(p.name for p in self.folder.iterdir())
        self.mazurka("check", self.program(FILES), expect=VERIFIED)
        after = sorted(p.name for p in self.folder.iterdir() if p.name != ".mazurka")
        self.assertEqual(after, sorted(before + ["program.c"]))
        self.assertEqual((self.folder / "outside.txt").read_text(), "outside\n")

    def test_a_finding_after_everything_was_closed(self):
        what = """
  for (int i = 0; i < 256; i++) close(i);
  pthread_mutex_lock(&mutex);
  assert(turns != 2);
  pthread_mutex_unlock(&mutex);"""
        done = self.mazurka("check", self.program(what), expect=FINDING)
        self.assertIn("turns != 2", done.stdout)
        self.mazurka(*self.replay_command(done.stdout), expect=FINDING)

    @staticmethod
    def replay_command(text):
        line = next(one for one in text.splitlines() if one.strip().startswith("replay:"))
        return line.split()[2:]

    def test_a_program_that_kills_itself_is_a_finding_and_kills_nobody_else(self):
        bystander = subprocess.Popen(["sleep", "60"])
        self.addCleanup(bystander.wait)
        self.addCleanup(bystander.kill)
        for what, name in (
            ("syscall(SYS_kill, getpid(), 9);", "SIGKILL"),
            ("raw_call(SYS_kill, getpid(), SIGTERM);", "SIGTERM"),
            ("raise(SIGUSR2);", "SIGUSR2"),
        ):
            done = self.mazurka("check", self.program(what), expect=FINDING)
            self.assertIn(f"was killed by {name}", done.stdout)
        self.assertIsNone(bystander.poll())

    def test_a_handler_is_called_by_who_raises_the_signal(self):
        self.write(
            "handler.c",
            COMMON
            + "static int seen; static void h(int n) { seen = n; }\n"
            + "static void act(void) { signal(SIGUSR1, h); raise(SIGUSR1); assert(seen == SIGUSR1); }",
        )
        self.mazurka("check", "handler.c", expect=VERIFIED)

    def test_inherited_descriptors_are_not_passed_on(self):
        secret = os.open(self.folder / "outside.txt", os.O_RDWR)
        self.addCleanup(os.close, secret)
        program = self.program("for (int i = 3; i < 100; i++) assert(fcntl(i, F_GETFD) == -1);")
        done = subprocess.run(
            [MAZURKA, "check", program],
            cwd=self.folder,
            pass_fds=[secret],
            capture_output=True,
            text=True,
            timeout=120,
        )
        self.assertEqual(done.returncode, VERIFIED, done.stdout + done.stderr)

    def test_wild_writes_to_the_runtime_are_told(self):
        self.program(
            r"""
  FILE *f = fopen("/proc/self/maps", "r");
  unsigned long lo, hi, from[16], to[16];
  char line[512];
  int n = 0;
  while (fgets(line, sizeof line, f))
    if (sscanf(line, "%lx-%lx", &lo, &hi) == 2 && strstr(line, "rw-") && strstr(line, "libmazurka")) from[n] = lo, to[n++] = hi;
  fclose(f);
  for (int i = 0; i < n; i++)
    for (volatile char *p = (char *)from[i]; p < (char *)to[i]; p++) *p = (char)0xff;"""
        )
        done = self.mazurka("check", "program.c", expect=FINDING)
        self.assertIn("memory that is not its own", done.stdout)

    def test_jumps_out_of_a_thread_are_told(self):
        self.write(
            "jump.c",
            "#include <setjmp.h>\nstatic jmp_buf place; static int set;\n"
            "__attribute__((constructor)) static void begin(void) { if (!setjmp(place)) set = 1; }\n"
            + COMMON
            + "static void act(void) { if (set) longjmp(place, 1); }",
        )
        done = self.mazurka("check", "jump.c", "--max-time", "20s")
        if done.returncode == ERROR:  # where main begins again on its own stack, anything may follow
            self.assertIn("not deterministic", done.stderr)
        else:
            self.assertIn(done.returncode, (FINDING, INCONCLUSIVE), done.stdout + done.stderr)


# Two threads and something outside of memory: what the first and what the second does with it.
PAIR = RAW_CALL + r"""
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int file;
static pthread_t first;
static FILE *stream, *memory;
static char *shared;
#define raw_exit(code) raw_call(SYS_exit_group, code, 0)
#ifdef ORDERED
#define LOCK pthread_mutex_lock(&mutex)
#define UNLOCK pthread_mutex_unlock(&mutex)
#else
#define LOCK
#define UNLOCK
#endif
static void *one(void *u) { LOCK; FIRST UNLOCK; return u; }
static void *two(void *u) { LOCK; SECOND UNLOCK; return u; }
int main(void) {
  pthread_t x, y;
  first = pthread_self();
  file = open("open.txt", O_RDWR | O_CREAT, 0600);
  stream = fopen("stream.txt", "w+");
  memory = fmemopen(NULL, 100, "w+");
#ifdef MAPPED
  if (ftruncate(file, 4096)) abort();
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
#endif
#ifdef SWAPPED
  pthread_create(&y, NULL, two, NULL);
  pthread_create(&x, NULL, one, NULL);
#else
  pthread_create(&x, NULL, one, NULL);
  pthread_create(&y, NULL, two, NULL);
#endif
  pthread_join(x, NULL);
  pthread_join(y, NULL);
#ifdef AFTERWARDS
  AFTERWARDS
#endif
  return 0;
}
"""

WITH_ACT = "#include <fcntl.h>\n#include <regex.h>\n#include <search.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <sys/stat.h>\n#include <time.h>\n#include <unistd.h>\n"

# What one thread does, and what another one finds only if it comes first.
SEEN_BY_OTHERS = {
    "a file that is made": ('fclose(fopen("made", "w"));', 'assert(access("made", F_OK) != 0);'),
    "a file that is removed": ('unlink("open.txt");', 'assert(access("open.txt", F_OK) == 0);'),
    "a file that is renamed": ('rename("open.txt", "b");', 'assert(access("b", F_OK) != 0);'),
    "a folder": ('mkdir("made", 0700);', 'struct stat s; assert(stat("made", &s) != 0);'),
    "an open file": ('if (write(file, "x", 1) < 0) abort();', "char c; assert(pread(file, &c, 1, 0) == 0);"),
    "the place in a file": ("lseek(file, 5, SEEK_SET);", "assert(lseek(file, 0, SEEK_CUR) == 0);"),
    "descriptors": ('if (open("/dev/null", O_RDONLY) < 0) abort();', "assert(dup(0) == 5);"),
    "the environment": ('setenv("MAZURKA_NEW", "1", 1);', 'assert(!getenv("MAZURKA_NEW"));'),
    "the current folder": ('if (chdir("/")) abort();', 'char p[4096]; assert(strcmp(getcwd(p, sizeof p), "/"));'),
    "the mode mask": ("umask(077);", "assert(umask(022) != 077);"),
    "handlers of signals": ("signal(SIGUSR1, SIG_IGN);", "assert(signal(SIGUSR1, SIG_DFL) == SIG_DFL);"),
    "the locale": ('setlocale(LC_ALL, "C.UTF-8");', 'assert(!strcmp(setlocale(LC_ALL, NULL), "C"));'),
    "a file by its name": ('if (write(file, "x", 1) < 0) abort();', 'struct stat s; stat("open.txt", &s); assert(s.st_size == 0);'),
    "a system call by its number": ("syscall(SYS_lseek, file, 2, SEEK_SET);", "assert(syscall(SYS_lseek, file, 0, SEEK_CUR) == 0);"),
    "the list of files": ('fclose(fopen("sub/made", "w"));', 'DIR *d = opendir("sub"); assert(d); closedir(d);'),
    "the end of a stream": ("while (fgetc(stream) != EOF);", "assert(!feof(stream));"),
    "a stream without its lock": ("putc_unlocked('x', stream); fflush(stream);", "assert(ftell(stream) == 0);"),
    "a stream in memory": ("fputc('x', memory);", "assert(ftell(memory) == 0);"),
    "flags of a descriptor": ("fcntl(file, F_SETFL, O_APPEND);", "assert(!(fcntl(file, F_GETFL) & O_APPEND));"),
    "a descriptor that is closed": ("close(file);", "char c; assert(read(file, &c, 1) == 0);"),
    "a mapped file": ("shared[0] = 'x';", "assert(shared[0] == 0);"),
    "names of threads": ('pthread_setname_np(first, "new");', 'char n[16]; pthread_getname_np(first, n, 16); assert(strcmp(n, "new"));'),
    "the priority": ("setpriority(PRIO_PROCESS, 0, 5);", "assert(getpriority(PRIO_PROCESS, 0) == 0);"),
}  # fmt: skip
# What is left behind by two threads, each of which does the same with a letter of its own, tells which came last.
LEFT_BEHIND = {
    "an open file": ('if (write(file, LETTER, 1) != 1) abort();', "char c[3] = {0}; if (pread(file, c, 2, 0) != 2) abort();", "AB"),
    "a stream": ("fputs(LETTER, stream);", "char c[3] = {0}; rewind(stream); if (!fgets(c, 3, stream)) abort();", "AB"),
    "the environment": ('setenv("MAZURKA_NEW", LETTER, 1);', 'const char *c = getenv("MAZURKA_NEW");', "B"),
    "names of threads": ("pthread_setname_np(first, LETTER);", "char c[16]; pthread_getname_np(first, c, 16);", "B"),
    "what is not known": ("a64l(LETTER); if (write(file, LETTER, 1) != 1) abort();", "char c[3] = {0}; if (pread(file, c, 2, 0) != 2) abort();", "AB"),
}  # fmt: skip
STATE_COMPARING = ("source-context", "source-context:chains", "optimal-context", "optimal-context:whole-states", "optimal-context-observers")  # fmt: skip
# Of these no order helps, or they can not be done at all once another has done something.
NOT_EVEN_ORDERED = ("a mapped file", "the list of files")


class Shared(InFolder):
    """What threads share without memory is no scheduling point: nothing is promised about its order."""

    def check(self, first, second, *flags, expect=None):
        defines = f"#define _GNU_SOURCE\n#define FIRST {first}\n#define SECOND {second}\n"
        self.write("pair.c", defines + PAIR)
        (self.folder / "sub").mkdir(exist_ok=True)
        return self.mazurka("check", "pair.c", *flags, expect=expect)

    def test_an_order_that_was_not_tried_is_not_verified(self):
        for case, (first, second) in SEEN_BY_OTHERS.items():
            with self.subTest(case):
                mapped = ["-DMAPPED"] if case == "a mapped file" else []
                seen = ERROR if case == "the list of files" else FINDING
                self.check(first, second, *mapped, expect=seen)
                done = self.check(first, second, "-DSWAPPED", *mapped, expect=INCONCLUSIVE)
                self.assertIn("nothing to order them", done.stdout)
                self.assertNotIn("nothing in common", done.stdout)

    def test_what_a_lock_orders_is_explored(self):
        for case, (first, second) in SEEN_BY_OTHERS.items():
            if case in NOT_EVEN_ORDERED:
                continue
            with self.subTest(case):
                self.check(first, second, "-DSWAPPED", "-DORDERED", expect=FINDING)
                other = second.replace("assert(", "(void)(")
                self.check(first, other, "-DORDERED", expect=VERIFIED)

    def test_what_is_left_behind_is_a_part_of_the_state(self):
        for case, (act, look, last) in LEFT_BEHIND.items():
            first, second = act.replace("LETTER", '"A"'), act.replace("LETTER", '"B"')
            for technique in ("optimal", *STATE_COMPARING):
                for swapped in ([], ["-DSWAPPED"]):
                    with self.subTest(case, technique=technique, swapped=swapped):
                        after = f"#define AFTERWARDS {look} assert(!strcmp(c, \"{last}\"));\n"
                        self.write("pair.c", f"#define _GNU_SOURCE\n#define FIRST {first}\n#define SECOND {second}\n" + after + PAIR)
                        self.mazurka("check", "pair.c", "-DORDERED", *swapped, "--technique", technique, expect=FINDING)

    def test_a_loop_that_looks_at_a_file_waits_for_more_than_memory(self):
        waits = 'for (int there = 0; !there;) { LOCK; there = access("flag", F_OK) == 0; UNLOCK; }'
        makes = 'LOCK; close(open("flag", O_CREAT | O_WRONLY, 0600)); UNLOCK;'
        loop = PAIR.replace("LOCK; FIRST UNLOCK;", waits).replace("LOCK; SECOND UNLOCK;", makes)
        self.write("loop.c", "#define _GNU_SOURCE\n" + loop)
        done = self.mazurka("check", "loop.c", "-DORDERED", "--max-events", "2000", expect=INCONCLUSIVE)
        self.assertIn("reached --max-events 2000", done.stdout)

    def test_who_only_looks_or_only_adds_needs_no_order(self):
        looks = 'assert(getenv("PATH") && access("open.txt", F_OK) == 0);'
        self.check(looks, looks, expect=VERIFIED)
        adds = 'FILE *f = fopen("/dev/null", "r"); assert(f); fclose(f);'
        self.check(adds, adds, expect=VERIFIED)
        numbers = 'FILE *f = fopen("/dev/null", "r"); assert(fileno(f) > 0);'
        self.check(numbers, numbers, expect=INCONCLUSIVE)
        prints = 'puts("x");'
        self.check(prints, prints, expect=VERIFIED)

    def test_memory_that_a_function_writes_is_written(self):
        for case, call in {
            "an answer in the library's own memory": "time_t t = 0; localtime(&t);",
            "an answer in the caller's": "static struct tm d; time_t t = 0; gmtime_r(&t, &d);",
            "the name of a new thread": "static pthread_t p; pthread_create(&p, NULL, nobody, NULL); pthread_join(p, NULL);",
            "a clock": "static struct timespec t; clock_gettime(CLOCK_REALTIME, &t);",
            "the status of a file": 'static struct stat s; stat("/", &s);',
            "wide characters": 'static wchar_t w[9]; mbstowcs(w, "abc", 9);',
            "a tree": "static void *root; tsearch(same, &root, compare);",
            "a regular expression": 'static regex_t r; regcomp(&r, "a*", 0);',
            "the environment itself": 'setenv("MAZURKA_NEW", environ[0], 1);',
        }.items():  # fmt: skip
            with self.subTest(case):
                one = (
                    "static void *nobody(void *u) { return u; }\nstatic int compare(const void *a, const void *b) { return a < b; }\n"
                    'static const char *same = "same";\nstatic void act(void) {' + call + "}\n"
                )
                self.write("pair.c", f"#define _GNU_SOURCE\n#define FIRST act();\n#define SECOND act();\n{WITH_ACT}" + one + PAIR)
                done = self.mazurka("check", "pair.c", expect=FINDING)
                self.assertIn("Data race", done.stdout)
                self.mazurka("check", "pair.c", "-DORDERED", expect=VERIFIED)

    def test_a_new_thread_knows_its_own_name(self):
        self.write(
            "own.c",
            "#include <assert.h>\n#include <pthread.h>\n"
            "static pthread_t mine;\n"
            "static void *run(void *u) { assert(pthread_equal(mine, pthread_self())); return u; }\n"
            "int main(void) { pthread_create(&mine, NULL, run, NULL); return pthread_join(mine, NULL); }\n",
        )
        self.mazurka("check", "own.c", expect=VERIFIED)

    def test_functions_that_nobody_knows_need_an_order(self):
        strange = "assert(l64a(1));"
        done = self.check(strange, strange, expect=INCONCLUSIVE)
        self.assertIn("l64a(), of which it is not known what it shares", done.stdout)
        self.check(strange, 'getenv("HOME");', expect=INCONCLUSIVE)
        self.check(strange, 'puts("x");', expect=VERIFIED)
        self.check(strange, strange, "-DORDERED", expect=VERIFIED)

    def test_own_files_need_no_order(self):
        for case, call in {
            "streams": 'FILE *f = tmpfile(); fputs("x", f); rewind(f); assert(!feof(f)); fclose(f);',
            "texts": 'char t[64]; time_t n = 0; struct tm d; gmtime_r(&n, &d); strftime(t, 64, "%F", &d); assert(!strcmp(t, "1970-01-01"));',
            "copies of files": "char *c = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0); c[0] = 'x'; assert(c[0] == 'x' && c[1] == 0); munmap(c, 4096);",
        }.items():  # fmt: skip
            with self.subTest(case):
                one = 'static int zero = -1;\n__attribute__((constructor)) static void begin(void) { zero = open("/dev/zero", O_RDONLY); }\n'
                self.write("pair.c", f"#define _GNU_SOURCE\n#define FIRST {call}\n#define SECOND {call}\n{WITH_ACT}" + one + PAIR)
                self.mazurka("check", "pair.c", expect=VERIFIED)

    def test_ends_by_a_system_call_come_in_any_order(self):
        for order in ([], ["-DSWAPPED"]):
            for call in ("_exit", "raw_exit"):
                with self.subTest(call=call, order=order):
                    flags = [*order, "--exit-code", "finding"]
                    done = self.check(f"{call}(3);", f"{call}(0);", *flags, expect=FINDING)
                    self.assertIn("exit code 3", done.stdout)

    def test_blocked_signals_and_modes_of_others(self):
        for what, words in (
            ("sigset_t s; sigemptyset(&s); sigaddset(&s, SIGUSR1);"
             " pthread_sigmask(SIG_BLOCK, &s, NULL); union sigval v = {0}; pthread_sigqueue(pthread_self(), SIGUSR1, v);",
             "pthread_sigqueue() of a signal that is blocked"),
            ("int f = open(\"/dev/null\", O_RDONLY); fchmod(f, 0777);", "fchmod"),
        ):  # fmt: skip
            with self.subTest(words):
                done = self.check(what, ";", expect=ERROR)
                self.assertIn(words, done.stderr)


class Unconfirmed(InFolder):
    """What an execution left behind in a way that nobody takes back is not taken for a finding."""

    # In the C library's memory, which is not ours to put back.
    LEAK = COMMON + r"""
#include <syslog.h>
static void act(void) {
  int before = setlogmask(0);  /* 255 in a fresh process */
  setlogmask(before + 1);
  pthread_mutex_lock(&mutex);
  assert(turns < 3 || before < 255 + 3);
  pthread_mutex_unlock(&mutex);
}
"""

    def test_a_finding_that_does_not_come_again_is_none(self):
        self.write("leak.c", self.LEAK)
        done = self.mazurka("check", "leak.c", "--json", "j", expect=ERROR)
        said = " ".join((done.stdout + done.stderr).split())
        self.assertIn("internal error: not reproduced: assertion `turns < 3 ||", said)
        self.assertRegex(said, r"led to all \d+ steps, and no finding")
        report = json.loads((self.folder / "j").read_text())
        self.assertEqual((report["verdict"], report["findings"]), ("error", []))

    def test_other_findings_stay(self):
        self.write("leak.c", self.LEAK.replace("assert(turns == 3)", 'assert(turns != 3)'))
        done = self.mazurka("check", "leak.c", "--keep-going", "--json", "j", expect=FINDING)
        report = json.loads((self.folder / "j").read_text())
        messages = [one["message"] for one in report["findings"]]
        self.assertEqual(messages, ["assertion `turns != 3` fails"])
        self.assertIn("internal error: not reproduced", " ".join(done.stdout.split()))


class Libraries(InFolder):
    def test_containers_of_tbb(self):
        self.write(
            "tbb.cpp",
            r"""
#include <cassert>
#include <oneapi/tbb/concurrent_hash_map.h>
#include <oneapi/tbb/concurrent_queue.h>
#include <oneapi/tbb/concurrent_vector.h>
#include <thread>
int main() {
  tbb::concurrent_hash_map<int, int> map;
  tbb::concurrent_vector<int> row;
  tbb::concurrent_queue<int> queue;
  std::thread other([&] { map.insert({1, 1}); row.push_back(1); queue.push(1); });
  map.insert({2, 2});
  row.push_back(2);
  queue.push(2);
  other.join();
  int one = 0, two = 0;
  assert(map.size() == 2 && row.size() == 2 && queue.try_pop(one) && queue.try_pop(two) && one + two == 3);
}
""",
        )
        if self.run_command(["g++", "-fsyntax-only", "tbb.cpp"]).returncode != 0:
            self.skipTest("oneTBB is not installed")
        done = self.mazurka("check", "tbb.cpp", "--max-time", "20s", "-ltbb")
        self.assertIn(done.returncode, (VERIFIED, INCONCLUSIVE), done.stdout + done.stderr)
        self.assertNotIn("deterministic", done.stdout + done.stderr)

    def test_a_library_that_decides_otherwise_the_next_time(self):
        """Without atomic operations of its own it is the program that is not deterministic."""
        self.write("lottery.c", """
#ifdef ATOMIC
static _Atomic int turns;
#else
static int turns;
#endif
static unsigned long ticks(void) {
  unsigned long now;
#ifdef __x86_64__
  unsigned long high;
  __asm__ volatile("rdtsc" : "=a"(now), "=d"(high));
#else
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
#endif
  return now;
}
int lottery(void) { ++turns; return (ticks() * 0x9e3779b97f4a7c15ul) >> 63; }
""")
        self.write("program.c", """
#include <pthread.h>
int lottery(void);
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static void *draw(void *a) {
  for (int i = 0; i < 8; ++i) {
    pthread_mutex_t *m = lottery() ? &one : &other;
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
  }
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, draw, 0);
  draw(0);
  pthread_join(t, 0);
}
""")
        for flags, expect, said in (
            (["-DATOMIC"], INCONCLUSIVE, "threads synchronise unseen in liblottery.so"),
            ([], ERROR, "not deterministic once its schedule is fixed"),
        ):
            with self.subTest(flags=flags):
                built = self.run_command(["gcc", "-O1", "-shared", "-fPIC", "lottery.c", "-o", "liblottery.so", *flags])
                self.assertEqual(built.returncode, 0, built.stderr)
                done = self.mazurka("check", "program.c", "--checkpoints", "off", "-L.", "-llottery", "-Wl,-rpath,.", expect=expect)
                self.assertIn(said, " ".join((done.stdout + done.stderr).split()))

    def test_a_library_that_is_loaded_late(self):
        self.write("plugin.cpp", r"""
#ifdef CONSTRUCTED
#include <string>
static std::string text("a string that is long enough to be on the heap");
#endif
static int hits;
extern "C" void hit() { ++hits; }
""")
        self.write("program.cpp", r"""
#include <dlfcn.h>
#include <atomic>
#include <cstdlib>
#include <thread>
static std::atomic<int> turns;
int main() {
  void* plugin = dlopen("./plugin.so", RTLD_NOW);
  if (!plugin) std::abort();
  auto hit = reinterpret_cast<void (*)()>(dlsym(plugin, "hit"));
  std::thread other([&] { ++turns; if (RACES) hit(); });
  ++turns;
  hit();
  other.join();
}
""")
        for flags, races, expect, shown in (
            ([], 0, VERIFIED, "2 executions"),
            ([], 1, FINDING, "Data race: hits: main writes (plugin.cpp:7) and T1 reads"),
            (["-DCONSTRUCTED"], 0, INCONCLUSIVE, "what plugin.so does when dlopen loads it is done only once"),
        ):
            with self.subTest(flags=flags, races=races):
                built = self.run_command([MAZURKA.parent / "mazurka-c++", "-g", "-shared", "-fPIC", "plugin.cpp",
                                          "-o", "plugin.so", *flags])
                self.assertEqual(built.returncode, 0, built.stderr)
                done = self.mazurka("check", "program.cpp", f"-DRACES={races}", expect=expect)
                self.assertIn(shown, " ".join(done.stdout.split()))


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    unittest.main()
