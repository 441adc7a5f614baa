#!/usr/bin/env python3
"""Writes the table of functions in docs/mpi.md from what the runtime really has.

Every function that mpi.h declares stands in include/mazurka/mpi_interface. The runtime has all of them; those
that it only refuses are weak symbols, which the supported ones take the place of.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INTERFACE = ROOT / "include/mazurka/mpi_interface"
PAGE = ROOT / "docs/mpi.md"
BEGIN, END = "<!-- functions: begin -->", "<!-- functions: end -->"

# file of the interface, what it is about
TOPICS = [
    ("environment", "beginning and end, errors, infos"),
    ("point_to_point", "messages and requests"),
    ("collectives", "collectives"),
    ("communicators", "communicators and groups"),
    ("datatypes", "datatypes"),
    ("topologies", "topologies"),
    ("one_sided", "windows"),
    ("persistent_collectives", "persistent collectives"),
    ("files", "files"),
]


def declared(topic):
    text = (INTERFACE / f"{topic}.h").read_text()
    return re.findall(r"(?m)^MAZURKA_MPI_FUNCTION\(\w+, (\w+),", text)


def supported(library):
    output = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True,
                            text=True, check=True).stdout
    rows = [line.split() for line in output.splitlines()]
    return {row[-1].removeprefix("PMPI_") for row in rows
            if row[1] in "Ti" and row[-1].startswith("PMPI_")}


def listed(names):
    return ", ".join(f"`{name}`" for name in sorted(names)) or "none"


def table(library):
    there = supported(library)
    lines = ["| | supported (each also as `PMPI_`) | refused by name when called |", "| --- | --- | --- |"]
    for topic, words in TOPICS:
        names = declared(topic)
        yes = [name for name in names if name in there]
        no = [name for name in names if name not in there]
        lines.append(f"| {words} | {listed(yes)} | {listed(no)} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=pathlib.Path, help="libmazurka-threads.so")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    arguments = parser.parse_args()
    files = {file.stem for file in INTERFACE.glob("*.h")} - {"functions", "types", "constants"}
    if files != {topic for topic, _ in TOPICS}:
        print(f"no topic for: {files ^ {topic for topic, _ in TOPICS}}")
        return 1
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    wanted = before + BEGIN + "\n\n" + "\n".join(table(arguments.library)) + "\n\n" + END + after
    if wanted == page:
        return 0
    if arguments.check:
        print(f"docs/mpi.md is out of date: run docs/supported_mpi.py {arguments.library}")
        return 1
    PAGE.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
