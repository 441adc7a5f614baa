#!/usr/bin/env python3
"""The same Promela files with SPIN and with us: states and time, in one table.

SPIN's verifier is generated with -o1 -o2 -o3 (no merging of statements, nothing left out of the
state) and compiled with -O2 -DNOREDUCE -DSAFETY, which makes its number of stored states that of all
reachable ones. A second run has SPIN's own partial-order reduction. Ours is that of --variant closure,
for models whose processes do not go round in circles (the others have a "-"). Times are those of the searches,
the best of --runs; what the generation and compilation of the verifier takes is a column of its own.
"""

import argparse
import json
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[1]
# (file, what N is, name): sizes at which there is something to measure.
MODELS = [("peterson.pml", None), ("lost_update.pml", None), ("handshake.pml", None),
          ("readers.pml", ("READERS", 7)), ("buffer.pml", ("MESSAGES", 250)),
          ("philosophers.pml", ("N", 10)), ("philosophers.pml", ("N", 12)), ("leader.pml", ("N", 8)),
          ("leader.pml", ("N", 10)), ("sieve.pml", ("MAX", 40)), ("filter.pml", ("N", 3)),
          ("filter.pml", ("N", 4)), ("transfers.pml", None)]


def spent(command, folder, limit):
    """(output, processor time in seconds), or None after the limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                              timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def spin(folder, reduced, arguments):
    """(states, seconds of the search, seconds to make the verifier)"""
    begun = time.monotonic()
    flags = ["-DSAFETY", "-DMEMLIM=8000"] + ([] if reduced else ["-DNOREDUCE"])
    subprocess.run(["spin", "-a", "-o1", "-o2", "-o3", "model.pml"], cwd=folder, check=True,
                   capture_output=True)
    subprocess.run([arguments.compiler, "-O2", "-w", "-o", "pan", *flags, "pan.c"], cwd=folder,
                   check=True)
    making = time.monotonic() - begun
    best = None
    for _ in range(arguments.runs):
        run = spent(["./pan", "-m3000000", "-c0", "-E", "-A"], folder, arguments.limit)
        if run is None:
            return None
        found = re.search(r"([\d.e+]+) states, stored", run[0])
        if "max search depth too small" in run[0] or not found:
            return None
        states = int(float(found[1]))
        best = run[1] if best is None else min(best, run[1])
    return states, best, making


def mazurka(folder, variant, arguments):
    report = folder / "report.json"
    best = None
    for _ in range(arguments.runs):
        done = subprocess.run([arguments.mazurka, "check", "model.pml", "--variant", variant,
                               "--keep-going", "--max-time", f"{arguments.limit}s", "--json", report],
                              cwd=folder, capture_output=True, check=False)
        if done.returncode == 2:
            return None
        outcome = json.loads(report.read_text())
        if outcome["verdict"] == "inconclusive":
            return None
        counts = outcome["stateful"]
        if best is None or counts["cpu_seconds"] < best[1]:
            best = counts["states"], counts["cpu_seconds"]
    return best


def row(file, change, arguments):
    text = (SOURCE / "examples" / "promela" / file).read_text()
    name = file.removesuffix(".pml")
    if change:
        text = re.sub(rf"#define {change[0]} \d+", f"#define {change[0]} {change[1]}", text)
        name += f" {change[1]}"
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "model.pml").write_text(text)
        plain = spin(folder, False, arguments)
        ours = mazurka(folder, "reach", arguments)
        reduced = spin(folder, True, arguments)
        ours_reduced = mazurka(folder, "closure", arguments) or mazurka(folder, "local-first", arguments)
    cells = [f"{name:16}"]
    cells.append(f"{plain[0]:>10} {plain[1]:8.2f} {plain[2]:7.2f}" if plain else f"{'cut':>10}{'':17}")
    cells.append(f"{ours[0]:>10} {ours[1]:8.2f}" if ours else f"{'cut':>10}{'':9}")
    cells.append(f"{reduced[0]:>10} {reduced[1]:8.2f}" if reduced else f"{'cut':>10}{'':9}")
    cells.append(f"{ours_reduced[0]:>10} {ours_reduced[1]:8.2f}" if ours_reduced
                 else f"{'-':>10}{'':9}")
    if plain and ours:
        cells.append("=" if plain[0] == ours[0] else "DIFFERENT")
        cells.append(f"{ours[1] / plain[1]:6.2f}" if plain[1] >= 0.05 else "")
    print(" ".join(cells), flush=True)
    return not (plain and ours) or plain[0] == ours[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--output", help="not used: there is nothing but the table")
    parser.add_argument("--runs", type=int, default=3, help="of which the best counts (default 3)")
    parser.add_argument("--limit", type=int, default=120, help="seconds per search (default 120)")
    parser.add_argument("--compiler", default="cc", help="compiles SPIN's verifiers (default cc)")
    parser.add_argument("models", nargs="*", help="only these, by the beginnings of their names")
    arguments = parser.parse_args()
    arguments.mazurka = arguments.mazurka.resolve()
    if not shutil.which("spin"):
        sys.exit("SPIN is not installed (Debian: spin)")
    print(f"{'':16} {'SPIN, all states':>27} {'Mazurka, all states':>19} {'SPIN, reduced':>19} "
          f"{'Mazurka, reduced':>19}")
    print(f"{'model':16} {'states':>10} {'seconds':>8} {'making':>7} {'states':>10} {'seconds':>8} "
          f"{'states':>10} {'seconds':>8} {'nodes':>10} {'seconds':>8}   ours/SPIN, all states")
    same = True
    for file, change in MODELS:
        if not arguments.models or any(file.startswith(name) for name in arguments.models):
            same = row(file, change, arguments) and same
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
