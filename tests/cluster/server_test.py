"""What a server may do to the searches that it keeps: lose keys, refuse for a while, be asked again."""

import sys
import unittest

from machines import NO_SERVER, REDIS, Cluster
from losing import Cache, Losses
from calling import ERROR, FINDING, INCONCLUSIVE, VERIFIED

# Every order in which the messages arrive is another execution.
GATHERING = """
#include <assert.h>
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, size, seen = 0, last = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    for (int i = 0; i < (size - 1) * MESSAGES; ++i) {
      MPI_Recv(&last, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      seen += last;
    }
    assert(last != BAD);
    assert(seen == MESSAGES * size * (size - 1) / 2);
  } else {
    for (int i = 0; i < MESSAGES; ++i) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
"""


class Losing(Cluster):
    def test_a_lost_key_never_changes_the_verdict(self):
        program = self.looking()
        alone = self.counts(self.check(program, "--keep-going", expect=FINDING))
        workers = [self.worker() for _ in range(2)]
        losses = Losses(self, program, 1, alone)
        seen = {}
        for wanted in ("search", "tasks", "rest", "binary", "searches", "current", "slots", "users"):
            key, outcome, text = losses.run(wanted, 0.3)
            self.assertTrue(outcome, (wanted, key, text))
            seen[wanted] = outcome if key else "nothing was lost"
        self.assertIn("an error", seen.values(), seen)
        for wanted in ("searches", "current", "slots", "users"):
            self.assertNotEqual(seen[wanted], "an error", seen)
        self.assertEqual([worker.poll() for worker in workers], [None, None])
        self.assertEqual(self.searches(), [])
        left = [key for key in losses.keys().get("rest", []) + losses.keys().get("tasks", [])]
        self.assertEqual(left, [])

    def test_a_server_that_throws_keys_away(self):
        program = self.looking()
        alone = self.counts(self.check(program, "--keep-going", expect=FINDING))
        self.worker(jobs=2)
        losses = Losses(self, program, 1, alone)
        cache = Cache(self.server, "allkeys-lru", 2)
        self.addCleanup(lambda: cache.over.set())
        try:
            for _ in range(3):
                watcher = self.watch(program, "--keep-going")
                text, _ = watcher.communicate(timeout=120)
                self.assertIn("maxmemory-policy allkeys-lru", text)
                self.assertTrue(losses.outcome(watcher.returncode, text), text)
        finally:
            cache.end()

    def test_a_damaged_search_ends_no_other(self):
        programs = [self.looking(f"looking{bad}", bad=bad) for bad in (3, 4, 5)]
        alone = self.counts(self.check(programs[2], "--keep-going"))
        watchers = [
            self.watch(one, "--keep-going", report=f"{at}.json") for at, one in enumerate(programs)
        ]
        self.wait_for(lambda: len(self.searches()) == 3, "three searches")
        ids = {one["program"]: one["id"] for one in self.searches()}
        watchers[1].kill()
        rest, about = (f"mazurka:{ids[one]}" for one in programs[:2])
        self.server.tell("DEL", f"{rest}:rest:1")
        self.server.tell("HSET", about, "about", "{}")
        worker = self.worker(jobs=2)
        self.assertIn(f"its key {rest}:rest:1 is gone", self.end_of(watchers[0], ERROR))
        self.end_of(watchers[2], FINDING)
        self.assertEqual(self.counts(self.report("2.json")), alone)
        (damaged,) = self.searches()
        self.assertEqual((damaged["id"], damaged["state"]), (ids[programs[1]], "damaged"))
        self.assertIn("damaged", self.mazurka("status", self.address, expect=0).stdout)
        self.assertIsNone(worker.poll())
        self.mazurka("cancel", self.address, expect=0)
        self.assertEqual(self.searches(), [])


class Refusing(Cluster):
    options = ("--enable-protected-configs", "yes")

    def set(self, name, value):
        self.assertEqual(self.server.tell("CONFIG", "SET", name, value), b"+OK\r\n")

    def output_has(self, process, text):
        """Reads its lines until there is one with the text."""
        for line in process.stdout:
            if text in line:
                return
        self.fail(f"it ended without: {text}")

    def passes(self, word, begin, end):
        """A search goes on after the server has refused everything for a while."""
        program = self.looking()
        alone = self.counts(self.check(program, "--keep-going", expect=FINDING))
        watcher = self.watch(program, "--keep-going")
        self.wait_for(self.searches, "the search is there")
        worker = self.worker(jobs=2)
        self.output_has(worker, "works for")
        begin()
        self.output_has(worker, word)
        self.assertEqual((worker.poll(), watcher.poll()), (None, None))
        end()
        self.end_of(watcher, FINDING)
        self.assertEqual(self.counts(self.report()), alone)
        self.assertIsNone(worker.poll())

    def test_no_memory(self):
        self.passes("OOM", lambda: self.set("maxmemory", "1"), lambda: self.set("maxmemory", "0"))

    def test_no_disk(self):
        image = self.server.folder / "dump.rdb"

        def status():
            return b"rdb_last_bgsave_status:ok" in self.server.tell("INFO", "persistence")

        def save():
            self.server.tell("BGSAVE")

        def begin():
            self.set("save", "3600 1")
            image.mkdir()  # so that no file can have this name
            (image / "x").touch()
            save()
            self.wait_for(lambda: not status(), "the image can not be saved")

        def end():
            (image / "x").unlink()
            image.rmdir()
            save()
            self.wait_for(status, "the image is saved")

        self.passes("MISCONF", begin, end)


class Counting(Cluster):
    def test_executions_are_exact_whoever_watches(self):
        large = self.racers(5, 4)
        limit = 20000
        self.worker(jobs=2)
        done = 0
        for part in (0.2, 0.5):
            watcher = self.watch(large, "--max-executions", limit)
            self.wait_for(
                lambda: any(one["executions"] > part * limit for one in self.searches()),
                "a part of the executions",
            )
            watcher.kill()
        for _ in range(2):  # and the second one finds all of them done
            report = self.check(
                large, "--max-executions", limit, "--cluster", self.address, expect=INCONCLUSIVE
            )
            self.assertEqual(report["executions"], limit)
        more = limit + 5000
        report = self.check(
            large, "--max-executions", more, "--cluster", self.address, expect=INCONCLUSIVE
        )
        self.assertEqual(report["executions"], more)

    def test_a_limit_that_comes_later(self):
        large = self.racers(5, 4)
        watcher = self.watch(large)
        self.worker(jobs=2)
        self.wait_for(
            lambda: any(one["executions"] > 3000 for one in self.searches()), "some executions"
        )
        watcher.kill()
        for limit in (1000, 30000):  # those that are too many can not be taken back
            done = self.searches()[0]["executions"]
            report = self.check(
                large, "--max-executions", limit, "--cluster", self.address, expect=INCONCLUSIVE
            )
            if limit > done:
                self.assertEqual(report["executions"], limit)


class Ranks(Cluster):
    def test_programs_of_mpi(self):
        self.write("gathering.c", GATHERING)
        self.worker(jobs=2)
        how = ["--ranks", 4, "--buffering", "zero", "--collectives", "sync", "--keep-going"]
        for bad, expect in ((0, VERIFIED), (2, FINDING)):
            flags = ["--", "-DMESSAGES=4", f"-DBAD={bad}"]
            alone = self.check("gathering.c", *how, *flags, expect=expect)
            together = self.check(
                "gathering.c", *how, "--cluster", self.address, *flags, expect=expect
            )
            self.assertEqual(self.counts(together), self.counts(alone))
            self.assertGreater(alone["executions"], 3000)


if __name__ == "__main__":
    if REDIS is None:
        print("skipped: redis-server is not installed (Debian: redis-server)")
        sys.exit(NO_SERVER)
    unittest.main()
