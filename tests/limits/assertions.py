#!/usr/bin/env python3
"""How many rules of src are checked while the program runs, or when it is compiled.

    assertions.py --source FOLDER    a table by room; a failure where there are too few

An assertion is a MAZURKA_CHECK or a static_assert; lines are those of all sources but the unit tests.
A room is a folder of src, and each kind of programs is one. What is in comments and texts does not
count, nor do the definition of the macro and assertions that say nothing (`true`).
"""

import argparse
import collections
import pathlib
import re
import sys

import limits

OVERALL = 5  # per thousand lines
IN_A_ROOM = 3
ASSERTION = re.compile(r"\b(?:MAZURKA_CHECK|static_assert)\s*\(\s*(?!(?:true|1)\s*[,)])")


def room_of(path):
    """The room of a file, given by its path below src."""
    parts = path.parts
    rooms = 2 if parts[0] == "programs" else 1
    return "/".join(parts[:-1][:rooms])


def assertions(text):
    return len(ASSERTION.findall(limits.blanked(text)))


def count(source):
    """Assertions and lines of each room."""
    rooms = collections.defaultdict(lambda: [0, 0])
    for file in sorted((source / "src").rglob("*")):
        if file.suffix not in limits.SUFFIXES or ".test." in file.name:
            continue
        text = file.read_text()
        room = rooms[room_of(file.relative_to(source / "src"))]
        room[0] += assertions(text)
        room[1] += text.count("\n")
    return rooms


def too_few(rooms):
    """Rows of the table (name, assertions, lines, those per thousand lines, whether too few)."""
    rows = [(name, found, lines, IN_A_ROOM) for name, (found, lines) in sorted(rooms.items())]
    rows.append(("src", sum(row[1] for row in rows), sum(row[2] for row in rows), OVERALL))
    return [(name, found, lines, 1000 * found / lines if lines else 0, 1000 * found < bound * lines)
            for name, found, lines, bound in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=pathlib.Path, required=True)
    rooms = count(parser.parse_args().source)
    if not rooms:
        sys.exit("no sources")
    rows = too_few(rooms)
    print(f"{'room':20}{'assertions':>11}{'lines':>9}{'per 1000':>10}")
    for name, found, lines, density, few in rows:
        print(f"{name:20}{found:11}{lines:9}{density:10.1f}{'  too few' if few else ''}")
    print(f"at least {IN_A_ROOM} per thousand lines in each room, {OVERALL} over all")
    sys.exit(1 if any(row[-1] for row in rows) else 0)


if __name__ == "__main__":
    main()
