#!/usr/bin/env python3
"""Builds Mazurka for x86-64 and runs its tests in an emulated machine (`./dev sweep x86`).

Nobody forgets the other architecture that way. The machine (machine.py) is put together once and kept
below build/x86, as is the build. Arguments after `--` go to ctest there: `./dev sweep x86 -- -R litmus`.
"""

import argparse
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

from machine import COMPILERS, Machine, run

SOURCE = Path(__file__).resolve().parents[2]
# Not what depends on the host (its layout, its packages) rather than on the processor.
LEFT_OUT = "^(install|include_rule|bench)"
PATIENCE = 20  # times as long as on a machine that is not emulated


def say(text):
    print(text, flush=True)


class Build:
    def __init__(self, machine):
        self.folder = machine.work / "build"
        self.machine = machine

    def make(self, jobs):
        if not (self.folder / "build.ninja").exists():
            run(["cmake", "-S", SOURCE, "-B", self.folder, "-G", "Ninja",
                 f"-DCMAKE_TOOLCHAIN_FILE={SOURCE / 'tests/x86/toolchain.cmake'}",
                 f"-DMAZURKA_X86_ROOT={self.machine.root}", "-DPython3_EXECUTABLE=/usr/bin/python3",
                 f"-DMAZURKA_TEST_TIMEOUT={300 * PATIENCE}"], stdout=subprocess.DEVNULL)
        log = self.machine.work / "build.log"
        with open(log, "w") as output:
            done = subprocess.run(["ninja", "-C", self.folder, "-j", str(jobs)], stdout=output,
                                  stderr=output, check=False)
        if done.returncode != 0:
            sys.exit(f"the build failed (log: {log})\n" + "\n".join(log.read_text().splitlines()[-30:]))
        self.copy_headers()

    def copy_headers(self):
        """The wrapper would make these copies in the machine, with many questions to the host."""
        data = self.folder / "share/mazurka"
        for name in ("g++", "clang++"):
            version = run([*COMPILERS[name], "-dumpversion"], capture_output=True, text=True).stdout
            # copy_headers.sh takes a compiler without arguments
            compiler = self.machine.work / f"cross-{name}"
            compiler.write_text(f"#!/bin/sh\nexec {shlex.join(COMPILERS[name])} \"$@\"\n")
            compiler.chmod(0o755)
            run(["sh", data / "copy_headers.sh", compiler, data / f"headers/{name}-{version.strip()}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="for the build")
    parser.add_argument("--hours", type=float, default=6, help="the machine is switched off then")
    parser.add_argument("--only-build", action="store_true", help="do not start the machine")
    parser.add_argument("--native", type=int, default=48, metavar="N",
                        help="programs of the native sweep")
    parser.add_argument("ctest", nargs="*", help="arguments for ctest, after --")
    arguments = parser.parse_args()

    machine = Machine(SOURCE / "build" / "x86", SOURCE)
    machine.work.mkdir(parents=True, exist_ok=True)
    machine.make_root(say)
    machine.compilers()
    build = Build(machine)
    say("Building for x86-64 (the first time takes some ten minutes) ...")
    build.make(arguments.jobs)
    if arguments.only_build:
        return 0

    chosen = arguments.ctest or ["-E", LEFT_OUT]
    commands = [["ctest", "--test-dir", build.folder, "--output-on-failure", "-j", 2, *chosen]]
    if arguments.native > 0:
        commands.append([build.folder / "bin/mazurka-native-sweep", "--programs", arguments.native,
                         "--per-program", 2])
    script = f"export MAZURKA_PATIENCE={PATIENCE}\nstatus=0\n"
    for command in commands:
        script += shlex.join(map(str, command)) + " || status=1\n"
    script += "exit $status"
    say("Starting the machine ...")
    begin = time.monotonic()
    status = machine.execute(script, say, arguments.hours * 3600)
    say(f"The machine ran for {(time.monotonic() - begin) / 60:.0f} minutes.")
    if status is None:
        say("It ended before its tests did.")
        return 1
    say("All tests passed on x86-64." if status == 0 else "Some tests failed on x86-64.")
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())
