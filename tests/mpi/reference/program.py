"""Abstract MPI programs: a list of operations per rank, and random ones.

An operation is a tuple, its kind first. `value` is what a message carries; each operation that sends
has a value of its own, so what was received says which message it was. ANY is the wildcard of
sources and tags. Tags from OTHER on are those of another communicator, less OTHER; ANY_OTHER is any of
its tags. Requests are named by the index of the operation that made them.

  ("send", mode, destination, tag, value)    mode: "std", "sync" or "buf"
  ("isend", mode, destination, tag, value)
  ("recv", source, tag)
  ("irecv", source, tag)
  ("sendrecv", destination, tag, value, source, tag)
  ("wait", request, ...)                     all of them
  ("waitany", request, ...)
  ("waitsome", request, ...)
  ("test", request)
  ("testall", request, ...) ("testany", request, ...) ("testsome", request, ...)
  ("cancel", request)                        of a receive
  ("probe", source, tag)                     remembers the message's source and tag ...
  ("take",)                                  ... for this receive
  ("iprobe", source, tag)
  ("barrier",) ("bcast", root) ("reduce", root) ("allreduce",)
  ("ibarrier",)
  ("skip", modulus, residue, n)              jumps over n operations if the last value seen is such

A program's text is what the interpreter in C reads: ranks between slashes, operations between
commas, words between dots.
"""

import random

ANY = -1
OTHER = 1000
ANY_OTHER = -2
FIRST_VALUE = 1
VALUES_PER_RANK = 20


def value_of(rank, index):
    return FIRST_VALUE + rank * VALUES_PER_RANK + index


def encode(program):
    def operation(words):
        return ".".join(str(word) for word in words)

    return "/".join(",".join(operation(one) for one in rank) or "none" for rank in program)


def decode(text):
    def word(token):
        return int(token) if token.lstrip("-").isdigit() else token

    def operations(rank):
        return [] if rank == "none" else [
            tuple(word(token) for token in one.split(".")) for one in rank.split(",")
        ]

    return tuple(tuple(operations(rank)) for rank in text.split("/"))


def kinds(program):
    return {one[0] for rank in program for one in rank}


class Generator:
    """Random programs. Most messages have a receive that was made for them, so that many programs
    come to their end; wildcards, orders and what is left out by chance make the rest."""

    def __init__(self, seed, collectives=True, tests=True):
        self.random = random.Random(seed)
        self.collectives = collectives
        self.tests = tests

    def program(self):
        self.ranks = self.random.choice((2, 3, 3, 3, 4))
        self.plan = [[] for _ in range(self.ranks)]
        self.tags = self.random.choice((1, 1, 2))
        self.wild = self.random.choice((0.2, 0.6, 0.9))
        self.others = self.random.random() < 0.2  # whether there is another communicator
        self.hot = 0.7 if self.random.random() < 0.6 else 0.0  # how often rank 0 receives
        for _ in range(self.random.randint(2, 6 if self.ranks < 4 else 5)):
            self.add_message()
        if self.random.random() < 0.1:
            self.drop_one()
        if self.collectives:
            self.add_collectives()
        return tuple(self.finished(rank) for rank in range(self.ranks))

    def add_message(self):
        source, destination = self.random.sample(range(self.ranks), 2)
        if destination != 0 and self.random.random() < self.hot:
            source, destination = destination, 0
        tag = self.random.randrange(self.tags)
        if self.others and self.random.random() < 0.4:
            tag += OTHER
        if self.random.random() < 0.1:
            self.insert(source, [self.swapping(destination, tag)])
            self.insert(destination, [self.swapping(source, tag)])
            return
        self.insert(source, [self.sending(destination, tag)])
        self.insert(destination, self.receiving(source, tag))

    def swapping(self, other, tag):
        source = ANY if self.random.random() < self.wild / 2 else other
        return ("sendrecv", other, tag, 0, source, tag)

    def insert(self, rank, operations):
        """Mostly behind what is there: programs that are shuffled entirely deadlock at once."""
        plan = self.plan[rank]
        at = len(plan) if self.random.random() < 0.85 else self.random.randint(0, len(plan))
        plan.insert(at, operations)

    def sending(self, destination, tag):
        mode = self.random.choice(("std", "std", "std", "std", "sync", "buf"))
        return (self.random.choice(("send", "send", "isend")), mode, destination, tag, 0)

    def receiving(self, source, tag):
        if self.random.random() < self.wild:
            source = ANY
        if self.random.random() < 0.2:
            tag = ANY if tag < OTHER else ANY_OTHER
        kind = self.random.random()
        if kind < 0.5:
            return [("recv", source, tag)]
        if kind < 0.85:
            return [("irecv", source, tag)]
        if kind < 0.93 or not self.tests:
            return [("probe", source, tag), ("take",)]
        return [("iprobe", source, tag), ("recv", source, tag)]

    def drop_one(self):
        plan = self.random.choice(self.plan)
        if plan:
            plan.pop(self.random.randrange(len(plan)))

    def add_collectives(self):
        for _ in range(self.random.choice((0, 0, 0, 1, 1, 2))):
            kind = self.random.choice(("barrier", "bcast", "reduce", "allreduce", "ibarrier"))
            rooted = kind in ("bcast", "reduce")
            one = (kind, self.random.randrange(self.ranks)) if rooted else (kind,)
            for rank in range(self.ranks):
                self.insert_collective(rank, one)

    def insert_collective(self, rank, one):
        """In the same order everywhere: behind the collectives that are there."""
        plan = self.plan[rank]
        last = max((at for at, block in enumerate(plan) if block[0][0] in COLLECTIVES), default=-1)
        plan.insert(self.random.randint(last + 1, len(plan)), [one])

    def finished(self, rank):
        """With requests waited for, branches, and the values and indices that belong there."""
        operations = []
        for block in self.plan[rank]:
            if self.random.random() < 0.12 and block[0][0] not in COLLECTIVES:
                operations.append(("skip", 2, self.random.randrange(2), len(block)))
            operations += block
            self.maybe_complete(operations)
        requests = open_requests(operations)
        if requests and self.random.random() < 0.9:
            operations.append(("wait", *requests))
        return tuple(
            with_value(one, value_of(rank, index)) for index, one in enumerate(operations)
        )

    def maybe_complete(self, operations):
        requests = open_requests(operations)
        if not requests or self.random.random() < 0.6:
            return
        kind = self.random.random()
        if kind < 0.5:
            operations.append(("wait", self.random.choice(requests)))
        elif kind < 0.8:
            operations.append(("waitany", *requests))
        elif self.tests:
            operations.append(self.testing(operations, requests))

    def testing(self, operations, requests):
        kind = self.random.choice(("test", "test", *TESTS_OF_REQUESTS))
        if kind == "test":
            return ("test", self.random.choice(requests))
        receives = [one for one in requests if operations[one][0] == "irecv"]
        if kind == "cancel":
            return (kind, self.random.choice(receives)) if receives else ("testall", *requests)
        return (kind, *requests)


TESTS_OF_REQUESTS = ("test", "testall", "testany", "testsome", "waitsome", "cancel")
TESTS = {*TESTS_OF_REQUESTS, "iprobe"}
ASKING = ("wait", "waitany", *TESTS_OF_REQUESTS)
COLLECTIVES = ("barrier", "bcast", "reduce", "allreduce", "ibarrier")


def open_requests(operations):
    made = [at for at, one in enumerate(operations) if one[0] in ("isend", "irecv", "ibarrier")]
    waited = {request for one in operations if one[0] == "wait" for request in one[1:]}
    return [request for request in made if request not in waited]


def with_value(one, value):
    if one[0] in ("send", "isend"):
        return (*one[:4], value)
    if one[0] == "sendrecv":
        return (*one[:3], value, *one[4:])
    return one
