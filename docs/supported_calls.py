#!/usr/bin/env python3
"""Writes the table of supported calls in docs/threads.md from what the runtime really takes over.

The runtime library exports exactly the functions that it takes over: its symbol table is the
interposition table. Those that it takes over only to refuse them are listed in one source file.
A function that no area below claims is an error, so that the table can not lie by omission.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFUSED = ROOT / "src/programs/threads/runtime/hooks/unsupported.cpp"
PAGE = ROOT / "docs/threads.md"
BEGIN, END = "<!-- supported calls: begin -->", "<!-- supported calls: end -->"

# area, pattern of the names, what to know about them
AREAS = [
    ("annotations", r"(WTF)?Annotate\w+|RunningOnValgrind|__tsan_(acquire|release|mutex_.*|"
                    r"flush_memory|check_no_mutexes_held|testonly_.*)",
     "what a program tells a race detector: orders and benign races are taken at its word"),
    ("plain accesses", r"__tsan_(?!atomic).*", "put in by the compiler"),
    ("atomic operations", r"__tsan_atomic.*|__atomic_.*", "put in by the compiler, 1 to 16 bytes"),
    ("threads", r"pthread_(create|join|(try|timed|clock)join_np|detach|exit|self|atfork|.*affinity_np|.*name_np|"
                r".*sched.*|setconcurrency|getattr_np|getcpuclockid)",
     "places and priorities of threads have no effect; that a thread has not ended yet is always possible, "
     "and that it has if it can end"),
    ("processors", r"sched_getaffinity|get_nprocs(_conf)?|sysconf",
     "there are two, wherever the program runs: `std::thread::hardware_concurrency` is 2"),
    ("cancellation", r"pthread_(setcancel\w+|testcancel)|__pthread_\w+",
     "nobody is ever cancelled; clean-up handlers run at `pthread_exit`"),
    ("mutexes", r"pthread_mutex_.*|pthread_mutexattr_setrobust",
     "normal, recursive, error-checking; timed locks may time out whenever the mutex is held; robust ones are refused"),
    ("condition variables", r"pthread_cond_.*",
     "a signal wakes any waiter; timed waits may time out at any moment; spurious wake-ups with "
     "`--spurious`"),
    ("read-write locks", r"pthread_rwlock_.*", ""),
    ("spin locks", r"pthread_spin_.*", ""),
    ("barriers", r"pthread_barrier_.*", "any thread of a round may be the serial one; explored where a "
     "caller may look at the result"),
    ("latches and barriers of C++", r"mazurka_(latch|barrier)_\w+",
     "called by headers `<latch>` and `<barrier>` of our own; see below"),
    ("semaphores", r"sem_.*", "unnamed ones"),
    ("once, thread-specific data", r"pthread_(once|key_.*|getspecific|setspecific)|__cxa_guard_.*",
     "with destructors; static variables of functions; deleting a key must be ordered with its uses "
     "and with the ends of threads that have something for it, else the verdict is inconclusive"),
    ("C11 threads", r"thrd_.*|mtx_.*|cnd_.*|tss_.*|call_once", ""),
    ("futexes", r"syscall", "`SYS_futex` with wait and wake: `std::atomic::wait`, "
                            "`std::counting_semaphore`, `std::future` rest on it"),
    ("clocks and sleeping", r"clock.*|gettimeofday|time|timespec_get|.*sleep|sched_yield|"
                            r"(gm|local)time|(as)?ctime|p?poll|p?select",
     "logical time; sleeping and yielding are no scheduling points; `poll` and the like without descriptors sleep, "
     "with one they are refused"),
    ("chance and names", r"s?rand(om|48)?|[dlm]rand48|getrandom|getentropy|.*random_device.*|"
                         r"getp?pid|gettid|sched_getcpu", "the same in every execution"),
    ("options", r"getopt(_long(_only)?)?", "each rank of an MPI program has a place of its own"),
    ("heap", r"malloc|calloc|reallocarray|realloc|free|memalign|aligned_alloc|posix_memalign|"
             r"p?valloc|malloc_usable_size|_Zd[la]Pv.*|_Zn[wa]m.*", "checked"),
    ("results to be freed", r"getcwd|get_current_dir_name|realpath|canonicalize_file_name|scandir(64)?",
     "blocks of the heap, checked like any; so are those of `strdup`, `asprintf`, `getline` and `open_memstream`"),
    ("numbers in strings", r"(__isoc23_)?strto[uildfm]\w*|ato[ilf]l?",
     "what they read and write counts, if the program itself calls them"),
    ("strings, memory", r"w?mem(cpy|move|set|pcpy|ccpy|r?chr|cmp|mem)|rawmemchr|bcopy|(explicit_)?bzero|"
                        r"bcmp|str\w+|stpn?cpy|r?index|wc[sp]\w+", "the same"),
    ("sorting", r"qsort", "the same"),
    ("printing", r"v?(s|sn|as|f|d)?printf|f?puts|fwrite|p?write",
     "the same, `%s` and `%n` included"),
    ("memory from the system", r"mmap|munmap|mprotect",
     "anonymous memory, and copies of files that can be written, come from the heap and can not be protected; "
     "other files are mapped as ever, and unmapped when the execution ends; threads that share a mapped file "
     "which the program can write make the verdict inconclusive; memory that is mapped or made executable is"),
    ("signals", r"sigaction|signal|sigprocmask|pthread_sigmask|raise|kill|p?(thread_)?sigqueue|pthread_kill|sigpending|"
                r"sig(timed)?wait(info)?|sigsuspend|alarm|[sg]etitimer|(sig|_)?longjmp|__longjmp_chk|__sigsetjmp",
     "none comes but those that a thread sends to itself, or its faults (`SIGSEGV`, `SIGBUS`, `SIGFPE`, ...): "
     "its handler is called then, and may jump out, or the program ends; refused are signals to other threads that "
     "have a handler, and timers and waits for what nobody has sent"),
    ("compilers", r"_?mcount|__fentry__|__monstartup|_mcleanup|__ubsan_on_report|pipe",
     "`-pg`: runs, and no profile is made; `-fsanitize=undefined` (gcc): what it reports is a finding; "
     "other calls of `pipe` are refused"),
    ("files and folders", r"fopen(64)?|fdopen|freopen|fclose|tmpfile|fmemopen|open_memstream|opendir|"
                          r"fdopendir|closedir|setv?buf(fer)?|setlinebuf|fflush",
     "what is written stays in the execution; standard streams keep their buffers; no scheduling points: "
     "threads that share a file must be ordered by something else"),
    ("environment", r"(set|unset|put|clear|get|secure_get)env|setlocale|dlopen|dlclose|sete?[ug]id|setre(s)?[ug]id",
     "put back when the execution ends; other allocators are not loaded, nobody becomes somebody else"),
    ("other programs", r"execl[pe]?|system", "refused; `system` without a command says that there is a shell"),
    ("input", r"p?read|f?getw?c(_unlocked)?|getw|__uflow|fgets|getw?char(_unlocked)?|fread|getline|getdelim|(__isoc\d+_)?v?[fs]?scanf",
     "from files; from standard input, pipes and sockets it is refused; what is read into counts"),
    ("the end", r"_?exit|_Exit|quick_exit|abort|__assert_fail|_ZSt21__glibcxx_assert_fail\w+|__cxa_(thread_)?atexit(_impl)?|__cxa_finalize|"
                r"__libc_start_main", ""),
    ("verification competition", r"__VERIFIER_\w+|reach_error|__cyg_profile\w+",
     "a value that may be anything is tried with a few"),
    ("MPI", r"P?MPI_\w+", "[mpi.md](mpi.md) has a table of its own"),
    ("Mazurka", r"__mazurka_\w+|mazurka_(failure|waits|unsupported)",
     "choices, indivisible sections, checked functions, messages; where a debugger stops"),
]


def exported(library):
    output = subprocess.run(
        ["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True
    ).stdout
    # Constants of the C++ library's templates are shared by name; they are no functions.
    rows = [line.split() for line in output.splitlines()]
    return sorted({row[-1] for row in rows if row[1] in "TWi"})


def refused():
    names = re.findall(r"^MAZURKA_UNSUPPORTED\((\w+)\)$", REFUSED.read_text(), re.MULTILINE)
    return sorted(set(names))


def shorten(area, names):
    if area in ("plain accesses", "atomic operations"):
        return f"{len(names)} functions of the compiler's instrumentation"
    if area == "MPI":
        return f"{len([name for name in names if name.startswith('M')])} functions"
    if area == "heap":
        names = [name for name in names if not name.startswith("_Z")] + ["operator new", "operator delete"]
    if area == "chance and names":
        names = [name for name in names if "random_device" not in name] + ["std::random_device"]
    return ", ".join(f"`{name}`" for name in names)


def table(library):
    """The table's lines, and the functions that no area claims."""
    left = [name for name in exported(library) if name not in refused()]
    lines = ["| area | calls | notes |", "| --- | --- | --- |"]
    for area, pattern, note in AREAS:
        claimed = [name for name in left if re.fullmatch(pattern, name)]
        left = [name for name in left if name not in claimed]
        if claimed:
            lines.append(f"| {area} | {shorten(area, claimed)} | {note} |")
    calls = ", ".join(f"`{name}`" for name in refused())
    lines += [
        "",
        "Other functions of the C library run as they are. Before they do, it is noted which file, stream, descriptor or list "
        "of files they use, and what they write into the program's memory; those of which nothing is known count as changing "
        "everything outside of memory that threads can share. What a program asks the kernel for is answered by the runtime, "
        "unless it is harmless.",
    ]
    lines += ["", f"Refused, with a message that names the call: {calls}."]
    return lines, left


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=pathlib.Path, help="libmazurka-threads.so")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    arguments = parser.parse_args()
    lines, unclaimed = table(arguments.library)
    if unclaimed:
        print("no area claims: " + ", ".join(unclaimed))
        return 1
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    fresh = before + BEGIN + "\n\n" + "\n".join(lines) + "\n\n" + END + after
    if arguments.check and fresh != page:
        print(f"docs/threads.md is out of date: run docs/supported_calls.py {arguments.library}")
        return 1
    if not arguments.check:
        PAGE.write_text(fresh)
    return 0


if __name__ == "__main__":
    sys.exit(main())
