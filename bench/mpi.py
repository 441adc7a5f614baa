#!/usr/bin/env python3
"""Executions per second of MPI programs, with 2 to 16 ranks.

`choices` has the same number of executions with any number of ranks, so what a rank costs can be read off;
`wildcards` has N! of them. Times are processor times of the whole check, without compiling. `x mpiexec`: how
many executions are explored in the time that mpiexec takes for one run of the same program, if there is an
mpiexec here. Prints a table and writes it as CSV. Exit code 1 if a number of executions is not what it should be.
"""

import argparse
import csv
import json
import math
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent / "mpi"
ROUNDS = 10
HEADS = ["program", "ranks", "executions", "seconds", "executions/s", "us/execution", "us/rank",
         "x mpiexec"]
WIDTHS = [12, 6, 11, 9, 13, 13, 9, 10]


def programs():
    for ranks in (2, 4, 8, 16):
        yield "choices", ranks, 2**ROUNDS
    for ranks in (5, 6, 7, 8):
        yield "wildcards", ranks, math.factorial(ranks - 1)


class Bench:
    def __init__(self, arguments, scratch):
        self.mazurka = arguments.mazurka.resolve()
        self.repeat = arguments.repeat
        self.scratch = pathlib.Path(scratch)
        self.has_mpi = all(shutil.which(name) for name in ("mpicc", "mpiexec"))

    def build(self, compiler, name, flags=()):
        binary = self.scratch / f"{name}-{pathlib.Path(compiler).name}"
        command = [compiler, "-O2", f"-DROUNDS={ROUNDS}", *flags, FOLDER / f"{name}.c", "-o", binary]
        subprocess.run(list(map(str, command)), check=True)
        return binary

    def check(self, binary, ranks):
        report = self.scratch / "report.json"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [self.mazurka, "check", binary, "--ranks", ranks, "--buffering", "infinite",
                   "--technique", "optimal", "--json", report, "--progress", "never"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            sys.exit(f"{binary.name}, {ranks} ranks: {done.stdout}{done.stderr}")
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return json.loads(report.read_text())["executions"], seconds

    def run_of_mpiexec(self, name, ranks):
        """Seconds of one run, start and end included: the best of three."""
        if not self.has_mpi:
            return None
        binary = self.build("mpicc", name, ["-w"])
        times = []
        for _ in range(3):
            begin = time.monotonic()
            done = subprocess.run(["mpiexec", "-n", str(ranks), str(binary)], check=False,
                                  capture_output=True)
            if done.returncode == 0:
                times.append(time.monotonic() - begin)
        return min(times, default=None)

    def row(self, name, ranks):
        binary = self.build(self.mazurka.parent / "mazurka-mpicc", name)
        runs = [self.check(binary, ranks) for _ in range(self.repeat)]
        executions = runs[0][0]
        seconds = max(statistics.median(seconds for _, seconds in runs), 1e-9)
        each = seconds / executions
        plain = self.run_of_mpiexec(name, ranks)
        return executions, [name, ranks, executions, f"{seconds:.3f}", f"{1 / each:.0f}",
                            f"{each * 1e6:.1f}", f"{each * 1e6 / ranks:.1f}",
                            f"{plain / each:.0f}" if plain else "-"]


def show(row):
    print("".join(f"{str(cell):>{width}}" for cell, width in zip(row, WIDTHS)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True, help="folder for the CSV file")
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    rows, wrong = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(arguments, scratch)
        show(HEADS)
        for name, ranks, expected in programs():
            executions, row = bench.row(name, ranks)
            rows.append(row)
            show(row)
            if executions != expected:
                print(f"{name}, {ranks} ranks: {expected} executions were expected")
                wrong += 1
    arguments.output.mkdir(parents=True, exist_ok=True)
    with open(arguments.output / "mpi.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([HEADS, *rows])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
