"""Context-sensitive DPOR: Tables 1 and 2 of the paper, ours beside theirs.

Source is compared with the true number of traces, which the paper's own baseline misses on Fib, MSort
and QSort. The context-sensitive technique must need 2^N executions in Table 1 and not more than the
paper's best in Table 2; what it abandons, and the edges of its tree, are shown beside. Searches that
take longer than --limit are cut and marked `>`; the context-sensitive ones may take a minute.
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
CONTEXT = "source-context:chains"
PROGRAMS = {
    "Fib": ("fib", lambda n: ("-DLEAVES_AT_1", f"-DN={n}")),
    "QSort": ("quicksort", lambda n: ("-DNO_BOOT", f"-DN={n}")),
    "MSort": ("mergesort", lambda n: (f"-DN={n}",)),
    "Pi": ("pi", lambda n: (f"-DN={n}",)),
    "PSort": ("pipesort", lambda n: ("-DREADY", f"-DN={n}")),
    "Reg": ("reg", lambda n: (f"-DN={n}",)),
}


def context(checker, technique, binary, order):
    """Of the context-sensitive technique: executions, as text, and their number or None; abandoned
    executions and edges of the tree."""
    report = checker.check(binary, technique, "--order", order, "--keep-going",
                           limit=max(checker.limit, 60))
    cut = report["verdict"] == "inconclusive"
    text = (">" if cut else "") + str(report["executions"])
    asleep = report["statistics"]["asleep"]
    return text, None if cut else report["executions"], asleep, transitions(report)


def table1(checker, arguments, out):
    widths = [3, 12, 11, 12, 10, 16, 8, 10, 8, 8]
    heads = ["N", "C(2N,N)", "source", "states", "paper", "context (2^N)", "paper", "abandoned",
             "states", "paper"]
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
        text, found, abandoned, edges = context(checker, arguments.context, direct, "fifo")
        wrong += source["executions"] != math.comb(2 * n, n) or states != int(row["source_states"])
        wrong += found != int(row["cdpor_executions"])
        cells = [n, math.comb(2 * n, n), source["executions"], states, row["source_states"], text,
                 row["cdpor_executions"], abandoned, edges + 1, row["cdpor_states"]]
        show(cells, widths)
        writer.writerow(cells)
        groups.append((f"N = {n}", {"source": source["executions"], "context": found,
                                    "paper's CDPOR": int(row["cdpor_executions"])}))
    return groups, wrong


def table2(checker, arguments, out):
    widths = [9, 9, 10, 16, 8, 10, 10, 8, 8, 8]
    heads = ["program", "optimal", "source", "paper's source", "context", "abandoned", "edges",
             "CDPOR1", "CDPOR2", "CDPOR3"]
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
        text, found, abandoned, edges = context(checker, arguments.context, binary, "eca")
        wrong += found is None or found > int(row["cdpor3"].lstrip(">"))
        cells = [row["program"], counts["optimal"], counts["source"], row["source"], text, abandoned,
                 edges, row["cdpor1"], row["cdpor2"], row["cdpor3"]]
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
    print(f"context: {arguments.context}\nrows that are not as expected: {wrong}")
    return 1 if wrong else 0
