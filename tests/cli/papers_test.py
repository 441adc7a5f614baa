#!/usr/bin/env python3
"""The papers' tables: how ours is judged beside theirs, and a page of one row."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parent.parent.parent / "bench"
sys.path.insert(0, str(BENCH / "paper_tables"))
from cells import Cell, Task, unexplained  # noqa: E402


def judge(ours, theirs, finished=True, **more):
    cell = Cell("Table", "row", "column", Task("threads", "source"), theirs=theirs, **more)
    mark, note = cell.relation({"finished": finished, "executions": ours})
    return mark, unexplained(mark, note)


class Judged(unittest.TestCase):
    def test_less_is_better_where_it_is_work(self):
        self.assertEqual(judge(3, "3"), ("equal", False))
        self.assertEqual(judge(2, "3"), ("better", False))
        self.assertEqual(judge(4, "3"), ("worse", True))
        self.assertEqual(judge(4, "3", why="a reason"), ("worse", False))

    def test_less_is_wrong_where_it_is_a_number_of_traces(self):
        self.assertEqual(judge(2, "3", judged="exactly"), ("worse", True))
        self.assertEqual(judge(2, "3", judged="exactly", why="a reason"), ("differs", False))

    def test_what_did_not_finish(self):
        self.assertEqual(judge(100, "3", finished=False), ("cut", True))
        self.assertEqual(judge(100, "timeout", finished=False), ("none", False))
        self.assertEqual(judge(100, "timeout"), ("better", False))
        self.assertEqual(judge(100, ">50"), ("better", False))

    def test_what_is_only_shown(self):
        self.assertEqual(judge(100, ">50", judged="shown"), ("none", False))
        self.assertEqual(judge(9, "3", judged="shown", other_model="not printed"), ("none", False))
        self.assertEqual(judge(3, "3", judged="shown"), ("equal", False))

    def test_other_models_and_errors(self):
        self.assertEqual(judge(9, "3", other_model="not printed"), ("other", False))
        cell = Cell("Table", "row", "column", Task("threads", "source"), theirs="3", why="a reason")
        mark, note = cell.relation({"error": "it does not compile"})
        self.assertTrue(unexplained(mark, note))


class Page(unittest.TestCase):
    def bench(self, folder, *options):
        done = subprocess.run(
            [sys.executable, BENCH / "papers.py", "--mazurka", os.environ["MAZURKA"], "--output", folder, *options],
            capture_output=True, text=True, check=False)
        return done

    def test_a_row_is_searched_once(self):
        chosen = ("--paper", "cdpor", "--table", "Table 1", "--row", "N = 3")
        with tempfile.TemporaryDirectory() as folder:
            done = self.bench(folder, *chosen)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("worse and unexplained: 0", done.stdout)
            self.assertIn("3 of 3 searches", done.stderr)
            page = pathlib.Path(folder) / "papers"
            self.assertIn("| N = 3 | 20 (20) = | 69 (69) = | 8 (8) = | 52 (52) = |", (page / "papers.md").read_text())
            self.assertIn("<svg", (page / "cdpor-1.svg").read_text())
            # A run that was killed left half a line behind.
            known = page / "results.jsonl"
            lines = known.read_text().splitlines()
            known.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:10])
            again = self.bench(folder, *chosen)
            self.assertIn("1 of 1 searches", again.stderr)
            self.assertIn("20 (20) =", (page / "papers.html").read_text())


if __name__ == "__main__":
    unittest.main()
