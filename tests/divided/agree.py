#!/usr/bin/env python3
"""Every program of the tests, benchmarks and examples, with reverse as with optimal: by one process and by two.

The verdict and the findings of `reverse` (or, with --technique, of `graphs`) must be those of `optimal`, and with
two processes, which hand what is left to each other after a few executions, so must be the number of
executions. Where it has another number of them than `optimal`, that is told; tests/litmus/run.py states the
numbers and the reasons. Memory is sequentially consistent: reverse knows no other.

Prints what differs as it comes, and a summary. Exit code 1 if anything is wrong.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "litmus"), str(ROOT / "bench")]
import run as litmus  # noqa: E402
import threads as bench  # noqa: E402

SLICE = 5
Program = collections.namedtuple("Program", "source flags options kind")


def annotated(folder):
    """Programs that say themselves what to expect, whole and broken."""
    for source in sorted((ROOT / "tests" / folder).glob("*.c*")):
        for version in ("mazurka", "broken"):
            expected = litmus.read_expectations(source, version)
            if expected.get("verdict") not in ("verified", "finding"):
                continue
            flags = shlex.split(expected.get("flags", "")) + ["-DBROKEN"] * (version == "broken")
            yield Program(source, flags, shlex.split(expected.get("options", "")), "threads")


def programs():
    yield from annotated("litmus")
    yield from annotated("threads")
    for name, size, executions in bench.PROGRAMS:
        if executions <= 20000:
            yield Program(ROOT / "bench" / "threads" / f"{name}.c", [f"-DN={size}"], [], "threads")
    for folder, kind in (
        ("examples/threads", "threads"), ("bench/messages", "messages"), ("examples/messages", "messages"),
        ("bench/actors", "actors"), ("bench/caf", "caf"), ("examples/caf", "caf"),
    ):
        for source in sorted((ROOT / folder).glob("*.c*")):
            yield Program(source, [], [], kind)


class Comparison:
    def __init__(self, mazurka, seconds, technique):
        self.mazurka = mazurka.resolve()
        self.technique = technique
        self.seconds = seconds

    def check(self, program, folder, technique, *options):
        report = folder / "report.json"
        report.unlink(missing_ok=True)
        command = [self.mazurka, "check", program.source, *program.flags, *program.options, "--technique", technique]
        command += ["--keep-going", "--max-time", f"{self.seconds}s", "--json", report, *options]
        if program.kind == "threads" and "--memory" not in program.options:
            command += ["--memory", "sc"]
        done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False)
        if not report.exists():
            return {"verdict": "error", "reason": done.stderr.strip()[-200:]}
        return json.loads(report.read_text())

    def compare(self, program):
        """The name of the program, and what is to be said of it."""
        name = " ".join([str(program.source.relative_to(ROOT)), *program.flags])
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            usual = self.check(program, folder, "optimal", "--jobs", 1)
            alone = self.check(program, folder, self.technique, "--jobs", 1)
            cut = [one for one in (usual, alone) if "there may be more" in one.get("reason", "")]
            if cut or "inconclusive" in (usual["verdict"], alone["verdict"]):
                return name, "too large", f"{usual['verdict']} and {alone['verdict']} after {self.seconds} s"
            if alone["verdict"] == "error":
                return name, "refused", alone["reason"]
            if usual["verdict"] == "error":
                return name, "refused", "by optimal: " + usual["reason"]
            sizes = [SLICE if alone["executions"] < 500 else alone["executions"] // 20]
            together = self.check(program, folder, self.technique, "--jobs", 2, "--slice", *sizes)
        if self.result(usual) != self.result(alone):
            return name, "WRONG", f"optimal {self.result(usual)}, {self.technique} {self.result(alone)}"
        if (self.result(together), together.get("executions")) != (self.result(alone), alone["executions"]):
            two = (self.result(together), together.get("executions"), together.get("reason"))
            return name, "WRONG", f"one process {self.result(alone), alone['executions']}, two {two}"
        if self.traces(usual) != self.traces(alone):
            return name, "another number", f"optimal {self.traces(usual)}, {self.technique} {self.traces(alone)}"
        return name, "same", ""

    @staticmethod
    def traces(report):
        """Executions, but for those from before the search began anew."""
        return report["executions"] - report["statistics"]["repeated"]

    @staticmethod
    def result(report):
        kinds = {finding["kind"] for finding in report.get("findings", [])}
        # What comes after a data race or a memory error is nobody's business.
        undefined = {"data race", "memory error"} & kinds
        return report["verdict"], ["undefined behaviour"] if undefined else sorted(kinds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=30, help="for each search")
    parser.add_argument("--only", default="", help="programs whose path contains this")
    parser.add_argument("--technique", choices=("reverse", "graphs"), default="reverse")
    arguments = parser.parse_args()
    comparison = Comparison(arguments.mazurka, arguments.seconds, arguments.technique)
    kinds = ("threads", "messages") if arguments.technique == "graphs" else ("threads", "messages", "actors", "caf")
    chosen = [one for one in programs() if arguments.only in str(one.source) and one.kind in kinds]
    tally = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for number, (name, verdict, why) in enumerate(pool.map(comparison.compare, chosen), 1):
            tally[verdict] += 1
            if verdict != "same":
                print(f"{verdict}: {name}: {why}", flush=True)
            if sys.stdout.isatty() or number % 50 == 0:
                print(f"{number} of {len(chosen)}", end="\r" if sys.stdout.isatty() else "\n", flush=True)
    print(f"{len(chosen)} programs: " + ", ".join(f"{count} {verdict}" for verdict, count in tally.most_common()))
    return 1 if tally["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
