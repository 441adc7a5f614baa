"""Searches replayed on more workers than there are, from measured times (`./dev bench scale --simulate`)."""

import csv
import io
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import plot

HERE = Path(__file__).resolve().parent
WORKERS = [2**power for power in range(13)]
# program, size, options, and how many times longer executions are said to take
SEARCHES = [
    ("pi", 9, [], 1),
    ("pi", 9, [], 100),
    ("boundedbuffer", 10, [], 100),
    ("readers", 18, ["--racy"], 100),
    ("lastwrite", 10, ["--racy"], 100),
    ("lastwrite", 10, ["--racy"], 1000),
]
MOST_FOR_REST = 20_000  # executions, to see how much is left after them
TINY = "int main(void) { return 0; }\n"
CLIENTS = 8  # that ask the server at once
SECONDS = 4
NETWORK = 0.0002  # seconds there and back, in one building; here it is the loopback address


class Server:
    """Redis, for a moment."""

    def __init__(self, folder):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]
        program = shutil.which("redis-server")
        if program is None:
            sys.exit("redis-server is not installed (Debian: redis-server)")
        options = ["--bind", "127.0.0.1", "--appendonly", "yes", "--save", ""]
        self.process = subprocess.Popen(
            [program, "--port", str(self.port), "--dir", str(folder), *options],
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def __enter__(self):
        return f"redis://127.0.0.1:{self.port}"

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Simulation:
    def __init__(self, mazurka, folder):
        self.mazurka = mazurka
        self.tool = mazurka.parent / "mazurka-scale"
        self.folder = folder

    def check(self, *words):
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        command = [self.mazurka, "check", *words, "--json", report, "--progress", "never"]
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if not report.exists():
            sys.exit(f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
        return json.loads(report.read_text())

    def measured(self, name, size, options):
        """A file with what each task took; how many there are, seconds, bytes of what is left."""
        log = self.folder / f"{name}{size}.tasks"
        words = [HERE.parent / "threads" / f"{name}.c", "-O2", f"-DN={size}", *options]
        words += ["--technique", "reverse"]
        if not log.exists():
            self.check(*words, "--measure-tasks", log)
        with open(log) as lines:
            times = [int(line.split()[1]) for line in lines]
        executions, seconds = len(times), sum(times) / 1e9
        saved = self.folder / "saved"
        saved.unlink(missing_ok=True)
        self.check(*words, "--max-executions", min(MOST_FOR_REST, executions // 2), "--save", saved)
        rest = saved.stat().st_size if saved.exists() else 0
        return log, executions, seconds, rest

    def start_cost(self):
        """Seconds that a process takes which has nothing to explore."""
        (self.folder / "tiny.c").write_text(TINY)
        compiler = self.mazurka.parent / "mazurka-cc"
        subprocess.run([compiler, "tiny.c", "-o", "tiny"], cwd=self.folder, check=True)
        times = []
        for _ in range(15):
            begun = time.monotonic()
            self.check("./tiny", "--technique", "reverse")
            times.append(time.monotonic() - begun)
        return sorted(times)[len(times) // 2]

    def table(self, *words):
        done = subprocess.run(
            [str(word) for word in [self.tool, *words]], capture_output=True, text=True, check=True
        )
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def server_cost(self, rest):
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        with Server(folder) as address:
            (row,) = self.table("server", address, rest, CLIENTS, SECONDS)
        return {name: float(value) for name, value in row.items()}


def duration(seconds):
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def label(name, size, seconds):
    """With the time that one process would take."""
    return f"{name} {size}, {duration(seconds)}"


def run(mazurka, output, plotted):
    rows, courses = [], {}
    with tempfile.TemporaryDirectory() as folder:
        simulation = Simulation(mazurka.resolve(), Path(folder))
        start = simulation.start_cost()
        print(f"a process that has nothing to do: {1000 * start:.1f} ms")
        for name, size, options, slower in SEARCHES:
            log, executions, seconds, rest = simulation.measured(name, size, options)
            title = label(name, size, slower * seconds)
            costs = simulation.server_cost(max(rest, 1000))
            print(
                f"{title} ({executions:,} executions, x {slower}): a task leaves {rest:,} bytes; the server "
                f"needs {1e6 * costs['task']:.0f} us for a task, {1e6 * costs['poll']:.0f} us for a "
                f"question in vain; {costs['tasks_per_second']:,.0f} tasks per second",
                flush=True,
            )
            times = [start, costs["poll"], costs["task"], NETWORK]
            table = simulation.table("simulate", log, *times, slower, *WORKERS)
            points = courses[title] = []
            for row in table:
                if int(row["executions"]) != executions:
                    sys.exit(f"{name}: {row['executions']} executions of {executions}")
                points.append((int(row["workers"]), float(row["speed_up"])))
                rows.append({"program": name, "n": size, "slower": slower, **row})
                print(
                    f"  {row['workers']:>5} workers: {float(row['seconds']):>9.2f} s, "
                    f"x {float(row['speed_up']):>8.1f}, server {100 * float(row['server']):.1f} %",
                    flush=True,
                )
    output.mkdir(parents=True, exist_ok=True)
    with open(output / "scale_simulated.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    picture = plotted or output / "scale.svg"
    picture.write_text(plot.plot(courses, "Speed-up of simulated clusters"))
    print(f"plot: {picture}")
    return 0
