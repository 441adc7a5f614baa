#!/usr/bin/env python3
"""Interrupts explorations at random points and lets them go on: nothing may be lost or done twice.

For each technique, an exploration of about 100,000 executions is disturbed at so many points. At
each one of three things happens: the user presses Ctrl-C, the process that explores is killed, or
everything is killed. After the first and the third the exploration is resumed from its file. In the
end the verdict, the number of executions and the digest over the decisions of all of them must be
those of an exploration in one go.

    ./dev sweep interrupts --points 20
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from programs import RACERS

MAX_SECONDS = 600


def worker_of(process):
    """The child that explores, once it has begun to."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    try:
        for child in children.read_text().split():
            if "racers" in os.readlink(f"/proc/{child}/exe"):
                return int(child)
    except OSError:
        pass
    return None


class Runs:
    def __init__(self, arguments, folder):
        self.mazurka = arguments.mazurka.resolve()
        self.folder = folder
        self.report = folder / "report.json"
        self.saved = folder / "racers.exploration"

    def start(self, words):
        command = [self.mazurka, "check", *words, "--json", self.report, "--progress", "never"]
        command += ["--save", self.saved, "--save-every", "20ms", "--jobs", "1"]
        return subprocess.Popen(
            list(map(str, command)),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def finish(self, process):
        output, _ = process.communicate(timeout=MAX_SECONDS)
        return process.returncode, output

    def counts(self):
        report = json.loads(self.report.read_text())
        return {
            "verdict": report["verdict"],
            "executions": report["executions"],
            "asleep": report["statistics"]["asleep"],
            "digest": report["statistics"]["digest"],
        }


def disturb(runs, process, kind, pause):
    """True if the run was disturbed before it came to its end, and must be resumed or goes on."""
    deadline = time.time() + 60
    while worker_of(process) is None and process.poll() is None and time.time() < deadline:
        time.sleep(0.002)
    time.sleep(pause)
    worker = worker_of(process)
    if process.poll() is not None or worker is None:
        return False
    if kind == "SIGINT":
        process.send_signal(signal.SIGINT)
    elif kind == "SIGKILL of the worker":
        os.kill(worker, signal.SIGKILL)
    else:
        process.kill()
    return True


# Threads and steps of each, for about 100,000 executions; `small`, for the test suite: 2,500.
SIZES = {
    "source": (5, 2),
    "optimal": (5, 2),
    "reverse": (5, 2),
    "dpor": (5, 2),
    "sleep": (5, 2),
    "exhaustive": (3, 4),
}
SMALL_SIZES = {
    "source": (4, 2),
    "optimal": (4, 2),
    "reverse": (4, 2),
    "dpor": (4, 2),
    "sleep": (4, 2),
    "exhaustive": (3, 2),
}


def try_technique(arguments, technique, processes, steps):
    """How many explorations did not come to what they come to in one go."""
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = Runs(arguments, folder)
        (folder / "racers.c").write_text(RACERS)
        wrapper = runs.mazurka.parent / "mazurka-cc"
        sizes = [f"-DPROCESSES={processes}", f"-DSTEPS={steps}"]
        subprocess.run([wrapper, *sizes, "racers.c", "-o", "racers"], cwd=folder, check=True)
        fresh = ["./racers", "--technique", technique]

        begun = time.time()
        runs.finish(runs.start(fresh))
        whole = runs.counts()
        seconds = time.time() - begun
        print(f"{technique}, in one go: {whole}, {seconds:.1f} s", flush=True)

        kinds = ["SIGINT", "SIGKILL of the worker", "SIGKILL of everything"]
        disturbed = {kind: 0 for kind in kinds}
        problems = 0
        words = fresh
        done = 0
        started = 0
        while done < arguments.points:
            process = runs.start(words)
            kind = kinds[started % 3]
            started += 1
            # So that several points fall into each exploration.
            if disturb(runs, process, kind, chance.uniform(0, seconds / 4)):
                disturbed[kind] += 1
                done += 1
            if kind == "SIGKILL of the worker" and process.poll() is None:
                # It goes on by itself: disturb it once more.
                if done < arguments.points and disturb(
                    runs, process, "SIGINT", chance.uniform(0, seconds / 4)
                ):
                    disturbed["SIGINT"] += 1
                    done += 1
            code, output = runs.finish(process)
            if code == 3 or code < 0:
                words = ["--resume", runs.saved] if runs.saved.exists() else fresh
                if words is fresh:
                    print("  killed before anything was saved: begun again")
                if done < arguments.points:
                    continue
                code, output = runs.finish(runs.start(words))
            counts = runs.counts() if code in (0, 1, 3) else output
            good = counts == whole
            problems += not good
            print(f"  after {done} points: {'the same' if good else counts}", flush=True)
            words = fresh
            runs.saved.unlink(missing_ok=True)
        print("  " + ", ".join(f"{count} x {kind}" for kind, count in disturbed.items()))
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=Path, required=True)
    parser.add_argument("--points", type=int, default=20)
    parser.add_argument("--technique", choices=SIZES, help="only this one")
    parser.add_argument("--small", action="store_true", help="small explorations")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    problems = 0
    for technique, sizes in (SMALL_SIZES if arguments.small else SIZES).items():
        if arguments.technique in (None, technique):
            problems += try_technique(arguments, technique, *sizes)
    print("every exploration came to the same" if problems == 0 else f"{problems} did not")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
