"""TransDPOR: Table 1 without sleep sets, Table 2 with them, and the programs with bugs, until the first of them.

Paths are executions that ran to their end, transitions the edges of the tree of executions.
"""

from cells import Cell, Task
from sources import rows

NAME = "transdpor"
TITLE = ("Tasharofi, Karmani, Lauterburg, Legay, Marinov, Agha: TransDPOR, a Novel Dynamic Partial-Order Reduction "
         "Technique for Testing Actor Programs (FORTE 2012)")
PROGRAMS = {
    "registry": ("registry", ()), "fib5": ("fib", ("-DN=5",)), "quicksort6": ("quicksort", ()),
    "pi5": ("pi", ("-DN=5",)), "pipesort4": ("pipesort", ()), "chameneos2": ("chameneos", ()),
    "leader4": ("leader", ()), "shortpath4": ("shortpath", ("-DGRAPH=4",)),
    "shortpath5": ("shortpath", ("-DGRAPH=5",)), "regsim": ("regsim", ()),
    "regsim-2-level": ("regsim", ("-DLEVELS=2",)), "diningphil": ("philosophers", ()),
    "minesweeper": ("minesweeper", ()), "le-erlang3-failure": ("election", ("-DN=3", "-DFAILURES=1")),
    "le-erlang4": ("election", ("-DN=4",)),
}
OTHER = {
    "regsim-2-level": "the source is not published; ours has the paper's 1296 traces, but other messages",
    "diningphil": "the source is not published; ours has the paper's 31 traces, but other messages",
}
BUG = "the source is not published: when a search meets the bug depends on every message of the program"
FREEZING = ("the paper does not say how sleep sets and the freeze flag meet; ours takes a candidate that is asleep as one that "
            "is there already and freezes nothing. Every trace is completed once in both")


def searches(number, row, sleep_sets, options, **more):
    source, flags = PROGRAMS[row["program"]]
    for technique, column in (("dpor", "dpor"), ("trans", "transdpor")):
        task = Task("actors", source, flags, technique,
                    ("--order", row["order"].lower(), "--sleep-sets", sleep_sets, *options))
        for what, measure in (("paths", "executions"), ("transitions", "transitions")):
            yield Cell(number, f"{row['program']} {row['order']}", f"{technique} {what}", task, measure,
                       row[f"{column}_{what}"], "at most",
                       their_seconds=row.get(f"{column}_s", "") if what == "paths" else "", **more)


def cells():
    for row in [{"order": "FIFO", "program": "registry", "dpor_paths": "24", "dpor_transitions": "",
                 "transdpor_paths": "10", "transdpor_transitions": ""}, *rows("transdpor-table1.csv")]:
        large = row["dpor_paths"].startswith(">") or row["program"] == "leader4"
        yield from searches("Table 1", row, "off", ("--keep-going",), quick=not large)
    for row in rows("transdpor-table2-sleep.csv"):
        yield from searches("Table 2", row, "on", ("--keep-going",), why=FREEZING,
                            other_model=OTHER.get(row["program"], ""))
    for row in rows("transdpor-bugs.csv"):
        yield from searches("Bugs, until the first", row, "on", (), other_model=BUG,
                            quick=row["order"] != "LCA")


FIGURES = [("Transitions, without sleep sets", "Table 1", ["dpor transitions", "trans transitions"]),
           ("Transitions, with sleep sets", "Table 2", ["dpor transitions", "trans transitions"])]
