"""Unfolding-based DPOR of message programs: Table 1, the same beyond its sizes, and k-partial alternatives."""

from cells import Cell, Task
from sources import rows

NAME = "udpor"
TITLE = ("Pham, Jéron, Quinson: Unfolding-Based Dynamic Partial Order Reduction of Asynchronous Distributed Programs "
         "(FORTE 2019)")
PROGRAMS = {
    "wait-deadlock": "wait_deadlock", "complex-deadlock": "complex_deadlock", "waitall-deadlock": "waitall_deadlock",
    "no-error-wait-any_src": "no_error_wait_any_src", "any-src-can-deadlock3": "any_src_can_deadlock3", "DTG": "dtg",
    "RMQ-receiving": "rmq_receiving", "Master-worker": "master_worker",
}
SIZED = ("RMQ-receiving", "Master-worker")
LARGER = [
    ("RMQ-receiving 6", "rmq_receiving", ("-DN=6",)), ("RMQ-receiving 7", "rmq_receiving", ("-DN=7",)),
    ("RMQ-receiving 8", "rmq_receiving", ("-DN=8",)), ("Master-worker 5", "master_worker", ("-DN=5",)),
    ("Master-worker 6", "master_worker", ("-DN=6",)), ("token ring", "token_ring", ()),
    ("two-phase commit", "two_phase_commit", ()), ("pipeline", "pipeline", ()),
    ("work stealing", "work_stealing", ()), ("polling 4", "polling", ("-DN=4",)),
    ("polling 6", "polling", ("-DN=6",)),
]
PARTIAL = [("RMQ-receiving 5", "rmq_receiving", ("-DN=5",)), ("RMQ-receiving 7", "rmq_receiving", ("-DN=7",)),
           ("work stealing", "work_stealing", ("-DTASKS=3",)), ("polling 6", "polling", ("-DN=6",))]
KS = ["1", "2", "3", "4", "6", "7", "optimal"]
GOING = ("--keep-going",)
CREATION = ("the paper's actors exist from the beginning; here main creates them one by one, and what the first ones do "
            "mixes with that. The tests count the paper's numbers on models without it")


def table1():
    for row in rows("udpor-table1.csv"):
        program = row["program"]
        flags = (f"-DN={row['processes']}",) if program in SIZED else ()
        label = f"{program} {row['processes']}"
        many = row["interleavings"] == "timeout" or int(row["interleavings"]) > 100000
        yield Cell("Table 1", label, "interleavings",
                   Task("messages", PROGRAMS[program], flags, "exhaustive", GOING, limit=30 if many else 60),
                   theirs=row["interleavings"], judged="exactly", quick=not many, why=CREATION,
                   their_seconds=row["exhaustive_s"])
        for technique in ("unfolding", "optimal"):
            yield Cell("Table 1", label, technique, Task("messages", PROGRAMS[program], flags, technique, GOING),
                       theirs=row["traces"], judged="exactly",
                       their_seconds=row["udpor_s"] if technique == "unfolding" else "")


def cells():
    yield from table1()
    for label, source, flags in LARGER:
        for technique in ("optimal", "unfolding"):
            task = Task("messages", source, flags, technique, GOING)
            yield Cell("Beyond the paper's sizes", label, technique, task)
            if technique == "unfolding":
                yield Cell("Beyond the paper's sizes", label, "events stored", task, "stored")
    for label, source, flags in PARTIAL:
        for k in KS:
            task = Task("messages", source, flags, "unfolding", (*GOING, "--alternatives", k))
            # "k = 4 still produces 24 traces", "for k = 3 the number of traces and time diverge"
            theirs = {"4": "24", "7": "24"}.get(k, "") if label == "RMQ-receiving 5" else ""
            yield Cell("k-partial alternatives", label, f"k = {k}", task, theirs=theirs, judged="exactly")
            yield Cell("k-partial alternatives", label, f"k = {k}, abandoned", task, "abandoned")


FIGURES = [("Executions, Table 1", "Table 1", ["interleavings", "unfolding"])]
