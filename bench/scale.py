#!/usr/bin/env python3
"""Several processes at once, and reverse search against optimal: ratios from one run on one machine.

For each program: the time of `optimal` over that of `reverse` (above 1: reverse is faster), the peak
memory of `reverse` over that of `optimal`, and the time of one job over that of two. Exit code 1 if
the numbers of executions differ.

Then the stateful search, by one thread and by several: networks and variants whose number of nodes
does not depend on the order in which they are visited.

--simulate: measured searches, replayed on 1 to 4,096 workers of a cluster.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# program, size, options; one process takes ten seconds or more for each
PROGRAMS = [
    ("readers", 20, ["--racy"]),
    ("boundedbuffer", 12, []),
    ("lastwrite", 10, ["--racy"]),
    ("lastzero", 18, ["--racy"]),
    ("philosophers", 19, []),
    ("pi", 10, []),
]

# model, size, variant
NETWORKS = [("dp", 10, "reach"), ("lz", 12, "full-sleep"), ("dp", 11, "full-sleep")]


class Runs:
    def __init__(self, arguments, folder):
        self.mazurka = arguments.mazurka.resolve()
        self.folder = folder

    def check(self, name, size, options, technique, jobs=1):
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        command = [self.mazurka, "check", HERE / "threads" / f"{name}.c", "-O2", f"-DN={size}"]
        command += [*options, "--technique", technique, "--json", report, "--progress", "never"]
        if technique == "reverse":
            command += ["--jobs", str(jobs)]
        done = subprocess.run(
            list(map(str, command)), cwd=self.folder, capture_output=True, text=True, check=False
        )
        if not report.exists():
            sys.exit(f"{name} {size}: {done.stdout}{done.stderr}")
        found = json.loads(report.read_text())
        return found["executions"], found["seconds"], found["statistics"]["peak_memory"]

    def search(self, file, variant, jobs):
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        command = [self.mazurka, "check", file, "--variant", variant, "--jobs", jobs]
        command += ["--allow-deadlock", "--json", report, "--progress", "never"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        if not report.exists():
            sys.exit(f"{file} {variant}: {done.stdout}{done.stderr}")
        found = json.loads(report.read_text())["stateful"]
        return found["nodes"], found["search_seconds"], found["bytes"]

    def network(self, model, size):
        file = self.folder / f"{model}-{size}.tck"
        subprocess.run([self.mazurka, "generate", model, str(size), "-o", file], check=True)
        return file


def stateful_rows(runs, jobs):
    """A row per network, and whether its nodes are the same."""
    for model, size, variant in NETWORKS:
        file = runs.network(model, size)
        alone = runs.search(file, variant, 1)
        several = runs.search(file, variant, jobs)
        ratios = [several[2] / alone[2], alone[1] / several[1]]
        row = [f"{model} {variant}", size, alone[0], *(f"{ratio:.2f}" for ratio in ratios)]
        yield row, alone[0] == several[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True, help="folder for the CSV")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--simulate", action="store_true", help="on more workers than there are")
    parser.add_argument("--plot", type=pathlib.Path, help="where the plot of --simulate goes")
    arguments = parser.parse_args()
    if arguments.simulate:
        sys.path.insert(0, str(HERE / "scale"))
        import simulated

        return simulated.run(arguments.mazurka, arguments.output, arguments.plot)
    wrong = False
    rows = [["program", "n", "executions", "x optimal", "memory x", f"x {arguments.jobs} jobs"]]
    print("  ".join(f"{word!s:>12}" for word in rows[0]))
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(arguments, pathlib.Path(folder))
        for name, size, options in PROGRAMS:
            optimal = runs.check(name, size, options, "optimal")
            reverse = runs.check(name, size, options, "reverse")
            several = runs.check(name, size, options, "reverse", arguments.jobs)
            wrong = wrong or not optimal[0] == reverse[0] == several[0]
            ratios = [optimal[1] / reverse[1], reverse[2] / optimal[2], reverse[1] / several[1]]
            rows.append([name, size, reverse[0], *(f"{ratio:.2f}" for ratio in ratios)])
            print("  ".join(f"{word!s:>12}" for word in rows[-1]), flush=True)
        rows += [[], ["network", "n", "nodes", "memory x", f"x {arguments.jobs} jobs"]]
        print("\n" + "  ".join(f"{word!s:>14}" for word in rows[-1]))
        for row, same in stateful_rows(runs, arguments.jobs):
            wrong = wrong or not same
            rows.append(row)
            print("  ".join(f"{word!s:>14}" for word in row), flush=True)
    arguments.output.mkdir(parents=True, exist_ok=True)
    with open(arguments.output / "scale.csv", "w", newline="") as file:
        csv.writer(file).writerows(rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
