#!/usr/bin/env python3
"""How good the estimates of a search's size are. Searches of known size are cut at a part of their
executions, and what they say of the whole is compared with the truth.

Prints a table: per program the true number of executions, and the estimate as a multiple of it when
a tenth, three tenths and half of them were performed. `-`: no estimate that could be believed was
made, so none would be shown; there is none for programs in which a compare-exchange or an attempt at
a lock fails. Exit code 1 if one that is shown is off by more than a factor of two.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PARTS = (0.1, 0.3, 0.5)

# program, size, executions
PROGRAMS = [
    ("lastwrite", 8, 40320),
    ("floatingread", 7, 40320),
    ("lastwrite3", 4, 13824),
    ("abs", 5, 14400),
    ("lastzero", 12, 15360),
    ("readers", 13, 8192),
    ("boundedbuffer", 8, 12870),
    ("philosophers", 11, 2046),
    ("pi", 8, 40320),
    ("filesystem", 24, 2048),
    ("indexer", 15, 4096),
    ("treiber", 3, 552),
    ("spinlock", 4, 1660),
    ("ticketlock", 4, 2520),
]
RACERS = [  # threads, steps of each: (n * steps)! / steps!^n executions
    (4, 2, 2520),
    (5, 2, 113400),
    (3, 5, 756756),
]


def estimate(mazurka, program, executions, folder):
    """What is said of the whole after so many executions: a number, or None."""
    report = pathlib.Path(folder) / "report.json"
    subprocess.run(
        [mazurka, "check", *program, "--json", report, "--progress", "never",
         "--max-executions", str(executions)],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
    )
    outcome = json.loads(report.read_text())
    if outcome["too_large"] is None or outcome["too_large"]["executions"] == 0:
        return None
    return outcome["too_large"]["executions"]


def cases():
    for name, size, executions in PROGRAMS:
        words = [HERE / "threads" / f"{name}.c", f"-DN={size}", "--racy"]
        yield f"{name}({size})", words, executions
    sys.path.insert(0, str(HERE.parent / "tests/cli"))
    from programs import RACERS as text

    for threads, steps, executions in RACERS:
        yield f"racers({threads},{steps})", [text, threads, steps], executions


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--output", help="not used: there is nothing but the table")
    parser.add_argument("only", nargs="*", help="programs that begin so")
    arguments = parser.parse_args()
    mazurka = arguments.mazurka.resolve()
    bad = 0
    print(f"{'program':22} {'executions':>10}  " + "  ".join(f"at {p:.0%}".rjust(7) for p in PARTS))
    for name, words, executions in cases():
        if arguments.only and not any(name.startswith(one) for one in arguments.only):
            continue
        with tempfile.TemporaryDirectory() as folder:
            if name.startswith("racers"):
                (pathlib.Path(folder) / "racers.c").write_text(words[0])
                words = ["racers.c", f"-DPROCESSES={words[1]}", f"-DSTEPS={words[2]}"]
            shown = []
            for part in PARTS:
                said = estimate(mazurka, words, int(executions * part), folder)
                shown.append("-" if said is None else f"{said / executions:.2f}")
                if said is not None:
                    bad += not 0.5 < said / executions < 2
        print(f"{name:22} {executions:10}  " + "  ".join(one.rjust(7) for one in shown), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
