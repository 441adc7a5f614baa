#!/usr/bin/env python3
"""Random MPI programs: what the checker finds, against brute force.

    compare.py --mazurka build/bin/mazurka --programs 200 [--first N] [--seed S]
    compare.py --mazurka build/bin/mazurka --text 'send.std.1.0.1/recv.-1.0'
    compare.py --mazurka build/bin/mazurka --programs 200 --together 50
                        programs without deadlocks, so many in one search, which chooses
    compare.py --mpiexec mpiexec --programs 100       what a real MPI does must be possible

Every program is checked with both bufferings. The outcomes must be the same: what each rank has seen,
or where each rank waits for ever. Programs with tests or nonblocking probes must have at least the
outcomes of matches and tests that succeed at once, and at most those of matches that come as late
as can be and tests that fail without a reason (machine.py). Where
every request is waited for, nothing can deadlock and nothing is tested, there must be exactly
one execution per matching. A program that differs is made smaller and printed.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from machine import Deadlock, Machine, TooManyStates
from program import ASKING, COLLECTIVES, TESTS, Generator, decode, encode, kinds, open_requests

HERE = pathlib.Path(__file__).resolve().parent
BUFFERINGS = ("infinite", "zero")


def hash_of(text):
    """As the interpreter has it: FNV-1a, 32 bits."""
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return value


def text_of(outcome):
    if outcome[0] == "end":
        return "saw " + "/".join(".".join(map(str, log)) for log in outcome[1])
    return "deadlock " + "/".join(map(str, outcome[1]))


class Expected:
    """What brute force finds."""

    def __init__(self, program, buffering, collectives, deadlocks=True):
        options = {"zero": buffering == "zero", "loose": collectives == "loose"}
        options["deadlocks"] = deadlocks
        late = Machine(program, **options)
        self.most = {text_of(one) for one in late.outcomes}
        self.least = self.most
        self.matchings = len(late.endings)
        self.is_countable = not kinds(program) & TESTS and is_all_waited_for(program)
        self.is_countable &= not any(one.startswith("deadlock") for one in self.most)
        if kinds(program) & TESTS:
            early = Machine(program, eager=True, **options)
            self.least = {text_of(one) for one in early.outcomes}


def is_all_waited_for(program):
    return all(not open_requests(operations) for operations in program)


class Checked:
    """What the checker finds: a failed assertion per outcome, and deadlocks."""

    def __init__(self, arguments, interpreter, programs, buffering, expected=()):
        """With what is expected of each, outcomes that are are only counted."""
        self.several = len(programs) > 1
        texts = [encode(one) for one in programs]
        for at, one in enumerate(expected):
            texts[at] = ".".join(str(hash_of(text)) for text in one.most) + "=" + texts[at]
        with tempfile.TemporaryDirectory() as scratch:
            report = pathlib.Path(scratch) / "report.json"
            command = [arguments.mazurka, "check", interpreter, "--ranks", len(programs[0])]
            command += ["--buffering", buffering, "--collectives", arguments.collectives]
            command += ["--technique", arguments.technique, "--keep-going", "--shorten", "off"]
            command += shlex.split(arguments.options)
            command += ["--json", report, "--", ";".join(texts)]
            done = subprocess.run(list(map(str, command)), cwd=scratch, capture_output=True,
                                  text=True, timeout=arguments.timeout * len(programs), check=False)
            self.output = done.stdout + done.stderr
            self.outcomes = set()
            self.executions = 0
            self.partial = False
            self.problem = "" if report.exists() else f"exit code {done.returncode}: {self.output}"
            if report.exists():
                self.read(json.loads(report.read_text()), programs)

    def read(self, report, programs):
        statistics = report["statistics"]
        self.executions = statistics["executions"] - statistics["repeated"]
        self.expected = statistics["ended_by_assumption"]
        self.partial = "the search ended early" in report["reason"]
        only_expected = "no execution met the assumptions" in report["reason"]
        if report["verdict"] in ("inconclusive", "error") and not self.partial | only_expected:
            self.problem = report["verdict"] + ": " + report["reason"]
        for finding in report["findings"]:
            if finding["kind"] == "assertion" and "saw " in finding["message"]:
                self.outcomes.add(re.search(r"(\d+ )?saw [-\d./]*", finding["message"])[0])
            elif finding["kind"] == "deadlock" and not self.several:
                self.outcomes.add(where_all_wait(finding, programs[0]))
            else:
                self.problem = f"{finding['kind']}: {finding['message']}"


def first_line_of_operations():
    lines = (HERE / "interpreter.c").read_text().splitlines()
    return 2 + next(at for at, line in enumerate(lines) if line.endswith("// BEGIN_OF_OPERATIONS"))


def where_all_wait(finding, program):
    """From the lines of the interpreter: every rank that is not at one of them is at its end."""
    first = first_line_of_operations()
    places = [len(operations) for operations in program]
    for ending in finding["story"]["endings"]:
        rank = re.match(r"rank (\d+)", ending)
        line = re.search(r"interpreter\.c:(\d+)", ending)
        if rank and line and 0 <= int(line[1]) - first < places[int(rank[1])]:
            places[int(rank[1])] = int(line[1]) - first
    return "deadlock " + "/".join(map(str, places))


def difference(arguments, interpreter, program, buffering):
    """What is wrong with the checker's answer, or nothing."""
    expected = Expected(program, buffering, arguments.collectives)
    seen = Checked(arguments, interpreter, [program], buffering)
    if "not supported" in seen.problem:  # honest, and counted
        return "left out"
    if seen.problem:
        return seen.problem
    if seen.partial and not kinds(program) & TESTS:
        return "inconclusive without a test"
    missing = set() if seen.partial and not arguments.strict else expected.least - seen.outcomes
    wrong = [f"missing: {one}" for one in sorted(missing)]
    wrong += [f"impossible: {one}" for one in sorted(seen.outcomes - expected.most)]
    if expected.is_countable and not seen.partial and seen.executions != expected.matchings:
        wrong.append(f"{seen.executions} executions, {expected.matchings} matchings")
    return "\n".join(wrong)


def differences_together(arguments, interpreter, group, buffering):
    """Of programs with as many ranks each, without deadlocks; all of them countable, or none."""
    expected = [each.expected for each in group]
    programs = [each.program for each in group]
    if expected[0].is_countable:
        seen = Checked(arguments, interpreter, programs, buffering, expected)
        matchings = sum(one.matchings for one in expected)
        if not seen.problem and not seen.outcomes and seen.expected == matchings:
            return ""
    seen = Checked(arguments, interpreter, programs, buffering)
    if seen.problem:
        return seen.problem
    most, least = set(), set()
    for number, one in enumerate(expected):
        which = f"{number} " if seen.several else ""
        most |= {which + outcome for outcome in one.most}
        least |= {which + outcome for outcome in one.least}
    wrong = [f"missing: {one}" for one in sorted(least - seen.outcomes)]
    wrong += [f"impossible: {one}" for one in sorted(seen.outcomes - most)]
    matchings = sum(one.matchings for one in expected)
    if expected[0].is_countable and seen.executions != matchings:
        wrong.append(f"{seen.executions} executions, {matchings} matchings")
    if not wrong:
        return ""
    return "\n".join([*(f"{n}: {encode(one)}" for n, one in enumerate(programs)), *wrong])


Known = collections.namedtuple("Known", "program expected")


class Groups:
    """Programs that can be explored in one search, as soon as there are enough of them."""

    def __init__(self, size):
        self.size = size
        self.groups = collections.defaultdict(list)

    def add(self, buffering, program, expected):
        key = buffering, len(program), expected.is_countable
        self.groups[key].append(Known(program, expected))
        if len(self.groups[key]) == self.size:
            yield buffering, self.groups.pop(key)

    def rest(self):
        for (buffering, *_), group in self.groups.items():
            yield buffering, group


def compare_together(arguments, interpreter):
    counts = collections.Counter(searches=0, comparisons=0, different=0)

    def compare_group(buffering, group):
        counts["searches"] += 1
        counts["comparisons"] += len(group)
        wrong = differences_together(arguments, interpreter, group, buffering)
        if wrong:
            counts["different"] += 1
            print(f"{buffering}: {wrong}", flush=True)

    groups = Groups(arguments.together)
    for program in programs_without_deadlocks(arguments):
        for buffering, expected in program[1].items():
            for group in groups.add(buffering, program[0], expected):
                compare_group(*group)
        if counts["different"] >= arguments.max_failures:
            break
    for group in groups.rest():
        compare_group(*group)
    return counts


def programs_without_deadlocks(arguments):
    """So many of them, each with what brute force finds."""
    found = 0
    number = arguments.first
    while found < arguments.programs:
        program = random_program(arguments, number)
        number += 1
        try:
            expected = {one: Expected(program, one, arguments.collectives, deadlocks=False)
                        for one in BUFFERINGS}
        except (Deadlock, TooManyStates):
            continue
        found += 1
        yield program, expected


def smaller(program):
    """Programs with one operation less; requests of it are waited for no longer."""
    for nth in range(sum(one[0] in COLLECTIVES for one in program[0])):
        yield tuple(without(operations, nth) for operations in program)
    for r, operations in enumerate(program):
        for at in range(len(operations)):
            if operations[at][0] == "skip":
                continue
            yield program[:r] + (left_out(operations, at),) + program[r + 1:]


def without(operations, nth):
    """Without its n-th collective."""
    places = [at for at, one in enumerate(operations) if one[0] in COLLECTIVES]
    return left_out(operations, places[nth]) if nth < len(places) else operations


def left_out(operations, at):
    rest = operations[:at] + operations[at + 1:]
    return tuple(one for one in (renamed(one, at) for one in rest) if one is not None)


def renamed(one, gone):
    if one[0] == "skip":
        return None
    if one[0] not in ASKING:
        return one
    requests = [at - (at > gone) for at in one[1:] if at != gone]
    return (one[0], *requests) if requests else None


def is_sound(program):
    """Whether its waits name requests, and its collectives are the same everywhere."""
    makes = ("isend", "irecv", "ibarrier")
    together = {tuple(one for one in operations if one[0] in COLLECTIVES) for operations in program}
    return len(together) == 1 and all(
        request < len(operations) and operations[request][0] in makes
        for operations in program for one in operations if one[0] in ASKING
        for request in one[1:]
    )


def shrink(arguments, interpreter, program, buffering):
    while True:
        for candidate in smaller(program):
            if is_sound(candidate) and still_differs(arguments, interpreter, candidate, buffering):
                program = candidate
                break
        else:
            return program


def still_differs(arguments, interpreter, program, buffering):
    try:
        return difference(arguments, interpreter, program, buffering)
    except (TooManyStates, subprocess.TimeoutExpired):
        return False


def run_for_real(arguments, interpreter, program):
    """What a real MPI makes of it: small messages are buffered."""
    command = [arguments.mpiexec, "-n", str(len(program)), interpreter, encode(program)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=3, check=False)
    except subprocess.TimeoutExpired:
        return "deadlock"
    found = re.search(r"saw [-\d./]*", done.stdout)
    return found[0] if found else done.stdout + done.stderr


def compare_for_real(arguments, interpreter, program):
    possible = Expected(program, "infinite", "loose").most
    possible |= Expected(program, "infinite", "sync").most
    stuck = all(one.startswith("deadlock") for one in possible)
    if (stuck and arguments.skip_deadlocks) or not is_all_waited_for(program):
        return "left out"
    seen = run_for_real(arguments, interpreter, program)
    is_possible = any(one == seen or (seen == "deadlock" and one.startswith("deadlock"))
                      for one in possible)
    return "" if is_possible else f"impossible: {seen}, of {sorted(possible)}"


def build(arguments, scratch):
    binary = pathlib.Path(scratch) / "interpreter"
    if arguments.mpiexec:
        command = ["mpicc", "-w"]
    else:
        command = [pathlib.Path(arguments.mazurka).parent / "mazurka-mpicc", "-g"]
    command += [] if arguments.mpiexec else ["-fno-sanitize=thread"]  # only matching is of interest
    command += ["-D_GNU_SOURCE", HERE / "interpreter.c", "-o", binary]
    subprocess.run(list(map(str, command)), check=True)
    return binary


def compare(arguments, interpreter, number, program):
    """Lines to print, and what is to be counted."""
    counts = collections.Counter(programs=1)
    lines = []
    for buffering in BUFFERINGS if not arguments.mpiexec else ("infinite",):
        try:
            if arguments.mpiexec:
                wrong = compare_for_real(arguments, interpreter, program)
            else:
                wrong = difference(arguments, interpreter, program, buffering)
        except TooManyStates:
            wrong = "left out"
        except subprocess.TimeoutExpired:
            wrong = "it takes too long"
        if wrong == "left out":
            counts["left out"] += 1
            continue
        counts["comparisons"] += 1
        if not wrong:
            continue
        counts["different"] += 1
        lines.append(f"program {number}, {buffering}: {encode(program)}\n{wrong}")
        if arguments.shrink and not arguments.mpiexec:
            least = shrink(arguments, interpreter, program, buffering)
            wrong = difference(arguments, interpreter, least, buffering)
            lines.append(f"made smaller: {encode(least)}\n{wrong}")
    return lines, counts


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--mpiexec")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--text", help="this program alone")
    parser.add_argument("--collectives", default="sync", choices=("sync", "loose"))
    parser.add_argument("--technique", default="optimal")
    parser.add_argument("--timeout", type=int, default=120)
    parser.add_argument("--max-failures", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--together", type=int, default=0, help="so many programs in one search")
    parser.add_argument("--options", default="", help="more options for the checker")
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--skip-deadlocks", action="store_true", help="with --mpiexec")
    parser.add_argument("--no-tests", action="store_true", help="no tests, no nonblocking probes")
    parser.add_argument("--strict", action="store_true",
                        help="nothing may be missing, even if the checker says that it may be")
    parser.add_argument("--no-collectives", action="store_true")
    arguments = parser.parse_args()
    if bool(arguments.mazurka) == bool(arguments.mpiexec):
        parser.error("either --mazurka or --mpiexec")
    return arguments


def programs(arguments):
    if arguments.text:
        yield 0, decode(arguments.text)
        return
    for number in range(arguments.first, arguments.first + arguments.programs):
        yield number, random_program(arguments, number)


def random_program(arguments, number):
    seed = arguments.seed * 1000003 + number
    return Generator(seed, not arguments.no_collectives, not arguments.no_tests).program()


def main():
    arguments = parse()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        interpreter = build(arguments, scratch)
        if arguments.together:
            counts = compare_together(arguments, interpreter)
            print(", ".join(f"{count} {name}" for name, count in counts.items()))
            return 1 if counts["different"] else 0
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            def one(numbered):
                if counts["different"] >= arguments.max_failures:
                    return [], {}
                return compare(arguments, interpreter, *numbered)

            for lines, counted in pool.map(one, programs(arguments)):
                counts.update(counted)
                for line in lines:
                    print(line, flush=True)
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
