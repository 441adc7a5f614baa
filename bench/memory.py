#!/usr/bin/env python3
"""Speed under weak memory. How many executions per second are there under rc11, with `optimal` and with
`graphs`, and how many if the same program is explored by `optimal` as sequentially consistent?

All three are measured in turn, and the better of some rounds counts. `x sc` are the ratios, and `redundant` how
many executions `optimal` needs for each behaviour under rc11, where it is known how many behaviours there are.
`MiB` is the peak of `graphs`. Writes memory.csv. Exit code 1 if `optimal` has fewer executions than there are
behaviours, or `graphs` another number of them.
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
SEARCHES = {"sc": ("sc", "optimal"), "rc11": ("rc11", "optimal"), "graphs": ("rc11", "graphs")}
COLUMNS = [("program", 18), ("n", 3), *((name, 8) for name in SEARCHES), *((f"{name}/s", 9) for name in SEARCHES),
           ("rc11 x sc", 9), ("graphs x sc", 11), ("redundant", 10), ("MiB", 6)]


class Failure(Exception):
    pass


def explore(arguments, directory, program, model, technique):
    report = pathlib.Path(directory) / "report.json"
    command = [arguments.mazurka.resolve(), "check", program, "--memory", model, "--technique", technique,
               "--json", report, "--progress", "never"]
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
            {name: explore(arguments, directory, program, *search) for name, search in SEARCHES.items()}
            for _ in range(arguments.rounds)
        ]
    rate = {
        name: max(one[name]["executions"] / max(one[name]["seconds"], 1e-6) for one in rounds) for name in SEARCHES
    }
    counts = {name: rounds[0][name]["executions"] for name in SEARCHES}
    row = {
        "program": name.split("/")[1], "n": size, **counts,
        **{f"{search}/s": round(rate[search]) for search in SEARCHES},
        **{f"{search} x sc": f"{rate[search] / rate['sc']:.2f}" for search in SEARCHES if search != "sc"},
        "redundant": f"{counts['rc11'] / behaviours:.3f}" if behaviours else "",
        "MiB": f"{rounds[0]['graphs']['peak_memory'] / 2**20:.1f}",
    }
    wrong = behaviours is not None and (counts["rc11"] < behaviours or counts["graphs"] != behaviours)
    return row, [f"{name} {size}: {counts}, {behaviours} behaviours"] if wrong else []


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
