"""Context-sensitive DPOR: Tables 1 and 2 of the paper, ours beside theirs.

Source is compared with the true number of traces, which the paper's own baseline misses on Fib, MSort
and QSort. The context-sensitive column is filled in when the technique is there, and must not be
larger than the paper's best. Searches that take longer than --limit are cut and marked `>`.
docs/actors.md explains every difference.
"""

import argparse
import csv
import math
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "common"))
from actors import Checker, bars, show, transitions  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
CONTEXT = "source-context"
PROGRAMS = {
    "Fib": ("fib", lambda n: ("-DLEAVES_AT_1", f"-DN={n}")),
    "QSort": ("quicksort", lambda n: ("-DNO_BOOT", f"-DN={n}")),
    "MSort": ("mergesort", lambda n: (f"-DN={n}",)),
    "Pi": ("pi", lambda n: (f"-DN={n}",)),
    "PSort": ("pipesort", lambda n: ("-DREADY", f"-DN={n}")),
    "Reg": ("reg", lambda n: (f"-DN={n}",)),
}


def context(checker, technique, binary, order):
    """Executions of the context-sensitive technique, as text, and their number or None."""
    if technique.split(":")[0] not in checker.techniques:
        return "-", None
    report = checker.check(binary, technique, "--order", order, "--keep-going")
    cut = report["verdict"] == "inconclusive"
    return (">" if cut else "") + str(report["executions"]), None if cut else report["executions"]


def table1(checker, arguments, out):
    widths = [3, 12, 11, 12, 10, 16, 8]
    heads = ["N", "C(2N,N)", "source", "states", "paper", "context (2^N)", "paper"]
    show(heads, widths)
    writer = csv.writer(out)
    writer.writerow(heads)
    groups, wrong = [], 0
    for row in csv.DictReader((HERE / "cdpor-table1.csv").open()):
        n = int(row["n"])
        flags = (f"-DN={n}",)
        waiting = checker.build("prodcons", flags)
        direct = checker.build("prodcons", flags + ("-DDIRECT",))
        source = checker.check(waiting, "source", "--keep-going")
        # States: the nodes of the tree if only the buffer's messages count.
        states = transitions(checker.check(direct, "source", "--keep-going")) + 1
        text, found = context(checker, arguments.context, direct, "fifo")
        wrong += source["executions"] != math.comb(2 * n, n) or states != int(row["source_states"])
        cells = [n, math.comb(2 * n, n), source["executions"], states, row["source_states"], text,
                 row["cdpor_executions"]]
        show(cells, widths)
        writer.writerow(cells)
        groups.append((f"N = {n}", {"source": source["executions"], "context": found,
                                    "paper's CDPOR": int(row["cdpor_executions"])}))
    return groups, wrong


def table2(checker, arguments, out):
    widths = [9, 9, 10, 16, 18, 8, 8, 8]
    heads = ["program", "optimal", "source", "paper's source", arguments.context, "CDPOR1", "CDPOR2",
             "CDPOR3"]
    show(heads, widths)
    writer = csv.writer(out)
    writer.writerow(heads)
    groups, wrong = [], 0
    for row in csv.DictReader((HERE / "cdpor-table2.csv").open()):
        name, size = row["program"].rstrip(")").split("(")
        program, flags = PROGRAMS[name]
        binary = checker.build(program, flags(size))
        counts, cut = {}, False
        for technique in ("optimal", "source"):
            report = checker.check(binary, technique, "--order", "eca", "--keep-going")
            cut = report["verdict"] == "inconclusive"
            counts[technique] = (">" if cut else "") + str(report["executions"])
        wrong += not cut and counts["optimal"] != counts["source"]
        text, found = context(checker, arguments.context, binary, "eca")
        cells = [row["program"], counts["optimal"], counts["source"], row["source"], text,
                 row["cdpor1"], row["cdpor2"], row["cdpor3"]]
        show(cells, widths)
        writer.writerow(cells)
        groups.append((row["program"], {"source": int(counts["source"].lstrip(">")),
                                        "context": found,
                                        "paper's CDPOR3": int(row["cdpor3"].lstrip(">"))}))
    return groups, wrong


def main(mazurka, output, rest):
    parser = argparse.ArgumentParser(prog="dev bench tables --paper cdpor",
                                     description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=5, help="seconds per search")
    parser.add_argument("--context", default=CONTEXT,
                        help="the context-sensitive technique, with options")
    arguments = parser.parse_args(rest)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(mazurka, folder, arguments.limit)
        for number, table in ((1, table1), (2, table2)):
            print(f"{'' if number == 1 else chr(10)}Table {number}")
            with (output / f"cdpor-table{number}.csv").open("w", newline="") as out:
                groups, more = table(checker, arguments, out)
            wrong += more
            bars(output / f"cdpor-table{number}.svg", f"Executions, Table {number}", groups,
                 ["source", "context", "paper's CDPOR" if number == 1 else "paper's CDPOR3"])
    print(f"rows that are not as expected: {wrong}")
    return 1 if wrong else 0
