#!/usr/bin/env python3
"""Random programs, of which everything that runs before main and after it says when it is called.

    sweep.py [--mazurka PATH] [--programs N] [--seed N]

Each program has up to three libraries that depend on each other, and in each of these and in the
executable there are constructors and destructors with and without priorities, global objects of C++,
handlers of exit that register more of them, variables of threads, static variables of functions and
blocks of the heap; some have threads before main or after it. It is compiled without Mazurka first: the
order in which it calls all that is what must come in every execution, and when it is run without the
checker. With the last call replaced by another one in what is expected, there must be a finding.

The order is passed on in the environment. What a program says is a letter for each call, so nothing
here knows in which order these come.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

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

COMMON = r"""
#include <pthread.h>
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
void trace(char who);
int calls_LIBRARY(int);
DECLARED
#ifdef __cplusplus
}
struct Object {
  char first, last;
  int *kept;
  Object(char one, char two) : first(one), last(two), kept(new int(one)) { trace(first); }
  ~Object() { if (*kept != first) abort(); delete kept; trace(last); }
};
#endif
static __thread int own = 5;
static int *block;
static void *alone(void *u) { if (own != 5) abort(); return u; }
static void with_thread(void) { pthread_t t; pthread_create(&t, 0, alone, 0); pthread_join(t, 0); }
"""


class Source:
    """One object: a library or the executable."""

    def __init__(self, generator, name, needs):
        self.random = generator.random
        self.generator = generator
        self.name = name
        self.needs = needs
        self.cpp = self.random.random() < 0.4
        self.parts = []
        self.handlers = 0
        for _ in range(self.random.randint(1, 4)):
            self.random.choice([self.constructor, self.constructor, self.destructor, self.object])()

    def letter(self):
        return self.generator.letter()

    def handler(self, depth=0):
        """The name of a function for atexit()."""
        more = self.handler(depth + 1) if depth < 2 and self.random.random() < 0.3 else None
        self.handlers += 1
        name = f"handler{self.handlers}"
        again = f" atexit({more});" if more else ""
        self.parts.append(f"static void {name}(void) {{ trace('{self.letter()}');{again} }}")
        return name

    def actions(self, beginning):
        found = []
        kinds = ["block", "own", "static", "call", "thread"] + ["atexit"] * (2 if beginning else 0)
        for kind in self.random.sample(kinds, self.random.randint(0, 3)):
            if kind == "atexit":
                found.append(f"atexit({self.handler()});")
            elif kind == "block":
                found.append("if (!block) { block = (int *)malloc(64); block[3] = 7; } if (block[3] != 7) abort();")
            elif kind == "own":
                found.append("own += 3; own -= 3; if (own != 5) abort();")
            elif kind == "static":
                found.append("{ static int times; if (times++ > 50) abort(); }")
            elif kind == "thread" and self.random.random() < 0.3:
                found.append("with_thread();")
            elif kind == "call" and self.needs:
                found.append(f"if (calls_{self.random.choice(self.needs)}(4) != 5) abort();")
        return " ".join(found)

    def priority(self):
        return f"({self.random.randint(101, 400)})" if self.random.random() < 0.5 else ""

    def constructor(self):
        actions = self.actions(True)
        self.parts.append(
            f"__attribute__((constructor{self.priority()})) static void begin{len(self.parts)}(void) "
            f"{{ trace('{self.letter()}'); {actions} }}"
        )

    def destructor(self):
        self.parts.append(
            f"__attribute__((destructor{self.priority()})) static void end{len(self.parts)}(void) "
            f"{{ {self.actions(False)} trace('{self.letter()}'); }}"
        )

    def object(self):
        if not self.cpp:
            return self.constructor()
        one, two = self.letter(), self.letter()
        priority = self.priority()
        where = f" __attribute__((init_priority{priority}))" if priority else ""
        self.parts.append(f"static Object object{len(self.parts)}{where}('{one}', '{two}');")
        return None

    def text(self, main=""):
        declared = "".join(f"int calls_{one}(int);\n" for one in self.needs)
        common = COMMON.replace("LIBRARY", self.name).replace("DECLARED", declared)
        return common + f"int calls_{self.name}(int n) {{ return n + 1; }}\n" + "\n".join(self.parts) + main


MAIN = r"""
static int met;
static pthread_mutex_t meeting = PTHREAD_MUTEX_INITIALIZER;
static void *meet(void *u) {
  pthread_mutex_lock(&meeting); met++; pthread_mutex_unlock(&meeting); return u;
}
int main(void) {
  pthread_t one, two;
  trace('LETTER');
  pthread_create(&one, 0, meet, 0); pthread_create(&two, 0, meet, 0);
  pthread_join(one, 0); pthread_join(two, 0);
  if (met != 2) abort();
  ACTIONS
  return 0;
}
"""


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.left = list(LETTERS)
        self.random.shuffle(self.left)
        self.position_independent = self.random.random() < 0.7
        names = ["one", "two", "three"][: self.random.randint(0, 3)]
        self.sources = []
        for at, name in enumerate(names):
            needs = [one for one in names[:at] if self.random.random() < 0.6]
            self.sources.append(Source(self, name, needs))
        self.main = Source(self, "main", [one for one in names if self.random.random() < 0.7])
        text = MAIN.replace("LETTER", self.letter()).replace("ACTIONS", self.main.actions(True))
        self.texts = {one: one.text() for one in self.sources}
        self.texts[self.main] = self.main.text(text)

    def letter(self):
        return self.left.pop() if self.left else self.random.choice(LETTERS)

    def build(self, folder, compilers):
        """With the compilers of C and C++."""
        def file_of(one):
            return f"{one.name}.cpp" if one.cpp else f"{one.name}.c"

        def needed(one):
            return ["-L.", "-Wl,--no-as-needed", *(f"-l{name}" for name in one.needs), "-ltrace", "-pthread"]

        (folder / "trace.c").write_text(TRACE)
        commands = [[compilers[0], "-shared", "-fPIC", "trace.c", "-o", "libtrace.so"]]
        for one, text in self.texts.items():
            (folder / file_of(one)).write_text(text)
            kind = ["-shared", "-fPIC", "-o", f"lib{one.name}.so"]
            if one is self.main:
                kind = ["-o", "program", *([] if self.position_independent else ["-no-pie", "-fno-pie"])]
                kind.append("-Wl,-rpath-link=.")
            commands.append([compilers[one.cpp], "-O1", "-w", file_of(one), *kind, *needed(one)])
        for command in commands:
            subprocess.run(command, cwd=folder, check=True)


def run(command, folder, **variables):
    environment = {**os.environ, "LD_LIBRARY_PATH": str(folder), **variables}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )


def wrong(seed, folder, mazurka):
    """What is wrong with the program, or nothing."""
    program = Program(seed)
    program.build(folder, ["cc", "c++"])
    plain = run(["./program"], folder)
    if plain.returncode != 0:
        return f"the plain program ends with {plain.returncode}"
    wrappers = mazurka.parent
    program.build(folder, [wrappers / "mazurka-cc", wrappers / "mazurka-c++"])
    alone = run(["./program"], folder)
    if (alone.returncode, alone.stdout) != (0, plain.stdout):
        return f"without the checker: {alone.stdout} (code {alone.returncode}), not {plain.stdout}"
    check = [mazurka, "check", "./program", "--json", "report", "--checkpoints", "check"]
    checked = run(check, folder, EXPECTED=plain.stdout)
    if checked.returncode != 0:
        return f"not in the order {plain.stdout}:\n{checked.stdout}{checked.stderr}"
    if json.loads((folder / "report").read_text())["executions"] < 2:
        return "there is only one execution"
    other = run(check, folder, EXPECTED=plain.stdout[:-1] + "?")
    if other.returncode != 1:
        return f"the last call of {plain.stdout} is not made:\n{other.stdout}{other.stderr}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, default="build/bin/mazurka")
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    mazurka = arguments.mazurka.resolve()
    failures = 0
    for seed in range(arguments.seed, arguments.seed + arguments.programs):
        with tempfile.TemporaryDirectory(prefix="mazurka-test-") as place:
            problem = wrong(seed, pathlib.Path(place), mazurka)
        if problem is not None:
            failures += 1
            print(f"--seed {seed} --programs 1: {problem}", flush=True)
    print(f"{arguments.programs} programs, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
