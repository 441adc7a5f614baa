#!/usr/bin/env python3
"""Random Promela models: the same verdict and the same number of states as SPIN.

    against_spin.py --mazurka PATH --programs 2000 --seed 1 --jobs 2
    against_spin.py --mazurka PATH --models FOLDER       the models of a folder instead

Exit code 77 (skipped) where SPIN or a C compiler is missing. A model on which the two differ is made
smaller, shown and kept.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from random_model import random_model, smaller, text_of  # noqa: E402
from sweep_progress import SweepProgress  # noqa: E402

MOST_STATES = 60_000
DEPTH = 400_000


class Refused(Exception):
    """SPIN does not take the model, or it has more states than wanted here."""


def run(command, folder, limit=60):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                          timeout=limit, errors="replace")


def find_compiler():
    """The fastest that is there: what it compiles runs for a moment only."""
    return next((name for name in ("tcc", "cc", "gcc", "clang") if shutil.which(name)), None)


def spin(file, folder, compiler):
    """(states, an assertion fails, an end is invalid)"""
    made = run(["spin", "-a", "-o1", "-o2", "-o3", file.name], folder)
    # SPIN does not like 'else' beside sends and receives, but takes it.
    errors = re.findall(r"Error: (?!dubious use of 'else')", made.stdout)
    if made.returncode != 0 or not (folder / "pan.c").exists() or errors:
        raise Refused(made.stdout[:200])
    compiled = run([compiler, "-w", "-o", "pan", "-DNOREDUCE", "-DSAFETY", "-DMEMLIM=1024", "pan.c"],
                   folder)
    if compiled.returncode != 0:
        raise Refused(compiled.stderr[:200])
    outputs = []
    for flags in (["-c0", "-E", "-A"], ["-E"], ["-A"]):
        try:
            done = run(["./pan", f"-m{DEPTH}", "-w16", *flags], folder, limit=20)
        except subprocess.TimeoutExpired:
            raise Refused("SPIN takes too long") from None
        if "max search depth too small" in done.stdout or "states, stored" not in done.stdout:
            raise Refused(done.stdout[:200] or "SPIN fails")
        outputs.append(done.stdout)
        states = int(re.search(r"(\d+) states, stored", outputs[0])[1])
        if states > MOST_STATES:
            raise Refused("too many states")
    wrong = r"assertion violated|missing pars in receive|too (few|many) parameters in send"
    return (states, re.search(wrong, outputs[1]) is not None,
            "invalid end state (at" in outputs[2])


def mazurka(file, folder, program):
    report = folder / "report.json"
    done = run([program, "check", file.name, "--variant", "reach", "--keep-going", "--json",
                report.name], folder)
    if done.returncode not in (0, 1):
        return f"exit code {done.returncode}: {done.stdout}{done.stderr}"
    outcome = json.loads(report.read_text())
    kinds = {finding["kind"] for finding in outcome["findings"]}
    return (outcome["stateful"]["states"], "assertion" in kinds, "deadlock" in kinds)


def compare(model, arguments):
    return compare_text(text_of(model), arguments)


def compare_text(text, arguments):
    """What SPIN and Mazurka say: (states, an assertion fails, an end is invalid) of each."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file = folder / "model.pml"
        file.write_text(text)
        expected = spin(file, folder, arguments.compiler)
        got = mazurka(file, folder, arguments.mazurka)
    return expected, got


def differ(model, arguments):
    try:
        expected, got = compare(model, arguments)
    except (Refused, subprocess.TimeoutExpired):
        return None
    return (expected, got) if expected != got else None


def shrink(model, arguments):
    going = True
    while going:
        going = False
        for candidate in smaller(model):
            if differ(candidate, arguments):
                model, going = candidate, True
                break
    return model


def check(seed, arguments):
    try:
        return seed, compare(random_model(seed), arguments), None
    except (Refused, subprocess.TimeoutExpired) as refusal:
        return seed, None, str(refusal)


def report(seed, expected, got, arguments):
    print(f"DIFFERENT seed {seed}: SPIN says (states, assertion fails, invalid end) {expected}, "
          f"Mazurka {got}")
    model = shrink(random_model(seed), arguments) if arguments.shrink else random_model(seed)
    expected, got = differ(model, arguments) or (expected, got)
    print(f"smaller: SPIN {expected}, Mazurka {got}\n{text_of(model)}", flush=True)


def compare_models(arguments):
    different = 0
    for file in sorted(file for folder in arguments.models for file in folder.glob("*.pml")):
        expected, got = compare_text(file.read_text(), arguments)
        print(f"{file.name}: SPIN {expected}, Mazurka {got}")
        different += expected != got
    sys.exit(1 if different else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=int, default=200, help="so many are compared (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="number of the first one (default 1)")
    parser.add_argument("--jobs", type=int, default=1, help="so many at once (default 1)")
    parser.add_argument("--compiler", default=find_compiler(), help="compiles SPIN's verifiers")
    parser.add_argument("--models", type=pathlib.Path, nargs="+",
                        help="compare the models of these folders")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false")
    arguments = parser.parse_args()
    arguments.mazurka = arguments.mazurka.resolve()
    if not shutil.which("spin") or not arguments.compiler:
        print("SPIN or a C compiler is missing: nothing is compared")
        sys.exit(77)
    if arguments.models:
        compare_models(arguments)
    begun = time.monotonic()
    progress = SweepProgress(arguments.programs)
    compared = refused = different = states = findings = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        seed = arguments.seed
        while compared < arguments.programs and not different:
            batch = min(10 * arguments.jobs, arguments.programs - compared)
            for number, both, refusal in pool.map(lambda one: check(one, arguments),
                                                  range(seed, seed + batch)):
                if refusal is not None:
                    refused += 1
                    continue
                compared += 1
                states += both[0][0]
                findings += both[0][1] or both[0][2]
                if both[0] != both[1]:
                    different += 1
                    report(number, *both, arguments)
            seed += batch
            progress.show(compared, different)
    progress.end()
    print(f"{compared} models from seed {arguments.seed}: {different} differ; {states} states in all, "
          f"{findings} models with a finding; {refused} more that SPIN does not take or that are too "
          f"large; {time.monotonic() - begun:.0f} s")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
