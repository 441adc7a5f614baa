#!/usr/bin/env python3
"""Every table and figure of the five papers, ours beside theirs, as a page.

What was searched is kept beside the page: a run that was interrupted goes on where it was, and a second one
with another choice searches only what is new. A changed checker begins anew. --quick leaves out what takes long; it
ends within ten minutes on two cores. Exit code 1 if a number is worse than the paper's and nothing explains it.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "paper_tables"))
import cdpor  # noqa: E402
import odpor_cs_ob  # noqa: E402
import page  # noqa: E402
import stateful  # noqa: E402
import transdpor  # noqa: E402
import udpor  # noqa: E402
from checking import Checker  # noqa: E402

PAPERS = [cdpor, transdpor, udpor, odpor_cs_ob, stateful]


class Results:
    """By the key of a task; in a file, a line each, that begins with the checker's hash."""

    def __init__(self, file, checker):
        self.file = file
        self.known = {}
        lines = file.read_text().splitlines() if file.exists() else []
        kept = [checker]
        for line in lines[1:] if lines and lines[0] == checker else []:
            try:
                key, result = json.loads(line)
            except ValueError:
                continue  # the last line of a run that was killed
            self.known[key] = result
            kept.append(line)
        file.write_text("".join(line + "\n" for line in kept))

    def add(self, key, result):
        self.known[key] = result
        with self.file.open("a") as out:
            out.write(json.dumps([key, result]) + "\n")


def hash_of(mazurka):
    """Of all that searches."""
    digest = hashlib.sha256(mazurka.read_bytes())
    for library in sorted((mazurka.parent.parent / "lib").glob("libmazurka-*.so")):
        digest.update(library.read_bytes())
    return digest.hexdigest()


class Progress:
    def __init__(self, total):
        self.total, self.done, self.began, self.said = total, 0, time.monotonic(), 0.0
        self.terminal = sys.stderr.isatty()

    def step(self, label):
        self.done += 1
        now = time.monotonic()
        if not self.terminal and now - self.said < 20 and self.done < self.total:
            return
        self.said = now
        left = (now - self.began) / self.done * (self.total - self.done)
        text = f"{self.done} of {self.total} searches, about {left / 60:.1f} minutes left: {label}"
        if self.terminal:
            print(f"\r\033[K{text[:100]}", end="" if self.done < self.total else "\n", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)


def search(cells, mazurka, results):
    tasks = {cell.task.key: cell.task for cell in cells}
    todo = [task for key, task in tasks.items() if key not in results.known]
    progress = Progress(len(todo))
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(mazurka, folder)
        for task in todo:
            results.add(task.key, checker.run(task))
            progress.step(task.key)


def write_page(chosen, results, output, about):
    total, papers, wrong = collections.Counter(), [], []
    for paper, cells in chosen:
        judged = [page.Judged(cell, results.known[cell.task.key]) for cell in cells if cell.task.key in results.known]
        for one in judged:
            total[one.mark] += 1
            total["unexplained"] += one.unexplained
            if one.unexplained:
                wrong.append(f"{paper.NAME}, {one.cell.table}, {one.cell.row}, {one.cell.column}: {one.text()} {one.note}")
        tables = page.tables_of(judged)
        papers.append((paper, tables, page.figures(paper, tables, output)))
    (output / "papers.md").write_text(page.markdown(papers, total, about))
    (output / "papers.html").write_text(page.page(papers, total, about))
    return total, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True, help="the checker")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."), help="folder for the page")
    parser.add_argument("--quick", action="store_true", help="leave out what takes long: ten minutes")
    parser.add_argument("--paper", action="append", choices=[paper.NAME for paper in PAPERS], help="only this one")
    parser.add_argument("--table", help="only tables and figures whose name begins so")
    parser.add_argument("--row", help="only rows whose name begins so")
    parser.add_argument("--fresh", action="store_true", help="search everything again")
    arguments = parser.parse_args()
    output = arguments.output / "papers"
    output.mkdir(parents=True, exist_ok=True)
    known = output / "results.jsonl"
    if arguments.fresh:
        known.unlink(missing_ok=True)
    results = Results(known, hash_of(arguments.mazurka))
    chosen = []
    for paper in PAPERS:
        if arguments.paper and paper.NAME not in arguments.paper:
            continue
        cells = [cell for cell in paper.cells() if (cell.quick or not arguments.quick)
                 and cell.table.startswith(arguments.table or "") and cell.row.startswith(arguments.row or "")]
        chosen.append((paper, cells))
    interrupted = False
    try:
        search([cell for _, cells in chosen for cell in cells], arguments.mazurka, results)
    except KeyboardInterrupt:
        interrupted = True
    about = ("The quick form: what takes long is left out." if arguments.quick else "The whole.") + \
        (" Interrupted; the same command goes on." if interrupted else "")
    total, wrong = write_page(chosen, results, output, about)
    for line in wrong:
        print(line)
    print(page.summary(total))
    print(f"written: {output / 'papers.html'}, papers.md and figures")
    return 130 if interrupted else 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
