"""The simulation of a cluster (bench/scale) does all that is in a tree, and never the impossible."""

import csv
import io
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

TOOL = os.environ.get("MAZURKA_SCALE", "build/bin/mazurka-scale")


def random_tree(lots, size):
    """Numbers of children in the order in which one process performs the executions."""
    counts = [lots.choice([0, 1, 2, 5]) for _ in range(size)]
    open_tasks = 1
    for at, count in enumerate(counts):
        count = min(count, size - at - open_tasks)  # not more than there are executions left
        if open_tasks == 1 and at + 1 < size:
            count = max(count, 1)
        counts[at] = count
        open_tasks += count - 1
    return counts


class Simulated(unittest.TestCase):
    def simulate(self, lines, *words):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("".join(f"{children} {time}\n" for children, time in lines))
            file.flush()
            return subprocess.run(
                [TOOL, "simulate", file.name, *map(str, words)],
                capture_output=True,
                text=True,
                check=False,
            )

    def courses(self, lines, *words):
        done = self.simulate(lines, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def test_all_is_done_and_not_too_fast(self):
        for seed in range(20):
            lots = random.Random(seed)
            counts = random_tree(lots, lots.choice([1, 10, 3000]))
            lines = [(count, lots.randrange(10**5, 10**7)) for count in counts]
            whole = sum(time for _, time in lines) / 1e9
            for costs in ((0, 0, 0, 0), (0.03, 0.0001, 0.0005, 0.001)):
                for row in self.courses(lines, *costs, 3, 1, 2, 7, 64, 1000):
                    self.assertEqual(int(row["executions"]), len(lines), seed)
                    workers = int(row["workers"])
                    # The watcher is one more, for a moment.
                    self.assertLessEqual(float(row["speed_up"]), workers + 1.001, seed)
                    self.assertGreaterEqual(float(row["seconds"]) * (workers + 1), 3 * whole, seed)
                    if costs[0] == 0 and workers == 1:
                        self.assertAlmostEqual(float(row["speed_up"]), 1, delta=0.001)

    def test_a_tree_that_is_none(self):
        for lines in ([], [(1, 5)], [(0, 5), (0, 5)]):
            done = self.simulate(lines, 0, 0, 0, 0, 1, 1)
            self.assertEqual(done.returncode, 2, lines)


if __name__ == "__main__":
    unittest.main()
