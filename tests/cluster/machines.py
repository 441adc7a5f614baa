"""A cluster on this machine: a Redis server of our own, workers and watchers, all of which can be killed."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from calling import MAZURKA, PATIENCE, InFolder  # noqa: E402
from programs import RACERS  # noqa: E402

REDIS = shutil.which("redis-server")
NO_SERVER = 77  # the exit code of a test that can not be done here

# (WORKERS * STEPS)! / STEPS!^WORKERS orders, and where one looks in between. Two assertions fail.
LOOKING = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *work(void *argument) {
  for (int i = 0; i < STEPS; ++i)
    if (atomic_fetch_add(&x, 1) < 0) break;
  return argument;
}
static void *look(void *argument) {
  assert(atomic_load(&x) != BAD);
  for (int i = 1; i < LOOKS; ++i)
    if (atomic_load(&x) < 0) break;
  assert(atomic_load(&x) != BAD + 1);
  return argument;
}
int main(void) {
  pthread_t t[WORKERS + 1];
  for (int i = 0; i < WORKERS; ++i) pthread_create(&t[i], NULL, work, NULL);
  pthread_create(&t[WORKERS], NULL, look, NULL);
  for (int i = 0; i <= WORKERS; ++i) pthread_join(t[i], NULL);
  return 0;
}
"""


def free_port():
    """None of those that the system gives to clients: whoever tries to reach a server that is not
    there could get the server's own port, and reach itself."""
    while True:
        port = random.randrange(10_000, 30_000)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass  # somebody has it


class Server:
    """Redis, with a log on disk that survives it."""

    def __init__(self, folder, *options):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.options = options
        self.process = None
        self.start()

    @property
    def address(self):
        return f"redis://127.0.0.1:{self.port}"

    def start(self):
        with open(self.folder / "log", "a") as log:
            self.process = subprocess.Popen(
                [REDIS, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
                + ["--appendonly", "yes", "--save", "", *self.options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def wait(self):
        deadline = time.monotonic() + 30 * PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def tell(self, *words):
        """One command, and the answer as it comes."""
        text = b"*%d\r\n" % len(words)
        for word in words:
            data = word.encode() if isinstance(word, str) else word
            text += b"$%d\r\n%s\r\n" % (len(data), data)
        with socket.create_connection(("127.0.0.1", self.port)) as line:
            line.sendall(text)
            line.settimeout(5)
            return line.recv(1 << 16)


class Cluster(InFolder):
    options = ()

    def setUp(self):
        super().setUp()
        (self.folder / "tmp").mkdir()
        self.environment["TMPDIR"] = str(self.folder / "tmp")
        self.started = []
        self.server = Server(self.folder / "redis", *self.options)
        self.addCleanup(self.end_all)
        self.server.wait()
        self.address = self.server.address

    def end_all(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.communicate()
            process.stdout.close()
        self.server.kill()

    def start(self, *words):
        process = subprocess.Popen(
            [str(word) for word in [MAZURKA, *words]],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.started.append(process)
        return process

    def worker(self, jobs=1, silence="2s", **options):
        """With options as words: idle="1s"."""
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        return self.start("work", self.address, "--jobs", jobs, "--silence", silence, *words)

    def binary(self, name, text, **values):
        self.write(f"{name}.c", text)
        flags = [f"-D{key}={value}" for key, value in values.items()]
        done = self.run_command(
            [MAZURKA.parent / "mazurka-cc", "-O1", *flags, f"{name}.c", "-o", name]
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return f"./{name}"

    def looking(self, name="looking", workers=3, steps=3, looks=1, bad=4):
        return self.binary(name, LOOKING, WORKERS=workers, STEPS=steps, LOOKS=looks, BAD=bad)

    def racers(self, processes, steps):
        return self.binary("racers", RACERS, PROCESSES=processes, STEPS=steps)

    def words(self, *arguments, report="report.json"):
        words = ["check", "--technique", "reverse", "--progress", "never", "--json", report]
        return [str(word) for word in [*words, *arguments]]

    def report(self, name="report.json"):
        return json.loads((self.folder / name).read_text())

    def check(self, *arguments, expect=None):
        (self.folder / "report.json").unlink(missing_ok=True)
        self.mazurka(*self.words(*arguments), expect=expect)
        return self.report()

    def watch(self, *arguments, report="report.json"):
        (self.folder / report).unlink(missing_ok=True)
        return self.start(*self.words(*arguments, "--cluster", self.address, report=report))

    def end_of(self, process, expect):
        text, _ = process.communicate(timeout=120 * PATIENCE)
        self.assertEqual(process.returncode, expect, text)
        return text

    def status(self):
        return json.loads(self.mazurka("status", self.address, "--json", expect=0).stdout)

    def searches(self):
        return self.status()["searches"]

    def counts(self, report):
        findings = sorted((one["kind"], one["message"]) for one in report["findings"])
        return (
            report["verdict"],
            report["executions"],
            report["statistics"]["digest"],
            findings,
        )

    def assert_tidy(self):
        """No process and no file is left behind when all have ended."""
        for process in self.started:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=60 * PATIENCE)
        left = []
        for command in Path("/proc").glob("[0-9]*/exe"):
            try:
                program = os.readlink(command)
            except OSError:
                continue  # it has ended
            if str(self.folder) in program:
                left.append(program)
        self.assertEqual(left, [])


class Disturbance:
    """Kills workers, the watcher and the server, and starts each again."""

    def __init__(self, cluster, seed, program, options, workers=3):
        self.cluster = cluster
        self.lots = random.Random(seed)
        self.arguments = [program, *options]
        self.workers = [cluster.worker() for _ in range(workers)]
        self.watcher = cluster.watch(*self.arguments)
        self.killed = {"worker": 0, "watcher": 0, "server": 0}

    def kill(self, process):
        process.kill()
        process.communicate()

    def pause(self, least, most):
        time.sleep(self.lots.uniform(least, most))

    def disturb(self):
        victim = self.lots.choice(["worker", "worker", "watcher", "server"])
        if victim == "worker":
            place = self.lots.randrange(len(self.workers))
            self.kill(self.workers[place])
            self.pause(0, 0.3)
            self.workers[place] = self.cluster.worker()
        elif victim == "watcher":
            if self.watcher.poll() is not None:
                return
            self.kill(self.watcher)
            self.pause(0, 0.3)
            self.watcher = self.cluster.watch(*self.arguments)
        else:
            self.cluster.server.kill()
            self.pause(0, 0.5)
            self.cluster.server.start()
        self.killed[victim] += 1

    def run(self, times, expect, pauses=(0.1, 0.8)):
        """Until the search is over, of which not more than so many kills keep it."""
        for _ in range(times):
            self.pause(*pauses)
            if self.watcher.poll() is not None:
                break
            self.disturb()
        self.cluster.end_of(self.watcher, expect)
        return self.killed
