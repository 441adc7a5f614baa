"""TransDPOR: Tables 1 and 2 of the paper, ours beside theirs.

Table 1 is without sleep sets, Table 2 with them. Paths are executions that ran to their end,
transitions the edges of the tree of executions. A cell of ours is marked `=` if it is the paper's
number and shows that otherwise. Searches that take longer than --limit are cut and marked `>`; the
paper's own `>` cells are lower bounds. docs/actors.md explains every difference. Exit code 1 if a cell of
Table 1 differs or a bug is not found.
"""

import argparse
import csv
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "common"))
from actors import Checker, bars, show, transitions  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = {
    "registry": ("registry", ()),
    "fib5": ("fib", ("-DN=5",)),
    "quicksort6": ("quicksort", ()),
    "pi5": ("pi", ("-DN=5",)),
    "pipesort4": ("pipesort", ()),
    "chameneos2": ("chameneos", ()),
    "leader4": ("leader", ()),
    "shortpath4": ("shortpath", ("-DGRAPH=4",)),
    "shortpath5": ("shortpath", ("-DGRAPH=5",)),
    "regsim": ("regsim", ()),
    "regsim-2-level": ("regsim", ("-DLEVELS=2",)),
    "diningphil": ("philosophers", ()),
}
BUGS = [("diningphil", "philosophers", ()), ("minesweeper", "minesweeper", ()),
        ("le-erlang3-failure", "election", ("-DN=3", "-DFAILURES=1")),
        ("le-erlang4", "election", ("-DN=4",))]
WIDTHS = [5, 15, 9, 19, 19, 19, 19]


def cell(ours, theirs, cut):
    text = (">" if cut else "") + str(ours)
    if not theirs:
        return text
    return text + (" =" if text == theirs else f" ({theirs})")


def run_table(checker, name, sleep_sets, only, out):
    rows = list(csv.DictReader((HERE / name).open()))
    if name == "transdpor-table1.csv":
        rows.insert(0, {"order": "FIFO", "program": "registry", "dpor_paths": "24",
                        "dpor_transitions": "", "transdpor_paths": "10",
                        "transdpor_transitions": ""})
    heads = ["order", "program", "traces", "dpor paths", "dpor transitions", "trans paths",
             "trans transitions"]
    show(heads, WIDTHS)
    writer = csv.writer(out)
    writer.writerow(heads)
    groups, differing = [], 0
    traces = {}
    for row in rows:
        program = row["program"]
        if only and program not in only:
            continue
        binary = checker.build(*PROGRAMS[program])
        if program not in traces:
            traces[program] = checker.check(binary, "optimal", "--keep-going")["executions"]
        cells, values = [row["order"], program, traces[program]], {}
        for technique, column in (("dpor", "dpor"), ("trans", "transdpor")):
            report = checker.check(binary, technique, "--order", row["order"].lower(),
                                   "--sleep-sets", sleep_sets, "--keep-going")
            cut = report["verdict"] == "inconclusive"
            paths, edges = report["executions"], transitions(report)
            values[technique] = edges
            cells.append(cell(paths, row[f"{column}_paths"], cut))
            cells.append(cell(edges, row[f"{column}_transitions"], cut))
            theirs = (row[f"{column}_paths"], row[f"{column}_transitions"])
            if not cut and any(t and not t.startswith(">") and str(o) != t
                               for o, t in zip((paths, edges), theirs)):
                differing += 1
        show(cells, WIDTHS)
        writer.writerow(cells)
        groups.append((f"{program} {row['order']}", values))
    return groups, differing


def run_bugs(checker, out):
    """Until the first finding, as the paper does; its programs are not published, ours are ours."""
    print("\nBugs: executions and transitions until the first finding")
    heads = ["order", "program", "finding", "dpor paths", "dpor transitions", "trans paths",
             "trans transitions"]
    widths = [5, 19, 10, 19, 19, 19, 19]
    show(heads, widths)
    writer = csv.writer(out)
    writer.writerow(heads)
    missed = 0
    for label, program, flags in BUGS:
        for order in ("fifo", "eca", "lca"):
            cells = [order.upper(), label]
            kind = "none"
            for technique in ("dpor", "trans"):
                report = checker.check(checker.build(program, flags), technique, "--order", order)
                if report["findings"]:
                    kind = report["findings"][0]["kind"]
                elif technique == "trans":
                    missed += 1
                cells += [report["executions"], transitions(report)]
            cells.insert(2, kind)
            show(cells, widths)
            writer.writerow(cells)
    return missed


def main(mazurka, output, rest):
    parser = argparse.ArgumentParser(prog="dev bench tables --paper transdpor",
                                     description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=60, help="seconds per search")
    parser.add_argument("--program", action="append", help="only these programs")
    arguments = parser.parse_args(rest)
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(mazurka, folder, arguments.limit)
        wrong = 0
        for number, (name, sleep_sets) in enumerate(
                (("transdpor-table1.csv", "off"), ("transdpor-table2-sleep.csv", "on")), start=1):
            print(f"{'' if number == 1 else chr(10)}Table {number}: sleep sets {sleep_sets}")
            with (output / f"transdpor-table{number}.csv").open("w", newline="") as out:
                groups, differing = run_table(checker, name, sleep_sets, arguments.program, out)
            bars(output / f"transdpor-table{number}.svg",
                 f"Transitions, sleep sets {sleep_sets}", groups, ["dpor", "trans"])
            print(f"rows and techniques that differ from the paper: {differing}")
            if number == 1:
                wrong += differing
        if not arguments.program:
            with (output / "transdpor-bugs.csv").open("w", newline="") as out:
                wrong += run_bugs(checker, out)
    return 1 if wrong else 0
