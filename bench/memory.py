#!/usr/bin/env python3
"""Speed under weak memory. How many executions per second are there under rc11, and how many if the same
program is explored as sequentially consistent?

Both are measured in turn, and the better of some rounds counts. `x sc` is the ratio, and `redundant` how
many executions there are for each behaviour under rc11, where it is known how many behaviours there are.
`MiB` is the peak under rc11. Writes memory.csv. Exit code 1 if a number of executions is smaller than
that of the behaviours.
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

# program, size, behaviours under rc11: the opening comment of each says why; None: not known
PROGRAMS = [
    ("memory/counters", 4, 2520),
    ("memory/counters", 5, 113400),
    ("memory/publish", 5, 4**5),
    ("memory/publish", 7, 4**7),
    ("memory/ring", 8, 2**8),
    ("memory/ring", 12, 2**12),
    ("threads/ticketlock", 4, 2520),
    ("threads/spinlock", 4, None),
    ("threads/indexer", 15, 4096),
]
COLUMNS = [("program", 18), ("n", 3), ("sc", 9), ("rc11", 9), ("sc/s", 9), ("rc11/s", 9), ("x sc", 6),
           ("redundant", 10), ("MiB", 6)]


class Failure(Exception):
    pass


def explore(arguments, directory, program, model):
    report = pathlib.Path(directory) / "report.json"
    command = [arguments.mazurka.resolve(), "check", program, "--memory", model, "--json", report, "--progress", "never"]
    command = list(map(str, command))
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"$ {shlex.join(command)}\n{done.stdout}{done.stderr}")
    found = json.loads(report.read_text())
    return {**found["statistics"], "seconds": found["seconds"]}


def measure(arguments, name, size, behaviours):
    """A row, and what is wrong with it."""
    with tempfile.TemporaryDirectory() as directory:
        program = str(pathlib.Path(directory) / "program")
        compiler = arguments.mazurka.resolve().parent / "mazurka-cc"
        subprocess.run([compiler, "-g", f"-DN={size}", HERE / f"{name}.c", "-o", program], check=True)
        rounds = [
            {model: explore(arguments, directory, program, model) for model in ("sc", "rc11")}
            for _ in range(arguments.rounds)
        ]
    rate = {
        model: max(one[model]["executions"] / max(one[model]["seconds"], 1e-6) for one in rounds)
        for model in ("sc", "rc11")
    }
    counts = {model: rounds[0][model]["executions"] for model in ("sc", "rc11")}
    row = {
        "program": name.split("/")[1], "n": size, **counts, "sc/s": round(rate["sc"]), "rc11/s": round(rate["rc11"]),
        "x sc": f"{rate['rc11'] / rate['sc']:.2f}",
        "redundant": f"{counts['rc11'] / behaviours:.3f}" if behaviours else "",
        "MiB": f"{rounds[0]['rc11']['peak_memory'] / 2**20:.1f}",
    }
    wrong = behaviours is not None and counts["rc11"] < behaviours
    return row, [f"{name} {size}: {counts['rc11']} executions, {behaviours} behaviours"] if wrong else []


def show(row):
    first, *others = COLUMNS
    print(" ".join([str(row[first[0]]).ljust(first[1]), *(str(row[name]).rjust(width) for name, width in others)]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True, help="the checker")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."), help="folder for memory.csv")
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many counts (default 3)")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    wrong = []
    show({name: name for name, _ in COLUMNS})
    with (arguments.output / "memory.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, [name for name, _ in COLUMNS])
        writer.writeheader()
        try:
            for program in PROGRAMS:
                row, mistakes = measure(arguments, *program)
                show(row)
                writer.writerow(row)
                wrong += mistakes
        except (Failure, subprocess.CalledProcessError) as failure:
            print(failure, file=sys.stderr)
            return 2
    for line in wrong:
        print(f"WRONG {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
