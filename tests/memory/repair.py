#!/usr/bin/env python3
"""--repair on lock-free structures: each order that is too weak is found, and what is suggested holds.

The programs are those of structures.py. With one order weakened, `mazurka check --repair` must suggest
orders with which the program is verified. That is then tried without it: the suggestion is written into
the source, compiled and checked. So is each part of it left out, and each part weakened, which must be a
finding. Where the order that was weakened is to be strengthened, it is to no more than it was.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from structures import Structure

VERIFIED, FINDING = 0, 1
ORDER = re.compile(r"memory_order::(\w+)")

# What each order promises: that it acquires, releases, and is sequentially consistent.
PROMISES = {"relaxed": set(), "acquire": {"a"}, "release": {"r"}, "acq_rel": {"a", "r"},
            "seq_cst": {"a", "r", "s"}}
# Those that an operation can have.
POSSIBLE = {"load": ("relaxed", "acquire", "seq_cst"), "store": ("relaxed", "release", "seq_cst")}


def is_weaker(one, other):
    return PROMISES[one] < PROMISES[other]


def weaker_ones(operation, order, least):
    """The strongest orders below `order` that the operation can have and that are not below `least`."""
    kind = "load" if "fails" in operation else operation.split(" ")[0]
    below = [one for one in POSSIBLE.get(kind, PROMISES)
             if is_weaker(one, order) and (one == least or is_weaker(least, one))]
    return [one for one in below if not any(is_weaker(one, other) for other in below)]


class Source:
    """A program in which every order is written out."""

    def __init__(self, structure, changed):
        orders = {**structure.orders, **changed}
        text = structure.source.read_text()
        self.names = [found[1] for found in ORDER.finditer(text)]  # as the structure calls them
        self.text = ORDER.sub(lambda found: f"memory_order::{orders.get(found[1], found[1])}", text)

    def number_of(self, change):
        """Which of the orders it is about: the first that follows its place, or the one after that."""
        line = int(change["place"].rsplit(":", 1)[1])
        lines = self.text.splitlines(keepends=True)
        begin = sum(map(len, lines[:line - 1])) + max(change["column"] - 1, 0)
        before = len(ORDER.findall(self.text[:begin]))
        return before + (1 if "that fails" in change["operation"] else 0)

    def with_orders(self, orders):
        """The text, with other orders at some places."""
        count = iter(range(len(self.names)))
        return ORDER.sub(lambda found: f"memory_order::{orders.get(next(count), found[1])}", self.text)


class Tools:
    def __init__(self, folder, scratch, optimise):
        self.folder = folder.resolve()
        self.scratch = pathlib.Path(scratch)
        self.optimise = optimise

    def check(self, text, *arguments):
        (self.scratch / "program.cpp").write_text(text)
        subprocess.run([self.folder / "mazurka-c++", "-std=c++20", self.optimise, "program.cpp", "-o", "program"],
                       check=True, cwd=self.scratch)
        return subprocess.run([self.folder / "mazurka", "check", "./program", "--json", "report.json", *arguments],
                              cwd=self.scratch, capture_output=True, text=True, check=False)

    def report(self):
        return json.loads((self.scratch / "report.json").read_text())


def problems_of(structure, name, order, tools):
    label = f"{structure.source.stem}: {name}={order}"
    source = Source(structure, {name: order})
    done = tools.check(source.text, "--repair")
    if done.returncode != FINDING:
        yield f"{label}: no finding\n{done.stdout}{done.stderr}"
        return
    repair = tools.report()["repair"]
    told = ", ".join("{place} {operation} {from} -> {to}".format(**one) for one in repair["changes"])
    print(f"{label} ({tools.optimise}): {repair['result']}, {repair['candidates']} candidates: {told}", flush=True)
    if repair["result"] != "verified" or not repair["minimal"] or not repair["changes"]:
        yield f"{label}: {repair}"
        return
    wanted = {source.number_of(change): change for change in repair["changes"]}
    for number, change in wanted.items():
        if ORDER.findall(source.text)[number] != change["from"]:
            yield f"{label}: there is no such order in the source: {change}"
            return
        if source.names[number] == name and PROMISES[change["to"]] > PROMISES[structure.orders[name]]:
            yield f"{label}: stronger than it was: {change}"
    orders = {number: change["to"] for number, change in wanted.items()}
    if tools.check(source.with_orders(orders)).returncode != VERIFIED:
        yield f"{label}: what is suggested does not hold: {told}"
    for number, change in wanted.items():
        for weaker in weaker_ones(change["operation"], change["to"], change["from"]):
            if tools.check(source.with_orders({**orders, number: weaker})).returncode != FINDING:
                yield f"{label}: {weaker} would do in the place of {change}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="the folder of mazurka and mazurka-c++")
    parser.add_argument("source", type=pathlib.Path)
    options = parser.parse_args()
    structure = Structure(options.source.resolve())
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        for at, (name, order) in enumerate(structure.weakened):
            # Without optimisation some of std::atomic is not inlined, and its callers tell places apart.
            tools = Tools(options.tools, scratch, ("-O1", "-O0")[at % 2])
            wrong += problems_of(structure, name, order, tools)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
