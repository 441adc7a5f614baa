#!/usr/bin/env python3
"""Counts and speed on programs with threads. Everything comes from one run on one machine, and what
matters are the ratios in the last columns: of the time of a whole exploration to that of replaying the same
executions from their beginning without any analysis (x replay), to that of an exploration without
checkpoints (x without), and to that of another build (x other).

Prints a table, writes it as CSV too, and ends with the peak memory at growing sizes, what checks of
plain accesses cost, and the time from a source to its verdict. Exit code 1 if any number of executions is not what the program's opening comment promises.
"""

import argparse
import csv
import json
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent

# program, size, executions
PROGRAMS = [
    ("lastwrite", 8, 40320),
    ("floatingread", 7, 40320),
    ("lastwrite3", 4, 13824),
    ("abs", 5, 14400),
    ("lastzero", 10, 3328),
    ("lastzero", 12, 15360),
    ("filesystem", 20, 128),
    ("filesystem", 22, 512),
    ("filesystem", 24, 2048),
    ("indexer", 12, 8),
    ("indexer", 14, 512),
    ("indexer", 15, 4096),
    ("readers", 13, 8192),
    ("boundedbuffer", 8, 12870),
    ("philosophers", 11, 2046),
    ("pi", 8, 40320),
    ("fib", 5, 1),
    ("fib", 6, 1),
    ("treiber", 3, 552),
    ("spinlock", 4, 1660),
    ("ticketlock", 4, 2520),
    ("spinwait", 3, 6),
    ("long", 25, 576),
    ("long", 750, 576),
]

# program, sizes, executions at each: the second exploration is many times as long.
MEMORY = [("lastwrite", (6, 9), (720, 362880)), ("readers", (8, 16), (256, 65536))]

COLUMNS = [
    ("program", 14), ("n", 3), ("technique", 10), ("executions", 11), ("asleep", 8),
    ("seconds", 8), ("executions/s", 13), ("ns/event", 9), ("x replay", 9), ("x without", 10),
    ("x other", 8),
]


class Failure(Exception):
    pass


def explore(mazurka, program, size, technique, extra=()):
    """One exploration; its report."""
    with tempfile.TemporaryDirectory() as directory:
        report = pathlib.Path(directory) / "report.json"
        command = [mazurka.resolve(), "check", HERE / "threads" / f"{program}.c", f"-DN={size}", "--racy"]
        command += ["--technique", technique, "--json", report, *extra]
        command = list(map(str, command))
        done = subprocess.run(
            command, cwd=directory, capture_output=True, text=True, check=False
        )
        if done.returncode != 0 or not report.exists():
            raise Failure(f"$ {shlex.join(command)}\n{done.stdout}{done.stderr}")
        return json.loads(report.read_text())


def field(report, name, default=None):
    return report.get(name, report.get("statistics", {}).get(name, default))


def measure(arguments, program, size, technique):
    """The report whose time is the median of several runs, with what follows from it."""
    reports, without, others = [], [], []
    for _ in range(arguments.repeat):
        flags = ["--measure-replay", *arguments.flags]
        reports.append(explore(arguments.mazurka, program, size, technique, flags))
        without.append(explore(arguments.mazurka, program, size, technique,
                               ["--checkpoints", "off", *arguments.flags]))
        if arguments.against:
            others.append(explore(arguments.against, program, size, technique, flags))
    middle = statistics.median_low(report["seconds"] for report in reports)
    report = next(report for report in reports if report["seconds"] == middle)
    begun = report["executions"] + report["asleep"]
    seconds = report["seconds"]
    row = {
        "program": program, "n": size, "technique": technique,
        "executions": report["executions"], "asleep": report["asleep"],
        "seconds": f"{seconds:.3f}", "executions/s": f"{begun / seconds:.0f}",
        "ns/event": f"{seconds * 1e9 / report['events']:.0f}", "x replay": "",
        "x without": f"{middle / statistics.median_low(o['seconds'] for o in without):.2f}", "x other": "",
    }
    replayed = field(report, "replay_executions", 0)
    if replayed:
        replay = field(report, "replay_seconds") * begun / replayed
        row["x replay"] = f"{seconds / replay:.2f}"
    if others:
        row["x other"] = f"{middle / statistics.median_low(o['seconds'] for o in others):.3f}"
    return row


def show(row):
    cells = [
        str(row[name]).ljust(width) if name in ("program", "technique") else str(row[name]).rjust(width)
        for name, width in COLUMNS
    ]
    print(" ".join(cells).rstrip(), flush=True)


def measure_all(arguments, programs):
    """Prints a row per program and technique; returns rows and wrong counts."""
    rows, wrong = [], []
    show({name: name for name, _ in COLUMNS})
    for program, size, executions in programs:
        for technique in arguments.technique:
            row = measure(arguments, program, size, technique)
            rows.append(row)
            show(row)
            if row["executions"] != executions:
                wrong.append(f"{program} {size} {technique}: {row['executions']} executions, "
                             f"expected {executions}")
            if technique == "optimal" and row["asleep"] != 0:
                wrong.append(f"{program} {size} optimal: {row['asleep']} executions ended asleep")
    return rows, wrong


def write_csv(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [name for name, _ in COLUMNS])
        writer.writeheader()
        writer.writerows(rows)


def measure_memory(mazurka):
    print("\nPeak memory (optimal): the longer exploration needs hardly more than the shorter one.")
    for program, sizes, _ in MEMORY:
        parts = []
        for size in sizes:
            report = explore(mazurka, program, size, "optimal")
            memory = field(report, "peak_memory", 0) / 2**20
            parts.append(f"{size}: {report['executions']} executions, {memory:.1f} MiB")
        print(f"  {program:14} {'; '.join(parts)}", flush=True)


def measure_checks(mazurka, repeat):
    """The time of an exploration with data races and heap accesses checked, as ratios to without."""
    times = {}
    with tempfile.TemporaryDirectory() as directory:
        report = pathlib.Path(directory) / "report.json"
        for _ in range(repeat):
            for races in ("off", "on"):
                for memory in ("off", "on"):
                    command = [mazurka.resolve(), "check", HERE / "threads" / "checks.c", "-DN=7", "-O1",
                               "--races", races, "--heap", memory, "--json", report]
                    command = list(map(str, command))
                    done = subprocess.run(
                        command, cwd=directory, capture_output=True, text=True, check=False
                    )
                    if done.returncode != 0:
                        raise Failure(f"$ {shlex.join(command)}\n{done.stdout}{done.stderr}")
                    seconds = json.loads(report.read_text())["seconds"]
                    times.setdefault((races, memory), []).append(seconds)
    middle = {key: statistics.median(values) for key, values in times.items()}
    plain = middle["off", "off"]
    print("\nChecks of plain accesses (checks.c, 7 threads), as ratios to an exploration without:")
    print(f"  data races {middle['on', 'off'] / plain:.2f}, heap {middle['off', 'on'] / plain:.2f}, "
          f"both {middle['on', 'on'] / plain:.2f}", flush=True)


def fastest(command, directory, repeat, before=lambda: None):
    """Seconds of the whole command, the best of several runs."""
    times = []
    for _ in range(repeat):
        before()
        begun = time.perf_counter()
        done = subprocess.run(
            list(map(str, command)), cwd=directory, capture_output=True, text=True, check=False
        )
        times.append(time.perf_counter() - begun)
        if done.returncode != 0:
            raise Failure(f"$ {shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return min(times)


def measure_start(mazurka, repeat):
    """From the source to the verdict, when it is checked for the first time and when again."""
    print("\nFrom the source to the verdict, in milliseconds:")
    print(f"  {'':14} {'compiler':>9} {'first check':>12} {'x compiler':>11} {'second check':>13}")
    for name, compiler in (("start.c", ["gcc"]), ("start.cpp", ["g++", "-std=gnu++20"])):
        source = HERE / "threads" / name
        with tempfile.TemporaryDirectory() as directory:
            kept = pathlib.Path(directory) / ".mazurka"
            bare = fastest([*compiler, "-g", "-O0", "-pthread", source], directory, repeat)
            check = [mazurka.resolve(), "check", source]
            first = fastest(check, directory, repeat, lambda: shutil.rmtree(kept, ignore_errors=True))
            second = fastest(check, directory, repeat)
        print(f"  {name:14} {bare * 1e3:9.0f} {first * 1e3:12.0f} {first / bare:11.2f} {second * 1e3:13.0f}",
              flush=True)


def check_counts(arguments, programs):
    """Only the numbers of executions, for the tests."""
    wrong = []
    for program, size, executions in programs:
        for technique in arguments.technique:
            report = explore(arguments.mazurka, program, size, technique)
            got = (report["executions"], report["asleep"] if technique == "optimal" else 0)
            print(f"{program} {size} {technique}: {got[0]} executions", flush=True)
            if got != (executions, 0):
                wrong.append(f"{program} {size} {technique}: {got[0]} executions and {got[1]} "
                             f"asleep, expected {executions}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", help="only these (default: all)")
    parser.add_argument("--mazurka", type=pathlib.Path, required=True, help="the checker")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."),
                        help="folder for threads.csv")
    parser.add_argument("--technique", action="append", help="default: optimal and source")
    parser.add_argument("--repeat", type=int, default=3, help="runs per row; the median is shown")
    parser.add_argument("--against", type=pathlib.Path, metavar="MAZURKA",
                        help="another build of the checker; `x other` is the ratio of the times")
    parser.add_argument("--flags", type=shlex.split, default=[], help="for the compiler, e.g. --flags=-O1")
    parser.add_argument("--check", action="store_true", help="only compare counts, no measurements")
    arguments = parser.parse_args()
    arguments.technique = arguments.technique or ["optimal", "source"]

    known = {name for name, _, _ in PROGRAMS} | {"checks", "start"}
    for name in arguments.programs:
        if name not in known:
            parser.error(f"no program '{name}'; there are: {', '.join(sorted(known))}")
    programs = [p for p in PROGRAMS if not arguments.programs or p[0] in arguments.programs]
    try:
        if arguments.check:
            wrong = check_counts(arguments, programs)
        else:
            rows, wrong = measure_all(arguments, programs)
            write_csv(arguments.output / "threads.csv", rows)
            if arguments.against:
                ratio = 1 / statistics.geometric_mean(float(row["x other"]) for row in rows)
                print(f"\nThe other build takes {ratio:.2f} times as long "
                      f"(geometric mean of {len(rows)} rows).")
            if not arguments.programs:
                measure_memory(arguments.mazurka)
            if not arguments.programs or "checks" in arguments.programs:
                measure_checks(arguments.mazurka, arguments.repeat)
            if not arguments.programs or "start" in arguments.programs:
                measure_start(arguments.mazurka, 2 * arguments.repeat)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 2
    for line in wrong:
        print(f"WRONG {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
