"""The rooms of the sources: each includes only what docs/architecture.md allows it.

The table of rooms in that document is the rule. Its columns name a room (one or more folders), what is
in it, which rooms or single files it may include, and how many lines it has. A file belongs to the
room with the longest folder that it is in, and its room is where its includes are judged. A second table
names, for folders within a room, files that they must not include.

    python3 rooms.py --source DIR     complains about everything that is not as the tables say
    python3 rooms.py --source DIR --lines   prints the figures for the column of lines
"""

import argparse
import pathlib
import re
import sys

ENDINGS = (".hpp", ".cpp", ".h", ".c")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
LARGEST_SHARE = 0.30  # of all lines, in one room
PRECISION = 0.10      # of the figures in the table
STANDARD_ONLY = "the standard library"
TEST_LIBRARY = "gtest/"


class Room:
    """A row of the table."""

    def __init__(self, folders, may_include, standard_only, lines, share):
        self.folders = folders
        self.may_include = may_include
        self.standard_only = standard_only
        self.lines = lines
        self.share = share

    @property
    def name(self):
        return self.folders[0]


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def names(cell):
    return re.findall(r"`([^`]+)`", cell)


def rows_below(text, header):
    """The rows of the table whose first line has these cells."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if line.startswith("|") and cells(line) == header:
            break
    else:
        raise ValueError(f"docs/architecture.md has no table with the columns {' | '.join(header)}")
    rows = []
    for line in lines[at + 2:]:
        if not line.startswith("|"):
            break
        rows.append(cells(line))
    return rows


def with_source(path):
    """The tables name folders below src without it."""
    return path if path.startswith(("src/", "include/")) else "src/" + path


def read_rooms(text):
    rooms = []
    for row in rows_below(text, ["room", "what is in it", "may include", "lines (share)"]):
        figure = re.fullmatch(r"([\d,]+) \((\d+) %\)", row[3])
        if figure is None:
            raise ValueError(f"the room {row[0]} has no figure like `1,200 (3 %)`: {row[3]}")
        rooms.append(Room([with_source(one) for one in names(row[0])],
                          [with_source(one) for one in names(row[2])],
                          STANDARD_ONLY in row[2],
                          int(figure[1].replace(",", "")),
                          int(figure[2])))
    return rooms


def read_forbidden(text):
    """Pairs of a folder and what its files must not include."""
    return [(with_source(folder), with_source(other))
            for row in rows_below(text, ["folder", "what is in it", "never includes"])
            for folder in names(row[0]) for other in names(row[2])]


def is_below(path, folder):
    return path == folder or path.startswith(folder + "/")


def room_of(path, rooms):
    found = [(len(folder), room.name) for room in rooms for folder in room.folders
             if is_below(path, folder)]
    return max(found)[1] if found else None


def target_of(path, included, files):
    """The file of ours that an include names; None: it is of a library."""
    beside = str(pathlib.PurePosixPath(path).parent / included)
    for candidate in ("src/" + included, "include/" + included, beside):
        if candidate in files:
            return candidate
    return None


def find_cycle(may):
    """A list of rooms each of which may include the next, the first being the last; or None."""
    finished = set()

    def visit(room, path):
        if room in path:
            return path[path.index(room):] + [room]
        if room in finished:
            return None
        for other in may[room]:
            cycle = visit(other, path + [room])
            if cycle:
                return cycle
        finished.add(room)
        return None

    for room in may:
        cycle = visit(room, [])
        if cycle:
            return cycle
    return None


def includes_of(files):
    for path, text in sorted(files.items()):
        for found in INCLUDE.finditer(text):
            yield path, found[1] == "<", found[2]


def judge_includes(files, rooms, forbidden):
    by_name = {room.name: room for room in rooms}
    tops = {path.split("/")[1] for path in files}
    for path, of_library, included in includes_of(files):
        own = by_name.get(room_of(path, rooms))
        if own is None:
            continue  # complained about as a file without a room
        target = target_of(path, included, files)
        if target is None:
            if not of_library and "/" in included and included.split("/")[0] in tops:
                yield f"{path} includes {included}, which does not exist"
            elif own.standard_only and "/" in included and not included.startswith(TEST_LIBRARY):
                yield f"{path} includes {included}: its room does with the standard library alone"
            continue
        other = room_of(target, rooms)
        allowed = {room_of(one, rooms) for one in own.may_include if one not in files}
        if other != own.name and other not in allowed and target not in own.may_include:
            yield f"{path} includes {included}: {own.name} may not include {other}"
        for folder, never in forbidden:
            if is_below(path, folder) and is_below(target, never):
                yield f"{path} includes {included}: {folder} never includes {never}"


def judge_table(files, rooms, forbidden):
    folders = [folder for room in rooms for folder in room.folders]
    named = folders + [one for room in rooms for one in room.may_include]
    named += [one for pair in forbidden for one in pair]
    for one in named:
        if not any(is_below(path, one) for path in files):
            yield f"the table names {one}, which does not exist"
    for room in rooms:
        for one in room.may_include:
            if one not in files and one not in folders:
                yield f"the table lets {room.name} include {one}, which is no room"
    # A single file of a room counts as the whole room.
    may = {room.name: [room_of(one, rooms) for one in room.may_include] for room in rooms}
    may = {room: [one for one in others if one in may] for room, others in may.items()}
    cycle = find_cycle(may)
    if cycle:
        yield "rooms may include each other in a circle: " + " -> ".join(cycle)


def lines_by_room(files, rooms):
    lines = {room.name: 0 for room in rooms}
    for path, text in files.items():
        room = room_of(path, rooms)
        if room is not None:
            lines[room] += text.count("\n")
    return lines


def judge_sizes(files, rooms):
    lines = lines_by_room(files, rooms)
    total = sum(lines.values())
    for room in rooms:
        found = lines[room.name]
        share = found / total
        if share > LARGEST_SHARE:
            yield f"{room.name} has {share:.0%} of all lines: no room may have more than {LARGEST_SHARE:.0%}"
        if abs(found - room.lines) > PRECISION * found:
            yield f"{room.name} has {found:,} lines: the table says {room.lines:,}"
        if abs(100 * share - room.share) > 1:
            yield f"{room.name} has {share:.1%} of all lines: the table says {room.share} %"


def judge(files, architecture):
    """All complaints. `files`: the text of each, by its path; `architecture`: the document."""
    rooms = read_rooms(architecture)
    forbidden = read_forbidden(architecture)
    complaints = [f"{path} is in no room of docs/architecture.md" for path in sorted(files)
                  if room_of(path, rooms) is None]
    complaints += judge_table(files, rooms, forbidden)
    complaints += judge_includes(files, rooms, forbidden)
    complaints += judge_sizes(files, rooms)
    return complaints


def read_files(source):
    return {path.relative_to(source).as_posix(): path.read_text(errors="replace")
            for top in ("src", "include") for path in sorted((source / top).rglob("*"))
            if path.suffix in ENDINGS}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the project's folder")
    parser.add_argument("--lines", action="store_true", help="print the figures for the table")
    arguments = parser.parse_args()
    files = read_files(arguments.source)
    architecture = (arguments.source / "docs" / "architecture.md").read_text()
    if arguments.lines:
        lines = lines_by_room(files, read_rooms(architecture))
        for room, count in lines.items():
            print(f"{room}: {round(count, -2) or count:,} ({count / sum(lines.values()):.0%})")
        return 0
    complaints = judge(files, architecture)
    for complaint in complaints:
        print(complaint)
    if not files:
        print(f"no sources in {arguments.source}")
    if complaints or not files:
        return 1
    print(f"{sum(1 for _ in includes_of(files))} includes, all as docs/architecture.md says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
