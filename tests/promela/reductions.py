#!/usr/bin/env python3
"""Random Promela models: the reductions find what a search of all states finds, and all can be replayed.

    reductions.py --mazurka PATH --programs 500 --seed 1

Local steps first: all models; the others: those that can be translated into a network of automata. No other
program is needed.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from random_model import random_model, smaller, text_of  # noqa: E402
from sweep_progress import SweepProgress  # noqa: E402

PATIENCE = 4  # seconds, for one search: what does not end in that time is not compared
VARIANTS = ["local-first", "closure", "pifs", "full+sleep", "pset+sleep", "closure-sleep", "auto"]


def kinds(program, folder, *options):
    """The kinds of findings; None if the search does not end, a text if the model is refused."""
    report = folder / "report.json"
    done = subprocess.run([program, "check", "model.pml", "--keep-going", "--max-time", f"{PATIENCE}s", "--json",
                           report, *options], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 2:
        return done.stderr
    if done.returncode == 3:
        return None
    findings = json.loads(report.read_text())["findings"]
    return sorted({finding["kind"] + not_replayed(program, folder, finding) for finding in findings})


def not_replayed(program, folder, finding):
    """Empty if the finding's schedule leads to it again."""
    if not finding["replay"]:
        return ", which has no schedule"
    schedule = finding["replay"].split()[-1]
    done = subprocess.run([program, "replay", schedule, "--json", "again.json"], cwd=folder, capture_output=True,
                          text=True, check=False)
    again = json.loads((folder / "again.json").read_text())
    same = [one["message"] for one in again["findings"]] == [finding["message"]]
    return "" if done.returncode == 1 and same else f", which is not replayed ({done.stdout}{done.stderr})"


def compare(model, program):
    """(variants compared, what differs)"""
    compared = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "model.pml").write_text(text_of(model))
        expected = kinds(program, folder, "--variant", "reach")
        if expected is None or isinstance(expected, str):
            return 0, ""
        if any("which" in kind for kind in expected):
            return 1, f"all states: {expected}"
        for variant in VARIANTS:
            found = kinds(program, folder, "--variant", variant)
            if isinstance(found, str) and "can not be one" in found:
                return compared, ""
            if found is None:
                continue
            compared += 1
            if found != expected:
                return compared, f"{variant} finds {found}, all states have {expected}"
    return compared, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=int, default=200, help="so many are tried (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    program = arguments.mazurka.resolve()
    translated = searches = 0
    progress = SweepProgress(arguments.programs)
    for seed in range(arguments.seed, arguments.seed + arguments.programs):
        model = random_model(seed)
        compared, wrong = compare(model, program)
        if wrong:
            going = True
            while going:
                going = False
                for candidate in smaller(model):
                    if compare(candidate, program)[1]:
                        model, going = candidate, True
                        break
            print(f"DIFFERENT seed {seed}: {wrong}\nsmaller: {compare(model, program)[1]}\n"
                  f"{text_of(model)}")
            sys.exit(1)
        translated += compared > 1
        searches += compared
        progress.show(seed - arguments.seed + 1, 0)
    progress.end()
    print(f"{arguments.programs} models from seed {arguments.seed}: {translated} could be translated, "
          f"{searches} reduced searches found what all states have")
    sys.exit(0 if translated else 1)


if __name__ == "__main__":
    main()
