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
    "modes of files": ('chmod("outside.txt", 0777);', "fchmodat"),
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
      assert(getenv("MAZURKA_NEW") == NULL && getenv("HOME") != NULL);
      setenv("MAZURKA_NEW", "1", 1); unsetenv("HOME"); putenv("PATH=x"); assert(getenv("HOME") == NULL);""",
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
        self.assertIn(done.returncode, (FINDING, INCONCLUSIVE), done.stdout + done.stderr)


# Two threads and something outside of memory: what the first and what the second does with it.
PAIR = RAW_CALL + r"""
#include <assert.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int file;
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
  file = open("open.txt", O_RDWR | O_CREAT, 0600);
#ifdef SWAPPED
  pthread_create(&y, NULL, two, NULL);
  pthread_create(&x, NULL, one, NULL);
#else
  pthread_create(&x, NULL, one, NULL);
  pthread_create(&y, NULL, two, NULL);
#endif
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return 0;
}
"""

# What one thread does, and what another one finds only if it comes first.
SEEN_BY_OTHERS = {
    "a file that is made": ('fclose(fopen("made", "w"));', 'assert(access("made", F_OK) != 0);'),
    "a file that is removed": ('unlink("open.txt");', 'assert(access("open.txt", F_OK) == 0);'),
    "a file that is renamed": ('rename("open.txt", "b");', 'assert(access("b", F_OK) != 0);'),
    "a folder": ('mkdir("made", 0700);', 'struct stat s; assert(stat("made", &s) != 0);'),
    "an open file": ('if (write(file, "x", 1) < 0) abort();', "char c; assert(pread(file, &c, 1, 0) == 0);"),
    "the place in a file": ("lseek(file, 5, SEEK_SET);", "assert(lseek(file, 0, SEEK_CUR) == 0);"),
    "descriptors": ('if (open("/dev/null", O_RDONLY) < 0) abort();', "assert(dup(0) == 4);"),
    "the environment": ('setenv("MAZURKA_NEW", "1", 1);', 'assert(!getenv("MAZURKA_NEW"));'),
    "the current folder": ('if (chdir("/")) abort();', 'char p[4096]; assert(strcmp(getcwd(p, sizeof p), "/"));'),
    "the mode mask": ("umask(077);", "assert(umask(022) != 077);"),
    "handlers of signals": ("signal(SIGUSR1, SIG_IGN);", "assert(signal(SIGUSR1, SIG_DFL) == SIG_DFL);"),
    "the locale": ('setlocale(LC_ALL, "C.UTF-8");', 'assert(!strcmp(setlocale(LC_ALL, NULL), "C"));'),
}


class Shared(InFolder):
    """What threads share without memory is no scheduling point: nothing is promised about its order."""

    def check(self, first, second, *flags, expect=None):
        defines = f"#define _GNU_SOURCE\n#define FIRST {first}\n#define SECOND {second}\n"
        self.write("pair.c", defines + PAIR)
        return self.mazurka("check", "pair.c", *flags, expect=expect)

    def test_an_order_that_was_not_tried_is_not_verified(self):
        for case, (first, second) in SEEN_BY_OTHERS.items():
            with self.subTest(case):
                self.check(first, second, expect=FINDING)
                done = self.check(first, second, "-DSWAPPED", expect=INCONCLUSIVE)
                self.assertIn("nothing to order them", done.stdout)
                self.assertNotIn("never interacted", done.stdout)

    def test_what_a_lock_orders_is_explored(self):
        for case, (first, second) in SEEN_BY_OTHERS.items():
            with self.subTest(case):
                self.check(first, second, "-DSWAPPED", "-DORDERED", expect=FINDING)
                other = second.replace("assert(", "(void)(")
                self.check(first, other, "-DORDERED", expect=VERIFIED)

    def test_who_only_looks_or_only_adds_needs_no_order(self):
        looks = 'assert(getenv("HOME") && access("open.txt", F_OK) == 0);'
        self.check(looks, looks, expect=VERIFIED)
        adds = 'FILE *f = fopen("/dev/null", "r"); assert(f); fclose(f);'
        self.check(adds, adds, expect=VERIFIED)
        numbers = 'FILE *f = fopen("/dev/null", "r"); assert(fileno(f) > 0);'
        self.check(numbers, numbers, expect=INCONCLUSIVE)
        prints = 'puts("x");'
        self.check(prints, prints, expect=VERIFIED)

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
             " pthread_sigmask(SIG_BLOCK, &s, NULL); raise(SIGUSR1);", "raise() of a signal that is blocked"),
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
        done = self.mazurka("check", "leak.c", "--json", "j", expect=INCONCLUSIVE)
        self.assertIn("did not come again", " ".join(done.stdout.split()))
        self.assertIn("before < 255 + 3", " ".join(done.stdout.split()))
        self.assertEqual(json.loads((self.folder / "j").read_text())["findings"], [])

    def test_other_findings_stay(self):
        self.write("leak.c", self.LEAK.replace("assert(turns == 3)", 'assert(turns != 3)'))
        done = self.mazurka("check", "leak.c", "--keep-going", "--json", "j", expect=FINDING)
        report = json.loads((self.folder / "j").read_text())
        messages = [one["message"] for one in report["findings"]]
        self.assertEqual(messages, ["assertion `turns != 3` fails"])
        self.assertIn("did not come again", " ".join(done.stdout.split()))


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


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    unittest.main()
