#!/usr/bin/env python3
"""Random programs of one-sided operations: what the checker finds, against brute force.

    windows.py --mazurka build/bin/mazurka --programs 200 [--first N] [--seed S]
    windows.py --mazurka build/bin/mazurka --text 'add.0.1,flush/fadd.0.1'

Brute force goes through all states: an update that a rank has asked for happens at any moment until
the rank flushes, those of one rank to one place in order; locks are granted in any order. What the ranks
see, and what is left in the windows, must be the same for both. Half of the programs have no conflicting accesses:
at places 0 and 1 of the first window there are sums, at 2 and 3 replacements, and the second window is locked. The
others also put, get, load and store in the first window. If in some state one of these begins while another,
in conflict with it, is not flushed, the checker must find a data race, and otherwise none.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PLACES = 4
UPDATES = ("add", "fadd", "swap", "read", "cas")
RACE = "race"
MOST_STATES = 150_000


class TooManyStates(Exception):
    pass


def encode(program):
    return "/".join(",".join(".".join(map(str, one)) for one in rank) for rank in program)


def decode(text):
    def operation(word):
        kind, *numbers = word.split(".")
        return (kind, *map(int, numbers))
    return [[operation(word) for word in rank.split(",") if word] for rank in text.split("/")]


# --- programs -------------------------------------------------------------------------------------

def random_update(rng):
    kind = rng.choice(UPDATES)
    if kind in ("add", "fadd"):
        return (kind, rng.choice((0, 0, 1)), rng.randrange(1, 4))
    if kind == "read":
        return (kind, rng.choice((0, 0, 1, 2, 2, 3)))
    place = rng.choice((2, 2, 3))
    return (kind, place, rng.randrange(1, 4)) + ((rng.randrange(3),) if kind == "cas" else ())


def random_access(rng, rank):
    place = rng.choice((0, 0, 1, 2))
    kind = rng.choice(("wput", "wget", "load", "store") if rank == 0 else ("wput", "wget"))
    return (kind, place) + ((rng.randrange(1, 9),) if kind in ("wput", "store") else ())


def random_section(rng):
    shared = rng.random() < 0.4
    yield ("lock", int(shared))
    for _ in range(rng.randrange(1, 3)):
        # One access per place: two of one rank in one epoch would be in conflict.
        place = rng.choice((0, 0, 1))
        yield ("get", place) if shared or rng.random() < 0.4 else ("put", place, rng.randrange(1, 9))


def random_program(seed):
    rng = random.Random(seed)
    accesses = 0.3 * (seed % 2)
    ranks = rng.choice((2, 2, 3))
    program = [[] for _ in range(ranks)]
    for _ in range(rng.randrange(4, 11 if ranks == 2 else 9)):
        rank = rng.randrange(ranks)
        what = rng.random()
        if rng.random() < accesses:
            program[rank].append(random_access(rng, rank))
        elif what < 0.55:
            program[rank].append(random_update(rng))
        elif what < 0.7:
            program[rank].append(("flush",))
        elif what < 0.85:
            section = list(random_section(rng))
            seen = {one[1]: one for one in section[1:]}
            program[rank] += [section[0], *seen.values(), ("unlock",)]
        else:
            other = rng.choice([one for one in range(ranks) if one != rank])
            program[rank].append(("send", other))
            program[other].append(("recv", rank))
    return program


# --- brute force ----------------------------------------------------------------------------------

def is_in_conflict(one, other):
    """Two kinds of accesses to one place."""
    reads = ("wget", "load")
    return not ((one in UPDATES and other in UPDATES) or (one in reads and other in reads))


def replaced(values, at, value):
    return values[:at] + (value,) + values[at + 1:]


class Machine:
    """A state: per rank (next operation, what it has asked for, what it has seen), memory, lock, messages."""

    def __init__(self, program):
        self.program = program
        self.outcomes = set()
        ranks = len(program)
        start = (((0, (), ()),) * ranks, (0,) * PLACES, (0,) * PLACES, ((), ()), ())
        known = {start}
        stack = [start]
        while stack:
            state = stack.pop()
            following = list(self.steps(state))
            if not following:
                self.end(state)
            for one in following:
                if one not in known:
                    known.add(one)
                    stack.append(one)
            if len(known) > MOST_STATES:
                raise TooManyStates

    def end(self, state):
        ranks, atomics, locked, _, _ = state
        if any(at < len(self.program[rank]) for rank, (at, _, _) in enumerate(ranks)):
            self.outcomes.add("deadlock")
            return
        logs = [list(seen) for _, _, seen in ranks]
        logs[0] += [*atomics, *locked]
        self.outcomes.add("saw " + "/".join(".".join(map(str, log)) for log in logs))

    def look_for_conflict(self, ranks, kind, place):
        for _, asked, _ in ranks:
            if any(one[1] == place and is_in_conflict(one[0], kind) for one in asked):
                self.outcomes.add(RACE)

    def steps(self, state):
        for rank in range(len(self.program)):
            yield from self.updates(state, rank)
            yield from self.moves(state, rank)

    @staticmethod
    def updates(state, rank):
        """An update happens that the rank has asked for: (kind, place, values, result)."""
        ranks, atomics, locked, lock, messages = state
        at, asked, seen = ranks[rank]
        for nth, one in enumerate(asked):
            if one[3] is not None or any(e[3] is None and e[1] == one[1] for e in asked[:nth]):
                continue
            kind, place, values, _ = one
            old = atomics[place]
            new = {"add": lambda: old + values[0], "fadd": lambda: old + values[0],
                   "swap": lambda: values[0], "read": lambda: old,
                   "cas": lambda: values[0] if old == values[1] else old}[kind]()
            done = replaced(asked, nth, (kind, place, values, old))
            yield (replaced(ranks, rank, (at, done, seen)), replaced(atomics, place, new), locked,
                   lock, messages)

    def moves(self, state, rank):
        ranks, atomics, locked, (owner, sharers), messages = state
        at, asked, seen = ranks[rank]
        operations = self.program[rank]
        kind, *words = operations[at] if at < len(operations) else ("end",)
        if at > len(operations):
            return
        new_asked, new_seen = asked, seen
        if kind in (*UPDATES, "wput", "wget", "load", "store"):
            self.look_for_conflict(ranks, kind, words[0])
        if kind == "wput":
            new_asked = asked + ((kind, words[0], (), 0),)
        elif kind == "wget":
            new_asked = asked + ((kind, words[0], (), atomics[words[0]]),)
        elif kind == "load":
            new_seen = seen + (atomics[words[0]],)
        if kind in ("wput", "store"):
            atomics = replaced(atomics, words[0], words[1])
        if kind in UPDATES:
            new_asked = asked + ((kind, words[0], tuple(words[1:]), None),)
        elif kind == "get":
            new_asked = asked + (("get", -1 - words[0], (), locked[words[0]]),)
        elif kind == "put":
            locked = replaced(locked, words[0], words[1])
        elif kind == "lock":
            if owner or (sharers and not words[0]):
                return
            owner, sharers = (owner, sharers + (rank,)) if words[0] else ((rank,), sharers)
        elif kind == "send":
            messages = tuple(sorted(messages + ((rank, words[0]),)))
        elif kind == "recv":
            if (words[0], rank) not in messages:
                return
            place = messages.index((words[0], rank))
            messages = messages[:place] + messages[place + 1:]
        if kind in ("flush", "unlock", "end"):
            if any(one[3] is None for one in asked):
                return
            if kind == "unlock":
                owner, sharers = (), tuple(one for one in sharers if one != rank)
            new_seen = seen + tuple(one[3] for one in asked if one[0] not in ("add", "wput"))
            new_asked = ()
        yield (replaced(ranks, rank, (at + 1, new_asked, new_seen)), atomics, locked,
               (owner, sharers), messages)


# --- the checker ----------------------------------------------------------------------------------

def checked(arguments, binary, program):
    """The outcomes, or what is wrong."""
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.json"
        command = [arguments.mazurka, "check", binary, "--ranks", len(program), "--buffering",
                   "infinite", "--technique", arguments.technique, "--keep-going", "--shorten", "off",
                   "--json", report, "--", encode(program)]
        done = subprocess.run(list(map(str, command)), cwd=scratch, capture_output=True, text=True,
                              timeout=300, check=False)
        if not report.exists():
            return None, done.stdout + done.stderr
        found = json.loads(report.read_text())
    outcomes = set()
    for finding in found["findings"]:
        if finding["kind"] == "assertion":
            outcomes.add(re.search(r"saw [-\d./]*", finding["message"])[0])
        elif finding["kind"] == "deadlock":
            outcomes.add("deadlock")
        elif finding["kind"] == "data race":
            outcomes.add(RACE)
        else:
            return None, f"{finding['kind']}: {finding['message']}"
    if found["verdict"] != "finding":
        return None, found["verdict"] + ": " + found["reason"]
    return outcomes, ""


def difference(arguments, binary, program):
    expected = Machine(program).outcomes
    seen, problem = checked(arguments, binary, program)
    if seen is None:
        return problem
    if RACE in expected and RACE in seen:
        return ""
    wrong = [f"missing: {one}" for one in sorted(expected - seen)]
    return "\n".join(wrong + [f"impossible: {one}" for one in sorted(seen - expected)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=lambda path: pathlib.Path(path).resolve(), required=True)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--text", help="this program alone")
    parser.add_argument("--technique", default="optimal")
    arguments = parser.parse_args()
    compared = left_out = different = several = racing = 0
    with tempfile.TemporaryDirectory() as scratch:
        binary = pathlib.Path(scratch) / "windows"
        compiler = arguments.mazurka.parent / "mazurka-mpicc"
        subprocess.run([compiler, "-g", "-D_GNU_SOURCE", HERE / "windows.c", "-o", binary], check=True)
        numbers = range(arguments.first, arguments.first + arguments.programs)
        for number in [0] if arguments.text else numbers:
            program = (decode(arguments.text) if arguments.text
                       else random_program(arguments.seed * 1000003 + number))
            try:
                expected = Machine(program).outcomes
                racing += RACE in expected
                several += RACE not in expected and len(expected) > 1
                wrong = difference(arguments, binary, program)
            except TooManyStates:
                left_out += 1
                continue
            compared += 1
            if wrong:
                different += 1
                print(f"program {number}: {encode(program)}\n{wrong}", flush=True)
            if different == 5:
                break
    print(f"{compared} programs compared, {several} with several outcomes, {racing} with races, "
          f"{left_out} left out, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
