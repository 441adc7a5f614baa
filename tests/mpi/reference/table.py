#!/usr/bin/env python3
"""How many matchings small programs have, counted by brute force: the numbers that docs/mpi.md and
the tests of the checker state. (all, of which deadlocks), without and with zero buffering.
"""

import math
import sys

from machine import Machine
from program import ANY, value_of


def numbered(*ranks):
    """With values in messages."""
    def one(r, at, operation):
        sends = operation[0] in ("send", "isend")
        return (*operation, value_of(r, at)) if sends else operation

    return tuple(tuple(one(r, at, op) for at, op in enumerate(ops)) for r, ops in enumerate(ranks))


def send(to, tag=0, mode="std"):
    return ("send", mode, to, tag)


def recv(source=ANY, tag=0):
    return ("recv", source, tag)


def rows():
    for n in (2, 3):
        senders = [[send(0)]] * n
        wild = numbered([recv()] * n, *senders)
        yield f"{n} senders, recv(*)", wild, math.factorial(n), 0, math.factorial(n), 0
        posted = [("irecv", ANY, 0)] * n + [("wait", at) for at in range(n)]
        yield f"{n} senders, Irecv(*)", numbered(posted, *senders), *(math.factorial(n), 0) * 2
        probing = [("probe", ANY, 0), ("take",)] * n
        yield f"{n} senders, Probe(*)", numbered(probing, *senders), *(math.factorial(n), 0) * 2
        named = [("irecv", source, 0) for source in range(1, n + 1)]
        named += [("waitany", *range(n))] * n
        yield f"{n} senders, Waitany", numbered(named, *senders), *(math.factorial(n), 0) * 2
        order = [recv(source) for source in range(1, n + 1)]
        yield f"{n} senders, named", numbered(order, *senders), 1, 0, 1, 0
    yield "2 senders of 2", numbered([recv()] * 4, *[[send(0)] * 2] * 2), 6, 0, 6, 0
    yield "2 senders of 3", numbered([recv()] * 6, *[[send(0)] * 3] * 2), 20, 0, 20, 0
    both = numbered([recv(), recv(1)], [send(0)], [send(0)])
    yield "recv(*), recv(1)", both, 2, 1, 2, 1
    tags = [("irecv", 1, 1), ("irecv", 1, ANY), ("wait", 0), ("wait", 1)]
    yield "tags of one source", numbered(tags, [send(0, 1), send(0, 2)]), 1, 0, 1, 0
    waiting = [("irecv", ANY, 0), recv(2), send(2), recv(), ("wait", 0)]
    other = [send(0), recv(0), send(0)]
    yield "Irecv(*), recv(2)", numbered(waiting, [send(0)], other), 2, 1, 2, 1
    yield "head to head", numbered([send(1), recv(1)], [send(0), recv(0)]), 1, 0, 1, 1
    loud = numbered([send(1, 0, "sync"), recv(1)], [send(0, 0, "sync"), recv(0)])
    yield "head to head, Ssend", loud, 1, 1, 1, 1
    chain = numbered([recv(), recv()], [send(0), send(2)], [recv(1), send(0)])
    yield "a chain of two", chain, 2, 0, 1, 0
    two = numbered([recv(), recv()], [recv(), recv()], [send(0), send(1)], [send(0), send(1)])
    yield "two receivers", two, 4, 0, 4, 0
    test = numbered([("irecv", 1, 0), ("test", 0), ("wait", 0)], [send(0)])
    yield "Test once", test, 2, 0, 2, 0


def count(program, zero):
    machine = Machine(program, zero=zero)
    logs = {(outcome, tuple(rank.requests for rank in ranks)) for outcome, ranks in machine.endings}
    deadlocks = {one for one in logs if one[0][0] == "deadlock"}
    return len(logs), len(deadlocks)


def main():
    wrong = 0
    for name, program, *expected in rows():
        got = [*count(program, False), *count(program, True)]
        print(f"{name}: {got}" + ("" if got == expected else f", expected {expected}"))
        wrong += got != expected
    bcast = ("bcast", 1)
    late = numbered([recv(), bcast, recv()], [bcast, send(0)], [send(0), bcast])
    for loose, expected in ((False, 1), (True, 2)):
        got = len(Machine(late, loose=loose).outcomes)
        print(f"Bcast between receives, {'loose' if loose else 'sync'}: {got}")
        wrong += got != expected
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
