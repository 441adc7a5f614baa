#!/usr/bin/env python3
"""How many executions MPI programs have: one per assignment of sources to receives from anywhere.

    counts.py --mazurka build/bin/mazurka [--technique NAME] [ROW...]

The numbers were derived by hand; the programs are in rows.c.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXIT_CODES = {"verified": 0, "deadlock": 1}


def rows():
    """Program, ranks, flags, options, executions and verdict with infinite and with zero buffering."""
    for senders in range(1, 6):
        every = math.factorial(senders), "verified"
        for program in ("anywhere", "anywhere_posted_first", "probed", "waitany"):
            yield program, senders + 1, [], [], every, every
    one = 1, "verified"
    for ranks in (2, 3, 4, 6):
        yield "named", ranks, [], [], one, one
        yield "alltoall", ranks, [], [], one, one
        yield "alltoall_by_hand", ranks, [], [], one, one
    yield "any_tag", 2, [], [], one, one
    for senders, messages in ((2, 2), (2, 3), (3, 2)):
        every = math.factorial(senders * messages) // math.factorial(messages) ** senders
        both = every, "verified"
        yield "several", senders + 1, [f"-DMESSAGES={messages}"], [], both, both
    for workers, tasks, executions in ((2, 2, 2), (2, 3, 4), (2, 4, 8), (3, 3, 6)):
        both = executions, "verified"
        yield "master_and_workers", workers + 1, [f"-DTASKS={tasks}"], [], both, both
    two, stuck = (2, "deadlock"), (1, "deadlock")
    yield "wildcard_steals", 3, [], [], two, two
    yield "posted_early", 3, [], [], two, two
    yield "head_to_head", 2, [], [], one, stuck
    yield "head_to_head_synchronous", 2, [], [], stuck, stuck
    yield "through_a_third", 3, [], [], (2, "verified"), one
    yield "broadcast_between", 3, [], ["--collectives", "sync"], one, one
    yield "broadcast_between", 3, [], ["--collectives", "loose"], (2, "verified"), (2, "verified")
    yield "tested_once", 2, [], [], (2, "verified"), (2, "verified")
    yield "two_receivers", 4, [], [], (4, "verified"), (4, "verified")


def check(arguments, folder, row, buffering, expected):
    program, ranks, flags, options, _, _ = row
    report = pathlib.Path(folder) / "report.json"
    report.unlink(missing_ok=True)
    command = [arguments.mazurka, "check", str(HERE / "rows.c"), f"-DROW={program}", *flags,
               "--ranks", str(ranks), "--buffering", buffering, *options, "--keep-going",
               "--technique", arguments.technique, "--json", str(report), "--progress", "never"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    what = f"{program}, {ranks} ranks, {' '.join(flags + options)} {buffering}"
    executions, verdict = expected
    if result.returncode != EXIT_CODES[verdict]:
        return f"{what}: {verdict} is expected\n{result.stdout}{result.stderr}"
    statistics = json.loads(report.read_text())["statistics"]
    found = statistics["executions"]
    if found != executions or statistics.get("asleep", 0) != 0:
        return f"{what}: {found} executions and {statistics.get('asleep')} asleep, not {executions}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mazurka", required=True)
    parser.add_argument("--technique", default="optimal")
    parser.add_argument("only", nargs="*")
    arguments = parser.parse_args()
    arguments.mazurka = str(pathlib.Path(arguments.mazurka).resolve())
    wrong, checks = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for row in rows():
            if arguments.only and row[0] not in arguments.only:
                continue
            for buffering, expected in (("infinite", row[4]), ("zero", row[5])):
                checks += 1
                failure = check(arguments, folder, row, buffering, expected)
                if failure is not None:
                    wrong.append(failure)
    print("\n".join(wrong))
    print(f"{checks} searches, {len(wrong)} with another result")
    return 1 if wrong or checks == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
