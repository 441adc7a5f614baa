#!/usr/bin/env python3
"""Searches of 200,000 executions and more on three workers, with kills at random points.

Workers, the watcher and the server are killed (SIGKILL) and started again. Each search must come to
the verdict, the number and the digest of executions, and the findings of one process. Prints the
seed of what fails; --seed repeats it.
"""

import argparse
import collections
import os
import pathlib
import sys
import time


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--kills", type=int, default=20, help="at most, in one search")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    os.environ["MAZURKA"] = str(arguments.mazurka.resolve())
    import machines

    if machines.REDIS is None:
        sys.exit("redis-server is not installed (Debian: redis-server)")
    wrong = 0
    all_killed = collections.Counter()
    for seed in range(arguments.seed, arguments.seed + arguments.runs):
        cluster = machines.Cluster()
        cluster.setUp()
        try:
            begun = time.monotonic()
            program = cluster.looking(looks=2)
            alone = cluster.counts(cluster.check(program, "--keep-going"))
            between = time.monotonic()
            disturbance = machines.Disturbance(cluster, seed, program, ["--keep-going"])
            killed = disturbance.run(arguments.kills, 1)
            together = cluster.counts(cluster.report())
            cluster.assert_tidy()
            same = together == alone
            told = ", ".join(f"{count} {name}" for name, count in killed.items())
            print(
                f"seed {seed}: {together[1]} executions, {len(together[3])} findings; killed {told}; "
                f"{between - begun:.1f} s alone, {time.monotonic() - between:.1f} s disturbed: "
                + ("the same" if same else f"WRONG, alone {alone}, together {together}"),
                flush=True,
            )
            all_killed.update(killed)
            wrong += not same
        except Exception as error:  # one that fails is told, and the others are tried
            print(f"seed {seed}: FAILED: {error}", flush=True)
            wrong += 1
        finally:
            cluster.doCleanups()
    print(f"{arguments.runs} searches, {wrong} wrong; killed {dict(all_killed)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
