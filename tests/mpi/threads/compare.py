#!/usr/bin/env python3
"""MPI programs whose ranks have several threads: what a search finds, against thousands of random schedules.

    compare.py --mazurka build/bin/mazurka --programs 100 [--first N] [--technique reverse]
    compare.py --mazurka build/bin/mazurka --text 's1.0|b/r0.0|b'

Random schedules know nothing of which steps are independent: where a search is wrong about that, sooner or later one of
them comes to an outcome that the search has not. Outcomes are what all threads have seen, or where they wait for ever. Both
bufferings are compared. Programs are small, so that every outcome has a fair chance; but they have too many interleavings to
try them all.

Operations, each with a rank and a tag (-1: any): s send, S synchronous send, r receive, t receive that is tested and then
waited for, p probe, q probe without waiting, m and M the same with a message that is taken; and without: b broadcast,
a sum of all.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCHEDULES = 3000
LOOKS = "rrrttpqqmmM"


def random_program(number):
    rng = random.Random(number)
    ranks = rng.choice((2, 2, 2, 3))
    threads = [[[] for _ in range(2 if rank == 0 or rng.random() < 0.5 and ranks == 2 else 1)]
               for rank in range(ranks)]
    for _ in range(rng.randint(1, 3 if ranks == 2 else 2)):
        sender, receiver = rng.sample(range(ranks), 2)
        if ranks == 3:
            sender, receiver = rng.choice((1, 2)), 0
        tag = rng.choice((0, 0, 1))
        rng.choice(threads[sender]).append(f"{rng.choice('sssS')}{receiver}.{tag}")
        kind = rng.choice(LOOKS)
        source = rng.choice((sender, -1))
        rng.choice(threads[receiver]).append(f"{kind}{source}.{rng.choice((tag, tag, -1))}")
    for _ in range(rng.choice((0, 0, 1, 2))):
        kind = rng.choice("ba")
        for rank in threads:
            rng.choice(rank).append(kind)
    for rank in threads:
        for thread in rank:
            rng.shuffle(thread)
    return "/".join("|".join(",".join(thread) for thread in rank) for rank in threads)


def place_of(ending):
    """Which rank waits where: threads are numbered in the order in which they begin."""
    rank = re.search(r"rank (\d+)", ending)[1]
    return f"rank {rank} at line " + re.search(r"several_threads\.c:(\d+)", ending)[1]


class Checked:
    """The outcomes that a technique finds."""

    def __init__(self, arguments, interpreter, text, buffering, technique):
        self.outcomes = set()
        with tempfile.TemporaryDirectory() as scratch:
            report = pathlib.Path(scratch) / "report.json"
            command = [arguments.mazurka, "check", interpreter, "--ranks", text.count("/") + 1,
                       "--buffering", buffering, "--keep-going", "--shorten", "off", "--json", report,
                       *technique, "--", text]
            done = subprocess.run(list(map(str, command)), cwd=scratch, capture_output=True, text=True,
                                  timeout=600, check=False)
            self.problem = "" if report.exists() else done.stdout + done.stderr
            if report.exists():
                self.read(json.loads(report.read_text()))

    def read(self, report):
        if report["verdict"] in ("inconclusive", "error") or "there may be more" in report["reason"]:
            self.problem = f"{report['verdict']}: {report['reason']}"
        for finding in report["findings"]:
            if finding["kind"] == "assertion" and "saw " in finding["message"]:
                self.outcomes.add(re.search(r"saw [-\d./|]*", finding["message"])[0])
            elif finding["kind"] == "deadlock":
                self.outcomes.add("deadlock: " + "; ".join(sorted(map(place_of, finding["story"]["endings"]))))
            else:
                self.outcomes.add(finding["kind"])


def difference(arguments, interpreter, text, buffering):
    """What is wrong, or nothing; and how many outcomes there are."""
    found = Checked(arguments, interpreter, text, buffering, ["--technique", arguments.technique])
    if found.problem:
        return found.problem, 0
    by_chance = Checked(arguments, interpreter, text, buffering,
                        ["--technique", "random", "--max-executions", SCHEDULES])
    lines = [f"missing: {one}" for one in sorted(by_chance.outcomes - found.outcomes)]
    return "\n".join(lines), len(found.outcomes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=lambda path: pathlib.Path(path).resolve(), required=True)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--text", help="this program alone")
    parser.add_argument("--technique", default="optimal")
    arguments = parser.parse_args()
    texts = [arguments.text] if arguments.text else [
        random_program(number) for number in range(arguments.first, arguments.first + arguments.programs)]
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        interpreter = pathlib.Path(scratch) / "several_threads"
        subprocess.run([arguments.mazurka.parent / "mazurka-mpicc", "-O1", "-pthread", HERE / "several_threads.c",
                        "-o", interpreter], check=True)
        for text in texts:
            for buffering in ("infinite", "zero"):
                wrong, outcomes = difference(arguments, interpreter, text, buffering)
                counts["different" if wrong else "same"] += 1
                counts["outcomes"] += outcomes
                if wrong:
                    print(f"{text}, {buffering}:\n{wrong}", flush=True)
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if counts["different"] or not counts["outcomes"] else 0


if __name__ == "__main__":
    sys.exit(main())
