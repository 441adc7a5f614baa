"""Searches by a cluster: the same as by one process, whoever is killed and whatever is lost."""

import os
import signal
import sys
import time
import unittest
from pathlib import Path

from machines import MAZURKA, NO_SERVER, PATIENCE, REDIS, Cluster, Disturbance, free_port
from calling import ERROR, FINDING, INCONCLUSIVE, SOURCE, VERIFIED
from programs import HUNGRY, LEARNED


class Searches(Cluster):
    def test_the_same_as_by_one_process(self):
        looking = self.looking()
        racers = self.racers(4, 2)
        workers = [self.worker(jobs=2), self.worker()]
        for program, options, expect in (
            (looking, ["--keep-going"], FINDING),
            (racers, ["--racy"], VERIFIED),
        ):
            alone = self.check(program, *options, expect=expect)
            together = self.check(program, *options, "--cluster", self.address, expect=expect)
            self.assertEqual(self.counts(together), self.counts(alone), program)
        for finding in self.check(
            looking, "--keep-going", "--cluster", self.address, expect=FINDING
        )["findings"]:
            self.assertTrue(finding["story"]["rows"])
            self.mazurka("replay", finding["replay"].split()[-1], expect=FINDING)
        self.assertEqual(self.searches(), [])
        for worker in workers:
            worker.send_signal(signal.SIGINT)
            self.assertIn("good-bye", self.end_of(worker, 0))
        self.assert_tidy()
        self.assertEqual(list((self.folder / "tmp").glob("mazurka-jobs-*")), [])

    def test_one_finding_is_enough(self):
        self.worker(jobs=2)
        report = self.check(self.looking(bad=8), "--cluster", self.address, expect=FINDING)
        self.assertEqual(len(report["findings"]), 1)

    def test_a_short_search_needs_no_workers(self):
        racers = self.racers(2, 2)
        alone = self.check(racers, expect=VERIFIED)
        together = self.check(racers, "--cluster", self.address, expect=VERIFIED)
        self.assertEqual(self.counts(together), self.counts(alone))

    def test_what_is_learnt_on_the_way(self):
        self.worker(jobs=2)
        name, text = next(iter(LEARNED.items()))
        self.write(f"{name}.c", text)
        alone = self.check(f"{name}.c", "--memory", "sc")
        together = self.check(f"{name}.c", "--memory", "sc", "--cluster", self.address)
        self.assertEqual(together["verdict"], alone["verdict"], name)


class Handling(Cluster):
    def test_limits(self):
        large = self.racers(5, 4)
        self.worker(jobs=2)
        limit = 30000
        report = self.check(
            large, "--max-executions", limit, "--cluster", self.address, expect=INCONCLUSIVE
        )
        self.assertEqual(report["executions"], limit)
        self.assertIn("--max-executions", report["reason"])
        report = self.check(
            large, "--max-time", "2s", "--cluster", self.address, expect=INCONCLUSIVE
        )
        self.assertIn("--max-time", report["reason"])
        self.assertGreater(report["executions"], limit)  # it went on where it was
        (search,) = self.searches()
        self.assertEqual((search["state"], search["tasks"]["at_work"]), ("stopped", 0))

    def test_a_program_that_needs_too_much_memory(self):
        self.worker(jobs=2)
        hungry = self.binary("hungry", HUNGRY)
        report = self.check(
            hungry, "--max-memory", "150M", "--cluster", self.address, expect=FINDING
        )
        self.assertIn("more memory than --max-memory", report["findings"][0]["message"])

    def test_the_user_interrupts_and_goes_on(self):
        looking = self.looking()
        alone = self.check(looking, "--keep-going", expect=FINDING)
        watcher = self.watch(looking, "--keep-going")
        self.wait_for(self.searches, "the search is there")  # without a worker it does not end
        watcher.send_signal(signal.SIGINT)
        text = self.end_of(watcher, FINDING if self.report_has_finding(watcher) else INCONCLUSIVE)
        self.assertIn("the same command goes on with it", text)
        self.assertLess(self.report()["executions"], alone["executions"])
        self.worker()
        again = self.check(looking, "--keep-going", "--cluster", self.address, expect=FINDING)
        self.assertEqual(self.counts(again), self.counts(alone))
        self.assertEqual(self.searches(), [])

    def report_has_finding(self, process):
        process.wait(timeout=60 * PATIENCE)
        return bool(self.report()["findings"])

    def test_side_by_side(self):
        programs = [self.looking(f"looking{bad}", bad=bad) for bad in (3, 5)]
        alone = [self.counts(self.check(one, "--keep-going")) for one in programs]
        watchers = [
            self.watch(one, "--keep-going", report=f"{at}.json") for at, one in enumerate(programs)
        ]
        self.wait_for(lambda: len(self.searches()) == 2, "two searches")
        self.worker(jobs=2)
        for at, watcher in enumerate(watchers):
            self.end_of(watcher, FINDING)
            self.assertEqual(self.counts(self.report(f"{at}.json")), alone[at])

    def test_status_and_cancel(self):
        watcher = self.watch(self.racers(5, 4))
        self.worker()
        self.wait_for(lambda: any(one["workers"] for one in self.searches()), "a worker at work")
        (search,) = self.searches()
        self.assertEqual(search["state"], "running")
        self.assertGreater(search["executions"], 0)
        self.assertGreater(search["workers"][0]["executions_per_second"], 0)
        self.assertIn(search["id"], self.mazurka("status", self.address, expect=0).stdout)
        done = self.mazurka("cancel", self.address, "nothing", expect=ERROR)
        self.assertIn("there is no search nothing", done.stderr)
        self.mazurka("cancel", self.address, search["id"], expect=0)
        self.assertIn("was cancelled", self.end_of(watcher, ERROR))
        self.assertEqual(self.searches(), [])
        keys = self.server.tell("KEYS", f"mazurka:{search['id']}:*")
        self.assertEqual(keys, b"*0\r\n")
        self.assertIn("there are no searches", self.mazurka("cancel", self.address).stdout)

    def test_others_are_refused(self):
        watcher = self.watch(self.racers(5, 4))
        self.wait_for(self.searches, "the search is there")
        key = f"mazurka:{self.searches()[0]['id']}"
        about = self.server.tell("HGET", key, "about").split(b"\r\n", 1)[1][:-2]
        for name, here in ((b"architecture: ", b"architecture: z"), (b"version: ", b"version: 9")):
            self.assertIn(name, about)
            self.server.tell("HSET", key, "about", about.replace(name, here))
            worker = self.worker()
            self.wait_for(
                lambda: any(name[:-2].decode() in one["why"] for one in self.searches()[0]["refusals"]),
                "a refusal",
            )
            worker.send_signal(signal.SIGTERM)
            self.assertIn("can not take part", self.end_of(worker, 0))
        self.server.tell("HSET", key, "about", about)
        libraries = self.server.tell("HGET", key, "libraries").split(b"\r\n", 1)[1][:-2]
        self.server.tell("HSET", key, "libraries", libraries.replace(b"libc.so.6: ", b"libc.so.6: x"))
        worker = self.worker()
        self.wait_for(
            lambda: any("libc.so.6" in one["why"] for one in self.searches()[0]["refusals"]),
            "a refusal because of a library",
        )
        self.assertEqual(self.searches()[0]["workers"], [])  # nothing of theirs was counted
        watcher.send_signal(signal.SIGINT)
        self.assertIn("can not take part", self.end_of(watcher, INCONCLUSIVE))

    def test_mistakes(self):
        program = self.racers(2, 1)
        for options, word in (
            (["--cluster", "nowhere"], "redis://"),
            (["--cluster", f"redis://127.0.0.1:{free_port()}", "--max-time", "1s"], "no answer"),
            (["--cluster", self.address, "--jobs", "2"], "--jobs"),
            (["--cluster", self.address, "--save", "x"], "--save"),
        ):
            done = self.mazurka(*self.words(program, *options), expect=ERROR)
            self.assertIn(word, done.stderr)
        done = self.mazurka("check", program, "--cluster", self.address, expect=ERROR)
        self.assertIn("--technique reverse", done.stderr)
        done = self.mazurka("status", f"redis://127.0.0.1:{free_port()}", expect=ERROR)
        self.assertIn("Connection refused", done.stderr)


class Secured(Cluster):
    rights = "mazurka on >se@cret ~mazurka:* +@all -@dangerous -@admin +info"
    options = ("--requirepass", "administrator", "--user", *rights.split())

    def test_passwords_and_rights(self):
        place = self.address.removeprefix("redis://")
        program = self.looking()
        alone = self.check(program, "--keep-going", expect=FINDING)
        for wrong in (self.address, f"redis://mazurka:wrong@{place}"):
            done = self.mazurka("status", wrong, expect=ERROR)
            self.assertRegex(done.stderr, "NOAUTH|WRONGPASS")
            self.end_of(self.start("work", wrong), ERROR)
        self.address = f"redis://mazurka:se%40cret@{place}"
        self.worker(jobs=2)
        together = self.check(program, "--keep-going", "--cluster", self.address, expect=FINDING)
        self.assertEqual(self.counts(together), self.counts(alone))
        self.environment["MAZURKA_REDIS_PASSWORD"] = "administrator"
        done = self.mazurka("status", f"redis://{place}", expect=0)
        self.assertNotIn("administrator", done.stdout)


class Killed(Cluster):
    def test_whoever_is_killed(self):
        program = self.looking()
        alone = self.counts(self.check(program, "--keep-going", expect=FINDING))
        kills = 0
        for seed in (1, 2, 3):
            disturbance = Disturbance(self, seed, program, ["--keep-going"])
            killed = disturbance.run(5, FINDING, pauses=(0, 0.1))
            kills += sum(killed.values())
            self.assertEqual(self.counts(self.report()), alone, (seed, killed))
            for worker in disturbance.workers:
                disturbance.kill(worker)
        self.assertGreater(kills, 0)  # a fast machine may be through before there are many
        self.assert_tidy()


class Doubled(Cluster):
    def test_tasks_that_are_done_twice_count_once(self):
        # Each thinks that the others are dead.
        program = self.looking()
        alone = self.counts(self.check(program, "--keep-going", expect=FINDING))
        for _ in range(3):
            self.worker(silence="0.001s")
        watcher = self.watch(program, "--keep-going")
        taken_over = 0
        while watcher.poll() is None:
            for search in self.searches():
                taken_over = max(taken_over, search["tasks"]["taken_over"])
            time.sleep(0.05)
        self.end_of(watcher, FINDING)
        self.assertEqual(self.counts(self.report()), alone)
        self.assertGreater(taken_over, 0)

    def test_a_server_that_forgets(self):
        program = self.looking()
        alone = self.counts(self.check(program, "--keep-going", expect=FINDING))
        watcher = self.watch(program, "--keep-going")
        self.wait_for(self.searches, "the search is there")
        worker = self.worker()
        self.wait_for(
            lambda: any(one["workers"] for one in self.searches()) or watcher.poll() is not None,
            "a result",
        )
        self.server.tell("FLUSHALL")
        self.end_of(watcher, FINDING)
        self.assertEqual(self.counts(self.report()), alone)
        worker.kill()

    def test_killed_workers_leave_nothing(self):
        watcher = self.watch(self.looking(steps=4), "--keep-going")
        worker = self.worker(jobs=2)
        self.wait_for(lambda: any(one["tasks"]["at_work"] for one in self.searches()), "work")
        folders = list((self.folder / "tmp").glob("mazurka-jobs-*"))
        worker.kill()
        worker.wait()
        self.assertTrue(folders)
        again = self.worker(idle="0.1s")
        self.wait_for(
            lambda: not any(
                one.exists() for one in folders if not self.is_held_by(one, watcher.pid)
            ),
            "the folder of the one that was killed is removed",
        )
        watcher.kill()
        watcher.wait()
        again.kill()
        again.wait()
        self.assert_tidy()

    def is_held_by(self, folder, process):
        for entry in Path(f"/proc/{process}/fd").iterdir():
            try:
                if os.readlink(entry).startswith(str(folder)):
                    return True
            except OSError:
                pass
        return False


if __name__ == "__main__":
    if REDIS is None:
        print("skipped: redis-server is not installed (Debian: redis-server)")
        sys.exit(NO_SERVER)
    unittest.main()
