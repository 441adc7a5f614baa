"""Context-sensitive DPOR: Tables 1 and 2.

The paper's CDPOR1, 2 and 3 are `source-context`, `source-context:cut` and `source-context:cut,guide`, each in its
sound repair; `source-context:chains` is ours. docs/papers.md has the counter-examples to the printed rules.
"""

import math

from cells import Cell, Task
from sources import in_seconds, rows

NAME = "cdpor"
TITLE = "Albert, Arenas, Garcia de la Banda, Gómez-Zamalloa, Stuckey: Context-Sensitive Dynamic Partial Order Reduction (CAV 2017)"
PROGRAMS = {
    "Fib": ("fib", ("-DLEAVES_AT_1",)), "QSort": ("quicksort", ("-DNO_BOOT",)), "MSort": ("mergesort", ()),
    "Pi": ("pi", ()), "PSort": ("pipesort", ("-DREADY",)), "Reg": ("reg", ()),
}
LARGE = {"Fib(7)", "PSort(6)", "Reg(6)", "MSort(15)"}
NO_TRACES = ("the paper's number is not that of the traces: its backtrack sets get the pending creator of a step "
             "where an initial of the reversing sequence is needed, and miss traces")
SECOND_ORDER = ("the printed rule forbids whichever of two orders comes second, also where the first was never explored "
                "to its end, and so loses final states; repaired, an order is left out only if the other was finished")
VERSIONS = [("CDPOR1", "source-context", "cdpor1"), ("CDPOR2", "source-context:cut", "cdpor2"),
            ("CDPOR3", "source-context:cut,guide", "cdpor3")]


def table1():
    for row in rows("cdpor-table1.csv"):
        n = int(row["n"])
        flags, quick = (f"-DN={n}",), n < 9
        label = f"N = {n}"
        going = ("--keep-going",)
        waiting = Task("actors", "prodcons", flags, "source", going)
        direct = Task("actors", "prodcons", (*flags, "-DDIRECT"), "source", going)
        context = Task("actors", "prodcons", (*flags, "-DDIRECT"), "source-context:chains", ("--order", "fifo", *going))
        times = in_seconds(row["source_ms"]), in_seconds(row["cdpor_ms"])
        yield Cell("Table 1", label, "C(2N,N): source", waiting, theirs=str(math.comb(2 * n, n)), judged="exactly",
                   quick=quick, their_seconds=times[0])
        yield Cell("Table 1", label, "states of source", direct, "states", row["source_states"], "exactly",
                   quick=quick)
        yield Cell("Table 1", label, "context", context, theirs=row["cdpor_executions"], quick=quick,
                   their_seconds=times[1])
        yield Cell("Table 1", label, "states of context", context, "states", row["cdpor_states"], quick=quick)
        yield Cell("Table 1", label, "abandoned", context, "abandoned", quick=quick)


def table2():
    for row in rows("cdpor-table2.csv"):
        name, size = row["program"].rstrip(")").split("(")
        source, flags = PROGRAMS[name]
        quick = row["program"] not in LARGE

        def cell(column, technique, theirs, **more):
            task = Task("actors", source, (*flags, f"-DN={size}"), technique, ("--order", "eca", "--keep-going"),
                        limit=60 if quick else 120)
            return Cell("Table 2", row["program"], column, task, theirs=theirs, quick=quick, **more)

        wrong = name in ("Fib", "QSort", "MSort")
        yield cell("source", "source", row["source"], judged="exactly", why=NO_TRACES if wrong else "",
                   their_seconds=in_seconds(row["source_ms"]))
        for column, technique, theirs in VERSIONS:
            yield cell(column, technique, row[theirs], why=SECOND_ORDER,
                       their_seconds=in_seconds(row[f"{theirs}_ms"]))
        yield cell("chains beside CDPOR3", "source-context:chains", row["cdpor3"])
        yield cell("optimal", "optimal", "", judged="shown")


def cells():
    yield from table1()
    yield from table2()


FIGURES = [("Executions, Table 1", "Table 1", ["C(2N,N): source", "context"]),
           ("Executions, Table 2", "Table 2", ["source", "CDPOR1", "CDPOR3", "chains beside CDPOR3"])]
