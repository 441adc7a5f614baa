#!/usr/bin/env python3
"""Searches of 200,000 executions and more on three workers, with kills at random points.

Workers, the watcher and the server are killed (SIGKILL) and started again. Each search must come to
the verdict, the number and the digest of executions, and the findings of one process. Prints the
seed of what fails; --seed repeats it.

With `keys` nobody is killed, but each search loses one of its keys at a random point; and as many
again are on a server that throws keys away, because somebody else fills it. Each must come to that
result, too, or to an error that names the key.
"""

import argparse
import collections
import os
import pathlib
import sys
import time


def lose_keys(arguments, machines):
    import losing

    cluster = machines.Cluster()
    cluster.setUp()
    outcomes = collections.Counter()
    try:
        program = cluster.looking()
        begun = time.monotonic()
        alone = cluster.counts(cluster.check(program, "--keep-going"))
        within = time.monotonic() - begun
        workers = [cluster.worker() for _ in range(2)]
        kinds = ("search", "tasks", "rest", "binary", "searches", "current", "slots", "users")
        for seed in range(arguments.seed, arguments.seed + arguments.runs):
            losses = losing.Losses(cluster, program, seed, alone)
            key, outcome, text = losses.run(losses.lots.choice(kinds), within)
            print(f"seed {seed}: lost {key}: {outcome or 'WRONG: ' + text}", flush=True)
            outcomes[outcome or "wrong"] += 1
        for seed in range(arguments.seed, arguments.seed + arguments.runs):
            losses = losing.Losses(cluster, program, seed, alone)
            policy = losses.lots.choice(["allkeys-lru", "allkeys-lfu", "allkeys-random"])
            cache = losing.Cache(cluster.server, policy, losses.lots.choice([2, 3, 4]))
            try:
                watcher = cluster.watch(program, "--keep-going")
                text, _ = watcher.communicate(timeout=120)
                outcome = losses.outcome(watcher.returncode, text)
            finally:
                cache.end()
            print(f"seed {seed}: {policy}: {outcome or 'WRONG: ' + text}", flush=True)
            outcomes[outcome or "wrong"] += 1
        outcomes["wrong"] += sum(worker.poll() is not None for worker in workers)
    finally:
        cluster.doCleanups()
    print(f"{2 * arguments.runs} searches: {dict(outcomes)}")
    return 1 if outcomes["wrong"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", choices=["kills", "keys"], default="kills")
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, help="default 20; of keys 40")
    parser.add_argument("--kills", type=int, default=20, help="at most, in one search")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    os.environ["MAZURKA"] = str(arguments.mazurka.resolve())
    import machines

    if machines.REDIS is None:
        sys.exit("redis-server is not installed (Debian: redis-server)")
    arguments.runs = arguments.runs or (40 if arguments.what == "keys" else 20)
    if arguments.what == "keys":
        return lose_keys(arguments, machines)
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
