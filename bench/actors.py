#!/usr/bin/env python3
"""Messages handled per second on programs of actors, on one core, in processor time of the whole check.
What matters most is the last column: that time over the one of a plain loop that calls the same handlers
in the same orders, without any search.

Every execution starts from the beginning, so `messages` counts those of the repeated part too; `new` are
the transitions, each counted once. Prints a table and writes it as CSV. Exit code 1 if a number of
executions is not what it should be.
"""

import argparse
import csv
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent
# program, flags, what it is called, executions, only so many of them (0: all)
PROGRAMS = [
    ("pi", ("-DN=8",), "pi 8", 40320, 0),
    ("fib", ("-DN=8",), "fib 8", 2**20, 100000),
    ("mergesort", ("-DN=15",), "mergesort 15", 2**14, 0),
    ("chameneos", ("-DN=4",), "chameneos 4", 6**5, 0),
    ("leader", ("-DN=5",), "leader 5", 10032, 0),
]
# Real CAF, where Mazurka was built with it: there is no plain loop to compare with. `trans` refuses it.
# As it is, and without looking for memory that actors share.
CAF_PROGRAMS = [("bank", ("-DCUSTOMERS=4",), "CAF bank 4", 2520),
                ("bank", ("-DCUSTOMERS=5",), "CAF bank 5", 113400),
                ("bank", ("--races", "off", "-DCUSTOMERS=5"), "... no races", 113400)]
CAF_FOLDER = BENCH / "caf"
HEADS = ["program", "technique", "executions", "asleep", "messages", "seconds", "executions/s", "messages/s",
         "new/s", "x plain loop"]
WIDTHS = [12, 10, 11, 8, 11, 8, 13, 12, 12, 13]


class Failure(Exception):
    pass


class Checker:
    """Builds each program once per choice of flags and checks it as often as asked."""

    def __init__(self, mazurka, folder, limit):
        self.mazurka = pathlib.Path(mazurka).resolve()
        self.home = self.mazurka.parent.parent
        self.folder, self.limit = pathlib.Path(folder), limit

    def build(self, program, flags=()):
        binary = self.folder / (program + "".join(flags).replace("-D", "_").replace("=", ""))
        if not binary.exists():
            command = [os.environ.get("MAZURKA_CXX", "g++"), "-std=c++20", "-O2", *flags,
                       BENCH / "actors" / f"{program}.cpp", "-I", self.home / "include", "-o", binary,
                       "-L", self.home / "lib", "-lmazurka-actors", f"-Wl,-rpath,{self.home / 'lib'}"]
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise Failure(done.stderr)
        return binary

    def check(self, binary, technique, *options):
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        command = [self.mazurka, "check", binary, "--technique", technique, "--json", report,
                   "--max-time", f"{self.limit}s", *options]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                              cwd=self.folder)
        if done.returncode == 2 or not report.exists():
            raise Failure(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
        return json.loads(report.read_text())


def transitions(report):
    return report["statistics"]["transitions"]


def show(cells, widths):
    print(" ".join(str(cell).rjust(width) if at > 1 else str(cell).ljust(width)
                   for at, (cell, width) in enumerate(zip(cells, widths))).rstrip(), flush=True)


def timed(checker, binary, technique, options):
    """A report, and the processor time of the check in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = checker.check(binary, technique, *options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return report, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def row_of(checker, binary, label, technique, options, repeat):
    runs = [timed(checker, binary, technique, options) for _ in range(repeat)]
    report = runs[0][0]
    seconds = max(statistics.median(seconds for _, seconds in runs), 1e-9)
    plain = checker.check(binary, technique, "--measure-replay", *options)["statistics"]
    begun = report["executions"] + report["asleep"]
    per_execution = plain["replay_seconds"] / plain["replay_executions"]
    return report, [label, technique, report["executions"], report["asleep"], report["events"],
                    f"{seconds:.3f}", f"{begun / seconds:.0f}", f"{report['events'] / seconds:.0f}",
                    f"{transitions(report) / seconds:.0f}",
                    f"{seconds / (per_execution * begun):.2f}"]


def caf_rows(checker, techniques, repeat):
    """Label, technique, expected executions, report, row."""
    if not (checker.home / "lib" / "libmazurka-caf.so").exists():
        print("CAF is left out: this Mazurka was built without it", file=sys.stderr)
        return
    for program, flags, label, executions in CAF_PROGRAMS:
        for technique in techniques:
            if technique == "trans":
                continue
            checker.check(CAF_FOLDER / f"{program}.cpp", technique, *flags)  # compiles it
            runs = [timed(checker, CAF_FOLDER / f"{program}.cpp", technique, flags)
                    for _ in range(repeat)]
            report = runs[0][0]
            seconds = max(statistics.median(seconds for _, seconds in runs), 1e-9)
            begun = report["executions"] + report["asleep"]
            yield label, technique, executions, report, [
                label, technique, report["executions"], report["asleep"], report["events"],
                f"{seconds:.3f}", f"{begun / seconds:.0f}", f"{report['events'] / seconds:.0f}",
                f"{transitions(report) / seconds:.0f}", "-"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True, help="the checker")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."),
                        help="folder for actors.csv")
    parser.add_argument("--technique", action="append", help="default: optimal, source and trans")
    parser.add_argument("--repeat", type=int, default=3, help="runs per row; the median is shown")
    parser.add_argument("--program", action="append", help="only these")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    wrong = []
    with tempfile.TemporaryDirectory() as folder, \
            (arguments.output / "actors.csv").open("w", newline="") as out:
        checker = Checker(arguments.mazurka, folder, 120)
        writer = csv.writer(out)
        writer.writerow(HEADS)
        show(HEADS, WIDTHS)
        for program, flags, label, executions, limit in PROGRAMS:
            if arguments.program and program not in arguments.program:
                continue
            binary = checker.build(program, flags)
            options = ["--max-executions", limit] if limit else []
            for technique in arguments.technique or ["optimal", "source", "trans"]:
                report, row = row_of(checker, binary, label, technique, options, arguments.repeat)
                show(row, WIDTHS)
                writer.writerow(row)
                expected = limit or executions
                if report["executions"] != expected:
                    wrong.append(f"{label} {technique}: {report['executions']} executions, "
                                 f"expected {expected}")
        if not arguments.program or "caf" in arguments.program:
            techniques = arguments.technique or ["optimal", "source"]
            for label, technique, executions, report, row in caf_rows(checker, techniques,
                                                                      arguments.repeat):
                show(row, WIDTHS)
                writer.writerow(row)
                if report["executions"] != executions:
                    wrong.append(f"{label} {technique}: {report['executions']} executions, "
                                 f"expected {executions}")
    for line in wrong:
        print(f"WRONG {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(failure, file=sys.stderr)
        sys.exit(2)
