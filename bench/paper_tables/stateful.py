"""Stateful partial-order reduction: Table 1, what is beyond it, and Figures 10 and 11."""

from cells import Cell, Task
from sources import rows

NAME = "stateful"
TITLE = ("Herbreteau, Larroze-Jardiné, Point, Walukiewicz: Revisiting Stateful Partial-Order Reduction (2024)")
COLUMNS = [("reach", "reach"), ("pset+sleep", "pset_sleep"), ("full+sleep", "full_sleep"),
           ("full-sleep", "full_nosleep"), ("minclosure+sleep", "minclosure_sleep"), ("apifs+sleep", "apifs_sleep")]
ALLOW = ("--allow-deadlock",)
QUICK = {"bg 3", "bg 4", "bg 5", "qo 15", "qo 50", "mpat 5", "mpat 10", "disp 5", "disp 10", "disp 50", "tk 7", "pet 4",
         "fs 6", "fs 7", "dp 10"}
QUICK_MOST = 1000000  # nodes: what takes longer is part of the whole
BEYOND = ["bg 9", "bg 10", "qo 200", "disp 200", "mpat 20", "fs 15", "lz 13", "lz 14", "dp 15", "dp 16", "tk 11", "pet 6"]
QUICK_BEYOND = {"bg 9", "qo 200", "lz 13", "lz 14"}
OTHER = {family: "the paper does not print the model; ours agrees with it where the column says equal, and no model that was "
                 "tried agrees everywhere (docs/stateful.md)" for family in ("disp", "fs", "tk")}
LZ = "minclosure on lz: the paper's 2654133 was not reproduced; five of six columns are exact"


def finishes_soon(model, theirs):
    return model in QUICK and theirs.isdigit() and int(theirs) <= QUICK_MOST


def table1():
    for row in rows("stateful-table1.csv"):
        model = row["model"]
        family = model.split()[0]
        for variant, theirs in COLUMNS:
            paths = ("--paths",) if variant == "full+sleep" else ()
            task = Task("automata", model, (), variant, (*ALLOW, *paths), limit=300 if row[theirs].isdigit() else 60)
            quick = finishes_soon(model, row[theirs])
            yield Cell("Table 1", model, variant, task, "nodes", row[theirs], quick=quick,
                       other_model=OTHER.get(family, ""), why=LZ if variant.startswith("minc") and family == "lz" else "")
            if paths:
                yield Cell("Table 1", model, "paths", task, "paths", row["full_sleep_paths"], "shown",
                           quick=quick, other_model=OTHER.get(family, ""))
                yield Cell("Table 1", model, "share of PIFS", task, "first_set_share", quick=quick)
                yield Cell("Table 1", model, "share of closure", task, "source_set_share", quick=quick)


def beyond():
    for model in BEYOND:
        task = Task("automata", model, (), "auto", ALLOW, limit=600)
        for column, measure in (("nodes with auto", "nodes"), ("variant", "variant"), ("nodes in vain", "in_vain")):
            yield Cell("Beyond the paper's 5 minutes", model, column, task, measure,
                       "timeout" if measure == "nodes" else "", quick=model in QUICK_BEYOND)


def figure10():
    for model, last in (("dp", 12), ("dp2", 8)):
        for size in range(2, last + 1):
            for variant in ("reach", "pset+sleep", "full+sleep", "pifs"):
                task = Task("automata", f"{model} {size}", (), variant, ALLOW, limit=120)
                yield Cell(f"Figure 10, {model}", str(size), variant, task, "nodes",
                           quick=size <= (8 if model == "dp" else 5))


def figure11():
    for clients in (4, 6, 8, 10, 12):
        for locks in (1, 2, 3):
            for seed in range(1, 52):
                for variant in ("pset+sleep", "full+sleep"):
                    task = Task("automata", f"locks {clients} {locks} --seed {seed}", (), variant, ALLOW, limit=120)
                    yield Cell("Figure 11", f"{clients} clients, {locks} locks each, seed {seed}", variant, task, "nodes",
                               quick=seed <= 3 and clients <= 8)


def cells():
    yield from table1()
    yield from beyond()
    yield from figure10()
    yield from figure11()


FIGURES = [("Figure 10: dining philosophers", "Figure 10, dp", ["reach", "pset+sleep", "full+sleep", "pifs"]),
           ("Figure 10: two rounds", "Figure 10, dp2", ["reach", "pset+sleep", "full+sleep", "pifs"])]
SCATTER = [("Figure 11: random multi-locks", "Figure 11", "pset+sleep", "full+sleep")]
