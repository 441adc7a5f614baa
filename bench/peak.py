#!/usr/bin/env python3
"""Peak memory of explorations, and what saving them adds. What does an execution that is still to be
performed take, what does saving add, and what does going on with a saved exploration need?

Each row is one program at a small and at a large size. `bytes each` is the difference of the peaks
by that of the executions. `x saved` is the peak of the same exploration that is saved all the time, as
a ratio to one that is not; `x resumed` that of one that was saved half way and is then gone on with.
Writes peak.csv. Exit code 1 if any number of executions is not what the program's opening comment
promises.
"""

import argparse
import csv
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# program, sizes, executions at each
PROGRAMS = [
    ("lastwrite", (6, 9), (720, 362880)),
    ("readers", (8, 18), (256, 262144)),
    ("filesystem", (16, 24), (8, 2048)),
]
TECHNIQUES = ["optimal", "source"]
COLUMNS = [("program", 12), ("n", 3), ("technique", 10), ("executions", 11), ("MiB", 8), ("bytes each", 11),
           ("x saved", 8), ("x resumed", 10)]


class Failure(Exception):
    pass


def check(arguments, directory, words, good=(0,)):
    """The report of one call."""
    report = pathlib.Path(directory) / "report.json"
    report.unlink(missing_ok=True)
    command = [arguments.mazurka.resolve(), "check", *words, "--json", report, "--progress", "never"]
    command = list(map(str, command))
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode not in good or not report.exists():
        raise Failure(f"$ {shlex.join(command)}\n{done.stdout}{done.stderr}")
    return json.loads(report.read_text())


def peak_of(report):
    return report["statistics"]["peak_memory"]


def measure(arguments, program, sizes, executions, technique):
    """A row, and what is wrong with it."""
    with tempfile.TemporaryDirectory() as directory:
        saved = pathlib.Path(directory) / "half.exploration"

        def explore(size, *more, good=(0,)):
            words = [HERE / "threads" / f"{program}.c", f"-DN={size}", "--racy", "--technique", technique]
            return check(arguments, directory, [*words, *more], good)

        small, large = (explore(size, "--save-every", "1h") for size in sizes)
        saving = explore(sizes[1], "--save-every", "50ms")
        half = executions[1] // 2
        explore(sizes[1], "--save", saved, "--save-every", "1h", "--max-executions", half, good=(3,))
        resumed = check(arguments, directory, ["--resume", saved, "--save-every", "1h", "--max-executions", 0])
    peak = peak_of(large)
    counts = [report["executions"] for report in (small, large, saving, resumed)]
    each = (peak - peak_of(small)) / (counts[1] - counts[0])
    row = {
        "program": program, "n": sizes[1], "technique": technique, "executions": counts[1],
        "MiB": f"{peak / 2**20:.1f}", "bytes each": f"{each:.1f}",
        "x saved": f"{peak_of(saving) / peak:.2f}", "x resumed": f"{peak_of(resumed) / peak:.2f}",
    }
    expected = [executions[0], executions[1], executions[1], executions[1]]
    return row, [] if counts == expected else [f"{program} {technique}: {counts}, expected {expected}"]


def show(row):
    cells = [str(row[name]).ljust(width) if name in ("program", "technique") else str(row[name]).rjust(width)
             for name, width in COLUMNS]
    print(" ".join(cells).rstrip(), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True, help="the checker")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."), help="folder for peak.csv")
    parser.add_argument("--technique", action="append", help="default: optimal and source")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    wrong = []
    show({name: name for name, _ in COLUMNS})
    with (arguments.output / "peak.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, [name for name, _ in COLUMNS])
        writer.writeheader()
        try:
            for program, sizes, executions in PROGRAMS:
                for technique in arguments.technique or TECHNIQUES:
                    row, mistakes = measure(arguments, program, sizes, executions, technique)
                    show(row)
                    writer.writerow(row)
                    wrong += mistakes
        except Failure as failure:
            print(failure, file=sys.stderr)
            return 2
    for line in wrong:
        print(f"WRONG {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
