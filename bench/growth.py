#!/usr/bin/env python3
"""How the time of an execution grows with its events, and with the threads. Every technique for threads
explores growth/growth.c with more and more events, a few executions of it, and filesystem.c with more and
more threads. The techniques that are for other programs explore growth/messages.cpp (two pairs of actors with
a mailbox each), growth/actors.cpp (two actors that keep sending to themselves) and a chain: a network of two
automata, each with half of the transitions.

What is printed is the time per event (of the chain: per node) at the smallest and at the largest size, and the
exponent e of time ~ size^e that fits best (least squares of the logarithms). 1 is linear: no event costs
more because there are many. Times are those of the search, the least of several runs; sizes at which it is
so short that the repetitions of the first execution (is the program deterministic?) count are left out.

A run that takes longer than --limit seconds is ended, and larger sizes of the same are left out, as they are
when a size is refused; the last column says how far it got. Writes growth.csv.
"""

import argparse
import csv
import json
import math
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

FILESYSTEM = "filesystem"
MESSAGES, ACTORS, CHAIN = "messages", "actors", "chain"
SHAPES = ["first", "last", "spread", "objects", "writes", "adds", "locks", "barriers", "semaphores",
          "conditions", "readers", FILESYSTEM, MESSAGES, ACTORS, CHAIN]
TECHNIQUES = [
    "exhaustive", "sleep", "dpor", "source", "source-context", "optimal", "optimal-observers",
    "optimal-context", "optimal-context-observers", "bounded", "random", "pct", "reverse", "graphs",
]
OPTIONS = {"graphs": ["--memory", "rc11"]}  # of a technique
OTHER_TECHNIQUES = {  # of programs without threads
    MESSAGES: ["optimal", "unfolding"],
    ACTORS: ["optimal", "trans", "unfolding"],
    CHAIN: ["stateful:full+sleep", "stateful:pifs", "stateful:closure"],
}
EVENTS = [1000, 4000, 16000, 64000, 200000, 400000]
LETTERS = [1000, 4000, 16000, 60000]
STEPS = [1000, 4000, 16000, 60000]
THREADS = [14, 16, 18, 20, 22, 24]
SHORT = 0.02  # seconds
SHORT_CHAIN = 0.002  # its first execution is not repeated
LONG = 1  # seconds: not measured again

COLUMNS = [("program", 12), ("technique", 26), ("exponent", 9), ("first ns", 9), ("last ns", 9), ("up to", 7)]


class Failure(Exception):
    pass


def perform(command, directory, timeout, good):
    command = list(map(str, command))
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False,
                          timeout=timeout)
    if done.returncode not in good:
        raise Failure(f"$ {shlex.join(command)}\n{done.stdout}{done.stderr}")


def compiled(arguments, source, flags, directory, compiler="mazurka-cc"):
    """The program, built once for all runs."""
    binary = pathlib.Path(directory) / "-".join([source.stem, *flags]).replace("=", "")
    compiler = arguments.mazurka.resolve().parent / compiler
    perform([compiler, "-O1", source, *flags, "-o", binary], directory, None, (0,))
    return binary


def compiled_actors(arguments, directory):
    binary = pathlib.Path(directory) / ACTORS
    home = arguments.mazurka.resolve().parent.parent
    perform(["c++", "-std=c++20", "-O1", HERE / "growth/actors.cpp", "-I", home / "include", "-o", binary,
             "-L", home / "lib", "-lmazurka-actors", f"-Wl,-rpath,{home / 'lib'}"], directory, None, (0,))
    return binary


def chain(size):
    """A network of two clients that take half of the steps each by themselves, and then one with a server."""
    clients = {client: [f"{client}{at}" for at in range(size // 2)] + [f"{client}_last"] for client in "ab"}
    lines = ["system:chain", *(f"event:{action}" for actions in clients.values() for action in actions)]
    for client, actions in clients.items():
        lines += [f"process:{client}{{kind: client}}", f"location:{client}:0{{initial:}}"]
        lines += [f"location:{client}:{at + 1}" for at in range(len(actions))]
        lines += [f"edge:{client}:{at}:{at + 1}:{action}" for at, action in enumerate(actions)]
    lines += ["process:common{kind: server}", "location:common:0{initial:}", "location:common:1",
              "location:common:2"]
    lines += [f"edge:common:{at}:{at + 1}:{client}_last" for client in clients for at in range(2)]
    lines += [f"sync:{client}@{client}_last:common@{client}_last" for client in clients]
    return "\n".join(lines) + "\n"


def search(arguments, technique, file):
    """(seconds, nodes) of a stateful search; None if it takes too long."""
    report = file.with_suffix(".json")
    report.unlink(missing_ok=True)
    command = [arguments.mazurka.resolve(), "check", file, "--variant", technique.partition(":")[2],
               "--jobs", "1"]
    command += ["--json", report, "--progress", "never", "--max-time", f"{arguments.limit}s"]
    try:
        perform(command, file.parent, 2 * arguments.limit, (0, 3))
    except subprocess.TimeoutExpired:
        return None
    found = json.loads(report.read_text())
    if found["verdict"] != "verified":
        return None
    return found["stateful"]["cpu_seconds"], found["stateful"]["nodes"]


def explore(arguments, technique, binary, options=(), words=()):
    """(seconds, events) of a few executions; None if they take too long, or are refused."""
    report = binary.with_suffix(".json")
    report.unlink(missing_ok=True)
    command = [arguments.mazurka.resolve(), "check", binary, *options, "--technique", technique]
    command += ["--json", report, "--progress", "never", "--max-events", 1000000]
    command += ["--max-executions", arguments.executions, "--max-time", f"{arguments.limit}s"]
    if binary.name != ACTORS:  # their search is never saved
        command += ["--save-every", "1h"]
    try:
        perform([*command, "--", *words], binary.parent, 2 * arguments.limit, (0, 3))
    except subprocess.TimeoutExpired:
        return None
    except Failure as failure:
        if "is not supported" in str(failure):  # so many events on one variable
            return None
        raise
    found = json.loads(report.read_text())
    if "--max-time" in found.get("reason", "") or not found["events"]:
        return None
    return found["seconds"], found["events"]


def least(run, times):
    """The fastest of several runs that do the same."""
    first = run()
    if first is None or first[0] > LONG:
        return first
    return min([first, *(again for again in (run() for _ in range(times - 1)) if again)])


def exponent(points):
    """The slope of the logarithms of (size, time)."""
    points = [(math.log(size), math.log(time)) for size, time in points]
    middle = [sum(values) / len(points) for values in zip(*points)]
    above = sum((x - middle[0]) * (y - middle[1]) for x, y in points)
    return above / sum((x - middle[0]) ** 2 for x, _ in points)


def measure(name, technique, sizes, run, short=SHORT):
    """A row of the table: what is measured at each size is the time per event, times the size."""
    points, reached = [], "all"
    for size in sizes:
        result = least(lambda size=size: run(size), 3)
        if result is None:
            reached = f"< {size}"
            break
        seconds, events = result
        if seconds >= short:
            points.append((size, seconds / events * 1e9))
    row = {"program": name, "technique": technique, "exponent": "", "first ns": "", "last ns": "",
           "up to": reached}
    if points:
        row["first ns"], row["last ns"] = (f"{points[at][1]:.0f}" for at in (0, -1))
    if len(points) > 1:
        row["exponent"] = f"{exponent([(size, size * time) for size, time in points]):.2f}"
    return row


def show(row):
    cells = [str(row[name]).ljust(width) if at < 2 else str(row[name]).rjust(width)
             for at, (name, width) in enumerate(COLUMNS)]
    print(" ".join(cells).rstrip(), flush=True)


def other_rows(arguments, directory):
    """Of programs without threads."""
    programs = {}
    if MESSAGES in arguments.shape:
        programs[MESSAGES] = compiled(arguments, HERE / "growth/messages.cpp", [], directory, "mazurka-c++")
    if ACTORS in arguments.shape:
        programs[ACTORS] = compiled_actors(arguments, directory)
    for shape, program in programs.items():
        for technique in OTHER_TECHNIQUES[shape]:
            def run(size, technique=technique, program=program):
                return explore(arguments, technique, program, words=[size])
            sizes = arguments.events if (shape, technique) == (MESSAGES, "optimal") else LETTERS
            if not arguments.technique or technique in arguments.technique:
                yield measure(shape, technique, sizes, run)
    for technique in OTHER_TECHNIQUES[CHAIN] if CHAIN in arguments.shape else []:
        def run(size, technique=technique):
            file = pathlib.Path(directory) / "chain.tck"
            file.write_text(chain(size))
            return search(arguments, technique, file)
        if not arguments.technique or technique in arguments.technique:
            yield measure(CHAIN, technique, STEPS, run, SHORT_CHAIN)


def rows(arguments, directory):
    yield from thread_rows(arguments, directory)
    yield from other_rows(arguments, directory)


def thread_rows(arguments, directory):
    techniques = [one for one in TECHNIQUES if not arguments.technique or one in arguments.technique]
    program = compiled(arguments, HERE / "growth/growth.c", [], directory)
    for shape in arguments.shape:
        if shape == FILESYSTEM or shape in OTHER_TECHNIQUES:
            continue
        for technique in techniques:
            def run(size, shape=shape, technique=technique):
                return explore(arguments, technique, program, OPTIONS.get(technique, ()), [shape, size])
            yield measure(shape, technique, arguments.events, run)
    if FILESYSTEM not in arguments.shape:
        return
    programs = {size: compiled(arguments, HERE / "threads/filesystem.c", [f"-DN={size}"], directory)
                for size in THREADS}
    for technique in techniques:
        if technique in OPTIONS:
            continue  # it does not know --racy
        def run(size, technique=technique):
            return explore(arguments, technique, programs[size], ["--racy"])
        yield measure(FILESYSTEM, technique, THREADS, run)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True, help="the checker")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."),
                        help="folder for growth.csv")
    parser.add_argument("--technique", action="append", help="default: all")
    parser.add_argument("--shape", action="append", choices=SHAPES, help="default: all")
    parser.add_argument("--events", type=int, nargs="+", default=EVENTS, help="sizes")
    parser.add_argument("--limit", type=int, default=20, help="seconds per run")
    parser.add_argument("--executions", type=int, default=10, help="at most, per run")
    arguments = parser.parse_args()
    arguments.shape = arguments.shape or SHAPES
    arguments.output.mkdir(parents=True, exist_ok=True)
    show({name: name for name, _ in COLUMNS})
    with (arguments.output / "growth.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, [name for name, _ in COLUMNS])
        writer.writeheader()
        try:
            with tempfile.TemporaryDirectory() as directory:
                for row in rows(arguments, directory):
                    show(row)
                    writer.writerow(row)
        except Failure as failure:
            print(failure, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
