"""Optimal DPOR with context sensitivity and observers: Tables 1 to 3, and the refined check.

optimal and optimal-observers must explore exactly the paper's number, which is that of the (observed) traces. The full
technique is unsound as printed: column sound_repair of the data says what a sound repair of it explores.
"""

from cells import Cell, Task
from sources import rows

NAME = "odpor-cs-ob"
TITLE = ("Albert, Garcia de la Banda, Gómez-Zamalloa, Isabel, Stuckey: Optimal Dynamic Partial Order Reduction with "
         "Context-Sensitive Independence and Observers (JSS 2023)")
COLUMNS = [("optimal", "optimal", "odpor", "exactly"), ("observers", "optimal-observers", "odpor_ob", "exactly"),
           ("source-context", "source-context:cut,guide", "dpor_cs", "at most"),
           ("chains beside DPOR_cs", "source-context:chains", "dpor_cs", "at most"),
           ("full", "optimal-context-observers", "odpor_cs_ob", "at most")]
INNER = {"fib": {2: 1, 3: 2, 4: 4, 5: 7}, "mergesort": {4: 3, 5: 4, 6: 7, 7: 7},
         "quicksort": {2: 5, 3: 6, 4: 7, 5: 8}}
PROGRAMS = {
    "lastwrite": ("writers", ()), "lastwrite-dif": ("writers", ("-DDIF",)),
    "lastwrite-2phases": ("writers", ("-DVARIABLES=3",)),
    "abs": ("writers", ("-DVARIABLES=2",)), "abs-dif": ("writers", ("-DVARIABLES=2", "-DDIF")),
    "abs-2phases": ("writers", ("-DVARIABLES=4",)),
    "floatingread": ("floatingread", ()), "floatingread-dif": ("floatingread", ("-DDIF",)),
    "floatingread-2phases": ("floatingread", ("-DCOPIES=2",)),
}
QUICK_SIZES = 2
UNPUBLISHED = "the paper does not print the program, and ours is written from its description"
UNSOUND = "the printed technique misses final states in general; a sound repair of it explores {}"
SLEEPING = ("what the printed technique leaves out is decided by which don't-do sequences survive; soundly, an order is "
            "left out only if the other was finished")


def source_and_flags(program, n):
    if program in INNER:
        return "tasks", (f"-DINNER={INNER[program][n]}",)
    source, flags = PROGRAMS.get(program, (program, ()))
    return source, (f"-DN={n}", *flags)


def larger_because(row, theirs):
    repair = row.get("sound_repair")
    if theirs == "odpor_cs_ob" and repair:
        return UNSOUND.format(repair)
    return SLEEPING if theirs == "dpor_cs" else ""


def threads(number):
    seen = {}
    for row in rows(f"odpor-cs-ob-table{number}.csv"):
        program, n = row["program"], int(row["n"])
        seen[program] = seen.get(program, 0) + 1
        source, flags = source_and_flags(program, n)
        for column, technique, theirs, judged in COLUMNS:
            finished_there = row[theirs].isdigit()
            task = Task("threads", source, flags, technique, ("--racy", "--keep-going"),
                        limit=150 if finished_there else 10)
            yield Cell(f"Table {number}", f"{program} {n}", column, task, theirs=row[theirs], judged=judged,
                       why=larger_because(row, theirs), quick=seen[program] <= QUICK_SIZES,
                       other_model=UNPUBLISHED if program == "pipesort" else "",
                       their_seconds=row[f"{theirs}_s"])


def actors():
    programs = {"MapRed": "mapreduce", "SDN": "sdn"}
    for row in rows("odpor-cs-ob-table3.csv"):
        for column, technique, theirs, _ in COLUMNS[1:]:
            task = Task("actors", programs[row["program"]], (), technique, ("--keep-going",))
            yield Cell("Table 3", row["program"], column, task, theirs=row[theirs], judged="at most",
                       other_model=UNPUBLISHED, their_seconds=row[f"{theirs}_s"])


REFINED = {5: ("0.03", "0.03"), 10: ("0.32", "0.41"), 15: ("1.45", "2.13"), 20: ("6.80", "9.63"),
           25: ("18.15", "25.13"), 30: ("53.77", "76.26")}


def refined():
    for n, (refined_there, whole_there) in REFINED.items():
        for column, technique, there in (("refined", "optimal-context-observers", refined_there),
                                         ("whole states", "optimal-context-observers:whole-states", whole_there)):
            task = Task("threads", "arraywrite", (f"-DN={n}",), technique, ("--racy", "--keep-going"))
            yield Cell("The refined check of Section 3.4, on arraywrite", f"N = {n}", column, task, theirs="1",
                       quick=n <= 20, their_seconds=there)


def cells():
    yield from threads(1)
    yield from threads(2)
    yield from actors()
    yield from refined()


FIGURES = [(f"Executions, Table {number}", f"Table {number}", ["optimal", "observers", "source-context", "full"])
           for number in (1, 2)]
