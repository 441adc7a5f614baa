"""Unfolding-based DPOR of message programs: Table 1 of the paper, ours beside theirs.

Three parts. Table 1: the traces that `unfolding` (optimal alternatives) and `optimal` explore, and
whether the deadlock is found where the paper says so; interleavings are the paper's, which the test
messages_test counts on models of the same programs. Larger: the same beyond the paper's sizes, with
the time of `unfolding` relative to `optimal` taken in this run, and how many events of the unfolding
were kept at one time. k: how many executions and how much time k-partial alternatives need, relative
to optimal ones, as a table and a figure.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent / "messages"
PROGRAMS = {
    ("wait-deadlock", 2): ("wait_deadlock", ()),
    ("complex-deadlock", 3): ("complex_deadlock", ()),
    ("waitall-deadlock", 3): ("waitall_deadlock", ()),
    ("no-error-wait-any_src", 3): ("no_error_wait_any_src", ()),
    ("any-src-can-deadlock3", 3): ("any_src_can_deadlock3", ()),
    ("DTG", 5): ("dtg", ()),
    ("RMQ-receiving", 4): ("rmq_receiving", ("-DN=4",)),
    ("RMQ-receiving", 5): ("rmq_receiving", ("-DN=5",)),
    ("Master-worker", 3): ("master_worker", ("-DN=3",)),
    ("Master-worker", 4): ("master_worker", ("-DN=4",)),
}
# Beyond the paper: the number of traces is known.
LARGER = [
    ("RMQ-receiving 6", "rmq_receiving", ("-DN=6",), 120),
    ("RMQ-receiving 7", "rmq_receiving", ("-DN=7",), 720),
    ("RMQ-receiving 8", "rmq_receiving", ("-DN=8",), 5040),
    ("Master-worker 5", "master_worker", ("-DN=5",), 24),
    ("Master-worker 6", "master_worker", ("-DN=6",), 120),
    ("token ring", "token_ring", (), None),
    ("two-phase commit", "two_phase_commit", (), None),
    ("pipeline", "pipeline", (), None),
    ("work stealing", "work_stealing", (), None),
    ("polling 4", "polling", ("-DN=4",), 80),
    ("polling 6", "polling", ("-DN=6",), 448),
]
K_PROGRAMS = [("RMQ-receiving 7", "rmq_receiving", ("-DN=7",)),
              ("work stealing", "work_stealing", ("-DTASKS=3",)),
              ("polling 6", "polling", ("-DN=6",))]
K_VALUES = ["1", "2", "3", "4", "6", "optimal"]


class Failure(Exception):
    pass


class Checker:
    def __init__(self, mazurka, folder, limit):
        self.mazurka, self.folder, self.limit = pathlib.Path(mazurka).resolve(), folder, limit

    def build(self, source, flags):
        binary = pathlib.Path(self.folder) / (source + "".join(flags).replace("-D", "_"))
        if not binary.exists():
            compiler = self.mazurka.parent / "mazurka-c++"
            done = subprocess.run([compiler, "-std=c++20", "-g", "-O1", *flags, "-o", binary,
                                   SOURCES / f"{source}.cpp"],
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise Failure(done.stdout + done.stderr)
        return binary

    def check(self, binary, technique, *options):
        report = pathlib.Path(self.folder) / "report.json"
        report.unlink(missing_ok=True)
        done = subprocess.run([self.mazurka, "check", binary, "--technique", technique, "--json",
                               report, "--keep-going", "--max-time", f"{self.limit}s", *options],
                              capture_output=True, text=True, check=False, cwd=self.folder)
        if done.returncode == 2 or not report.exists():
            raise Failure(done.stdout + done.stderr)
        return json.loads(report.read_text())


def show(cells, widths):
    print("  ".join(str(cell).ljust(width) for cell, width in zip(cells, widths)).rstrip(),
          flush=True)


def has_deadlock(report):
    return any(finding["kind"] == "deadlock" for finding in report["findings"])


def table1(checker, output):
    print("Table 1")
    widths = [22, 3, 13, 14, 7, 10, 9, 8]
    heads = ["program", "#P", "paper: inter.", "traces (paper)", "optimal", "unfolding", "deadlock",
             ""]
    show(heads, widths)
    wrong = 0
    with (output / "udpor-table1.csv").open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(heads[:-1])
        for row in csv.DictReader((HERE / "udpor-table1.csv").open()):
            key = (row["program"], int(row["processes"]))
            binary = checker.build(*PROGRAMS[key])
            reports = [checker.check(binary, technique) for technique in ("optimal", "unfolding")]
            counts = [report["executions"] for report in reports]
            found = [has_deadlock(report) for report in reports]
            good = all(str(count) == row["traces"] for count in counts) and \
                all(("yes" if one else "no") == row["deadlock"] for one in found)
            wrong += 0 if good else 1
            cells = [*key, row["interleavings"] or "-", row["traces"], *counts,
                     "yes" if found[1] else "no"]
            show([*cells, "" if good else "DIFFERS"], widths)
            writer.writerow(cells)
    return wrong


def larger(checker, output):
    print("\nBeyond the paper; time of unfolding relative to optimal in this run")
    widths = [18, 9, 9, 9, 13, 14, 12]
    heads = ["program", "expected", "optimal", "unfolding", "relative time", "events stored",
             "memory (MB)"]
    show(heads, widths)
    wrong = 0
    with (output / "udpor-larger.csv").open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(heads)
        for label, source, flags, expected in LARGER:
            binary = checker.build(source, flags)
            optimal = checker.check(binary, "optimal")
            unfolding = checker.check(binary, "unfolding")
            counts = [optimal["executions"], unfolding["executions"]]
            cut = "inconclusive" in (optimal["verdict"], unfolding["verdict"])
            if not cut and (counts[0] != counts[1] or (expected and counts[0] != expected)):
                wrong += 1
            ratio = unfolding["seconds"] / max(optimal["seconds"], 1e-9)
            cells = [label, expected or "", *(f"{'>' if cut else ''}{n}" for n in counts),
                     f"{ratio:.1f}", unfolding["statistics"]["stored_events"],
                     f"{unfolding['statistics']['peak_memory'] / 1e6:.0f}"]
            show(cells, widths)
            writer.writerow(cells)
    return wrong


def plot(path, rows):
    """Executions (abandoned ones included) and time over k, relative to optimal alternatives."""
    width, height, left, top = 260, 220, 50, 40
    total = left + len(rows) * (width + 60)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{height + 110}" '
             'font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="white"/>']
    for number, (label, points) in enumerate(rows):
        x0 = left + number * (width + 60)
        most = max(max(p[1], p[2]) for p in points) * 1.1
        parts.append(f'<text x="{x0}" y="20" font-weight="bold">{label}</text>')
        parts.append(f'<path d="M{x0} {top} V{top + height} H{x0 + width}" fill="none" '
                     'stroke="black"/>')
        for share in (0, 0.5, 1):
            y = top + height * (1 - share)
            parts.append(f'<text x="{x0 - 6}" y="{y + 4}" text-anchor="end">'
                         f'{most * share:.1f}</text>')
        step = width / (len(points) - 1)
        for which, colour in ((1, "#1f6fb4"), (2, "#d06a1c")):
            line = " ".join(f"{x0 + at * step:.1f},{top + height * (1 - p[which] / most):.1f}"
                            for at, p in enumerate(points))
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" '
                         'stroke-width="2"/>')
        for at, point in enumerate(points):
            parts.append(f'<text x="{x0 + at * step:.1f}" y="{top + height + 18}" '
                         f'text-anchor="middle">{point[0]}</text>')
    y = top + height + 45
    parts.append(f'<text x="{left}" y="{y}">k</text>')
    parts.append(f'<text x="{left + 40}" y="{y}" fill="#1f6fb4">executions relative to optimal '
                 'alternatives</text>')
    parts.append(f'<text x="{left + 380}" y="{y}" fill="#d06a1c">time relative to optimal '
                 'alternatives</text></svg>')
    path.write_text("\n".join(parts))


def partial(checker, output):
    print("\nk-partial alternatives: executions + abandoned, and time relative to optimal")
    widths = [18, *([18] * len(K_VALUES))]
    show(["program", *(f"k={k}" if k != "optimal" else k for k in K_VALUES)], widths)
    rows = []
    with (output / "udpor-k.csv").open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["program", "k", "executions", "abandoned", "relative time"])
        for label, source, flags in K_PROGRAMS:
            binary = checker.build(source, flags)
            reports = {k: checker.check(binary, "unfolding", "--alternatives", k)
                       for k in K_VALUES}
            base = reports["optimal"]
            cells, points = [label], []
            for k, report in reports.items():
                done, asleep = report["executions"], report["asleep"]
                ratio = report["seconds"] / max(base["seconds"], 1e-9)
                mark = ">" if report["verdict"] == "inconclusive" else ""
                cells.append(f"{mark}{done}+{asleep} x{ratio:.2f}")
                points.append((k, (done + asleep) / base["executions"], ratio))
                writer.writerow([label, k, done, asleep, f"{ratio:.3f}"])
            show(cells, widths)
            rows.append((label, points))
    plot(output / "udpor-k.svg", rows)
    print(f"figure: {output / 'udpor-k.svg'}")


def main(mazurka, output, rest):
    parser = argparse.ArgumentParser(prog="dev bench tables --paper udpor",
                                     description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=60, help="seconds per search")
    parser.add_argument("--table1", action="store_true", help="only Table 1")
    arguments = parser.parse_args(rest)
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(mazurka, folder, arguments.limit)
        wrong = table1(checker, output)
        if not arguments.table1:
            wrong += larger(checker, output)
            partial(checker, output)
    print(f"\nrows that differ from what is expected: {wrong}")
    return 1 if wrong else 0
