"""Optimal DPOR with context sensitivity and observers: Tables 1 and 2 of the paper, ours beside theirs.

For each program and size the executions of five techniques, ours and the paper's, and the time of each
relative to optimal in the same run. `-`: not finished in time. source-context:chains stands beside the
paper's DPOR_cs. What is expected of a row:
  - optimal and observers: exactly the paper's number, for it is the number of (observed) traces;
  - chains: at most the paper's;
  - full: at most what a sound repair of the printed algorithm explores, where the printed one, being
    unsound, explores less (column sound_repair of the CSV); at most the paper's elsewhere.
`!`: not as expected. `*`: more than the paper's, which is explained. source-context:cut,guide is shown beside
the paper's DPOR_cs without being judged, and pipesort, whose source the paper does not print, is not judged
at all. docs/techniques.md explains every difference.

Then what context sensitivity costs where it cannot help (the -dif programs), and what it saves to compare
only what two steps touch instead of whole states (the refined check, on arraywrite).
"""

import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent / "context"
TECHNIQUES = [("optimal", "odpor"), ("optimal-observers", "odpor_ob"),
              ("source-context:cut,guide", "dpor_cs"), ("source-context:chains", "dpor_cs"),
              ("optimal-context-observers", "odpor_cs_ob")]
EXACT = ("optimal", "optimal-observers")
SHOWN_ONLY = ("source-context:cut,guide",)
PAPERS_LIMIT = 150  # seconds, for the searches that the paper finished
QUICK_SIZES = 2  # per program, unless --all

OTHER_PROGRAMS = {"pipesort"}  # the paper's is not known; ours is shown and not judged
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


def source_and_flags(program, n):
    if program in INNER:
        return "tasks", (f"-DINNER={INNER[program][n]}",)
    source, flags = PROGRAMS.get(program, (program, ()))
    return source, (f"-DN={n}", *flags)


class Checker:
    def __init__(self, mazurka, folder, limit):
        self.mazurka, self.folder, self.limit = pathlib.Path(mazurka).resolve(), folder, limit
        self.include = self.mazurka.parent.parent / "include"

    def build(self, source, flags):
        binary = pathlib.Path(self.folder) / (source + "".join(flags).replace("-D", "_"))
        if not binary.exists():
            wrapper = self.mazurka.parent / "mazurka-c++"
            command = [wrapper, "-g", "-O0", "-std=c++17", *flags, SOURCES / f"{source}.cpp", "-I",
                       self.include, "-o", binary]
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(done.stderr)
        return binary

    def check(self, binary, technique, limit=None):
        """(executions, or None if it did not finish; abandoned executions; seconds)"""
        report = pathlib.Path(self.folder) / "report.json"
        report.unlink(missing_ok=True)
        command = [self.mazurka, "check", binary, "--racy", "--keep-going", "--technique", technique,
                   "--max-time", f"{limit or self.limit}s", "--json", report]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                              cwd=self.folder)
        if done.returncode == 2 or not report.exists():
            sys.exit(f"{done.stdout}{done.stderr}")
        found = json.loads(report.read_text())
        finished = found["verdict"] != "inconclusive"
        return (found["executions"] if finished else None, found["statistics"]["asleep"],
                found["seconds"])


def number(text):
    return int(text) if text.isdigit() else None


def expected(row, technique, column):
    """(the number of executions not to be exceeded, or None; whether it must be that number)"""
    if row["program"] in OTHER_PROGRAMS or technique in SHOWN_ONLY:
        return None, False
    if column == "odpor_cs_ob" and row.get("sound_repair"):
        return int(row["sound_repair"]), False
    return number(row[column]), technique in EXACT


def as_expected(executions, row, technique, column):
    bound, exactly = expected(row, technique, column)
    if bound is None:
        return True
    return executions is not None and (executions == bound if exactly else executions <= bound)


def table(checker, rows, out, figures):
    """The rows that are not as expected."""
    writer = csv.writer(out)
    writer.writerow(["program", "n"] + [f"{technique} {what}" for technique, _ in TECHNIQUES
                                        for what in ("executions", "paper", "abandoned", "seconds")])
    heads = ["optimal", "observers", "source-context", "chains", "full"]
    print(f"{'program':22} {'N':>2}" + "".join(f" | {head:>14} {'paper':>7} {'time':>6}"
                                               for head in heads), flush=True)
    unexpected = []
    for row in rows:
        program, n = row["program"], int(row["n"])
        binary = checker.build(*source_and_flags(program, n))
        line, cells, basis, good = "", [], None, True
        for technique, column in TECHNIQUES:
            paper = number(row[column])
            finished_there = paper is not None and program not in OTHER_PROGRAMS
            patience = max(PAPERS_LIMIT, checker.limit) if finished_there else checker.limit
            executions, asleep, seconds = checker.check(binary, technique, patience)
            basis = basis or seconds
            fine = as_expected(executions, row, technique, column)
            good = good and fine
            more = executions is not None and paper is not None and executions > paper
            mark = "!" if not fine else "*" if more else ""
            shown = ("-" if executions is None else str(executions)) + mark
            line += f" | {shown:>14} {paper if paper is not None else '-':>7} " \
                    f"{seconds / max(basis, 1e-3):>5.1f}x"
            cells += [executions if executions is not None else "", row[column], asleep,
                      f"{seconds:.4f}"]
            figures.setdefault(program, {}).setdefault(technique, []).append((n, executions))
        print(f"{program:22} {n:>2}{line}", flush=True)
        writer.writerow([program, n, *cells])
        if not good:
            unexpected.append(f"{program} {n}")
    return unexpected


OVERHEAD = [("lastwrite-dif", 8, "optimal", "optimal-context"), ("abs-dif", 5, "optimal", "optimal-context"),
            ("floatingread-dif", 7, "optimal", "optimal-context"),
            ("floatingread-dif", 10, "optimal-observers", "optimal-context-observers"),
            ("lastwrite-dif", 60, "optimal-observers", "optimal-context-observers"),
            ("abs-dif", 24, "optimal-observers", "optimal-context-observers")]
REFINED_SIZES = (5, 10, 15, 20, 25, 30)
REPEATS = 9


def best_of(checker, binary, techniques):
    """The shortest time of each technique, taken in turns; all must explore the same number."""
    best, counts = {}, set()
    for _ in range(REPEATS):
        for technique in techniques:
            executions, _, seconds = checker.check(binary, technique)
            counts.add(executions)
            best[technique] = min(seconds, best.get(technique, seconds))
    return [best[technique] for technique in techniques], counts


def overhead(checker):
    print(f"What context sensitivity costs where it cannot help (best of {REPEATS}, taken in turns)")
    for program, n, without, technique in OVERHEAD:
        (plain, context), counts = best_of(checker, checker.build(*source_and_flags(program, n)),
                                           [without, technique])
        print(f"{program:22} {n:>2} {'/'.join(map(str, counts)):>8} executions: {technique} takes "
              f"{context / plain:.2f} times as long as {without}", flush=True)


def refined(checker):
    print(f"The refined check on arraywrite (best of {REPEATS}, taken in turns)")
    for n in REFINED_SIZES:
        (refined_time, whole), _ = best_of(
            checker, checker.build(*source_and_flags("arraywrite", n)),
            ["optimal-context-observers", "optimal-context-observers:whole-states"])
        print(f"{n:>25} with {refined_time:.4f} s, without {whole:.4f} s, speed-up "
              f"{whole / refined_time:.2f}", flush=True)


def figure(path, figures):
    """Executions against N, a small panel for each program, on a logarithmic scale."""
    colours = ["#c0392b", "#2471a3", "#1e8449", "#d68910", "#8e44ad"]
    width, height, columns = 230, 170, 4
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * width + 20}" '
             f'height="{40 + height * math.ceil(len(figures) / columns)}" '
             'font-family="sans-serif" font-size="10">']
    for at, (technique, _) in enumerate(TECHNIQUES):
        lines.append(f'<rect x="{10 + at * 200}" y="8" width="10" height="10" fill="{colours[at]}"/>'
                     f'<text x="{24 + at * 200}" y="17">{technique}</text>')
    for place, (program, series) in enumerate(figures.items()):
        left, top = 10 + place % columns * width, 40 + place // columns * height
        sizes = sorted({n for points in series.values() for n, _ in points})
        largest = max([value or 1 for points in series.values() for _, value in points] + [10])
        lines.append(f'<text x="{left}" y="{top + 10}" font-size="12">{program}</text>')
        for at, (technique, _) in enumerate(TECHNIQUES):
            points = []
            for n, value in series[technique]:
                if value is None:
                    continue
                x = left + 20 + (width - 60) * (sizes.index(n) / max(len(sizes) - 1, 1))
                y = top + height - 30 - (height - 60) * math.log10(max(value, 1)) / math.log10(largest)
                points.append((x, y))
                lines.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="2.5" fill="{colours[at]}"/>')
            path_points = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
            lines.append(f'<polyline points="{path_points}" fill="none" stroke="{colours[at]}"/>')
        for n in sizes:
            x = left + 20 + (width - 60) * (sizes.index(n) / max(len(sizes) - 1, 1))
            lines.append(f'<text x="{x - 4:.0f}" y="{top + height - 12}">{n}</text>')
    lines.append("</svg>")
    path.write_text("\n".join(lines) + "\n")


def main(mazurka, output, rest):
    parser = argparse.ArgumentParser(prog="dev bench tables --paper odpor-cs-ob",
                                     description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=10,
                        help=f"seconds per search; at least {PAPERS_LIMIT} where the paper's finished")
    parser.add_argument("--all", action="store_true",
                        help="every size of the tables, not the smallest two of each program")
    parser.add_argument("--only", help="this program alone")
    arguments = parser.parse_args(rest)
    figures, unexpected = {}, []
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(mazurka, folder, arguments.limit)
        patient = Checker(mazurka, folder, max(arguments.limit, 120))
        for which in (1, 2):
            rows = list(csv.DictReader((HERE / f"odpor-cs-ob-table{which}.csv").open()))
            if arguments.only:
                rows = [row for row in rows if row["program"] == arguments.only]
            elif not arguments.all:
                seen = {}
                rows = [row for row in rows
                        if seen.setdefault(row["program"], []).append(row) or
                        len(seen[row["program"]]) <= QUICK_SIZES]
            print(f"Table {which}")
            with (output / f"odpor-cs-ob-table{which}.csv").open("w", newline="") as out:
                unexpected += table(checker, rows, out, figures)
        if not arguments.only:
            overhead(patient)
            refined(patient)
    figure(output / "odpor-cs-ob.svg", figures)
    print(f"not judged: {', '.join(sorted(OTHER_PROGRAMS))}\n"
          f"rows that are not as expected: {len(unexpected)}"
          + (f" ({', '.join(unexpected)})" if unexpected else ""))
    print(f"written: {os.path.relpath(output)}/odpor-cs-ob-table1.csv, -table2.csv, odpor-cs-ob.svg")
    return 1 if unexpected else 0
