"""Stateful reduction: Table 1 and Figures 10 and 11 of the paper, ours beside theirs.

Prints a row per instance and variant: our number of nodes, theirs, states per second of processor
time, bytes per state, and the shares of the time that PIFS and closure take, all from the same run.
Cells that would take longer than --limit are cut and marked. Figures are written as SVG.
"""

import argparse
import csv
import json
import math
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Our name of a variant, and the paper's column.
COLUMNS = [
    ("reach", "reach"), ("pset+sleep", "pset_sleep"), ("full+sleep", "full_sleep"),
    ("full-sleep", "full_nosleep"), ("minclosure+sleep", "minclosure_sleep"),
    ("apifs+sleep", "apifs_sleep"),
]
# What the paper could not finish in its time, with what is beyond it.
BEYOND = ["bg 9", "bg 10", "qo 200", "disp 200", "fs 15", "lz 13", "lz 14", "dp 15", "dp 16",
          "tk 11", "pet 6"]
INK = {"reach": "#888888", "pset+sleep": "#c0392b", "full+sleep": "#2471a3", "pifs": "#1e8449"}


class Checker:
    """Generates models and checks them, in a folder of its own."""

    def __init__(self, mazurka, folder, limit):
        self.mazurka, self.folder, self.limit = mazurka, pathlib.Path(folder), limit

    def model(self, *words):
        file = self.folder / ("_".join(map(str, words)).replace("--seed", "s") + ".tck")
        if not file.exists():
            subprocess.run([self.mazurka, "generate", *map(str, words), "-o", file], check=True)
        return file

    def check(self, file, variant, *more):
        """The report, or None if the limit cut it."""
        report = self.folder / "report.json"
        done = subprocess.run(
            [self.mazurka, "check", file, "--variant", variant, "--jobs", "1", "--allow-deadlock",
             "--max-time", f"{self.limit}s", "--json", report, *more], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 3):
            raise RuntimeError(done.stdout + done.stderr)
        return json.loads(report.read_text()) if done.returncode == 0 else None


def measures(report):
    """What a row shows of a run, besides its nodes."""
    if report is None:
        return {"states/s": "", "bytes/state": "", "pifs": "", "closure": "", "seconds": ""}
    run = report["stateful"]
    seconds = max(run["cpu_seconds"], 1e-9)
    # Parts of the search and the whole of it are measured with one clock, in one run.
    share = lambda part: f"{run[part] / run['search_seconds']:.0%}" if run[part] else ""
    return {"states/s": f"{run['states'] / seconds:,.0f}", "seconds": f"{report['seconds']:.2f}",
            "bytes/state": f"{run['bytes_per_state']:.1f}",
            "pifs": share("first_set_seconds"), "closure": share("source_set_seconds")}


def compare(ours, theirs):
    if not theirs.isdigit():
        return "paper: " + (theirs or "not tried")
    if ours is None:
        return "cut"
    return "equal" if ours == int(theirs) else "smaller" if ours < int(theirs) else "LARGER"


def table(checker, rows, only, out):
    heads = ["model", "variant", "ours", "paper", "", "states/s", "bytes/state", "pifs", "closure",
             "seconds"]
    widths = [9, 17, 11, 9, 17, 12, 11, 5, 7, 8]
    show = lambda cells: print(" ".join(str(c).rjust(w) if i > 1 and i != 4 else str(c).ljust(w)
                                        for i, (c, w) in enumerate(zip(cells, widths))), flush=True)
    show(heads)
    writer = csv.writer(out)
    writer.writerow(heads)
    for row in rows:
        if only and row["model"].split()[0] not in only and row["model"] not in only:
            continue
        file = checker.model(*row["model"].split())
        for variant, column in COLUMNS:
            report = checker.check(file, variant)
            ours = report["stateful"]["nodes"] if report else None
            extra = measures(report)
            cells = [row["model"], variant, ours if report else f">{checker.limit}s", row[column],
                     compare(ours, row[column]), *(extra[h] for h in heads[5:])]
            show(cells)
            writer.writerow(cells)


def beyond(checker, only):
    print("\nInstances beyond the paper's limit, with the portfolio (--variant auto):")
    for model in BEYOND:
        if only and model.split()[0] not in only and model not in only:
            continue
        report = checker.check(checker.model(*model.split()), "auto")
        if report is None:
            print(f"  {model:9} not finished in {checker.limit} s", flush=True)
            continue
        run = report["stateful"]
        print(f"  {model:9} {run['nodes']:>10,} nodes with {run['variant']}, order {run['order']}; "
              f"{report['seconds']:.1f} s, {report['statistics']['peak_memory'] / 2**20:,.0f} MiB, "
              f"{run['nodes_in_vain']:,} nodes tried in vain", flush=True)


# --- figures ----------------------------------------------------------------------------------------


class Svg:
    """A small chart with a logarithmic y axis."""

    def __init__(self, title, x_label, y_label, x_range, y_decades, log_x=False):
        self.log_x, self.x_range, self.decades = log_x, x_range, y_decades
        self.parts = [
            '<svg xmlns="http://www.w3.org/2000/svg" width="560" height="400" font-family="sans-serif" '
            'font-size="12"><rect width="560" height="400" fill="white"/>',
            f'<text x="280" y="20" text-anchor="middle" font-size="14">{title}</text>',
            f'<text x="280" y="392" text-anchor="middle">{x_label}</text>',
            f'<text x="14" y="200" text-anchor="middle" transform="rotate(-90 14 200)">{y_label}</text>']
        for decade in range(y_decades + 1):
            y = self.y(10**decade)
            self.parts.append(f'<line x1="60" x2="540" y1="{y}" y2="{y}" stroke="#dddddd"/>'
                              f'<text x="54" y="{y + 4}" text-anchor="end">1e{decade}</text>')
        for tick in ([10**d for d in range(x_range[1] + 1)] if log_x
                     else range(x_range[0], x_range[1] + 1)):
            label = f"1e{int(math.log10(tick) + 0.5)}" if log_x else tick
            self.parts.append(f'<text x="{self.x(tick)}" y="372" text-anchor="middle">{label}</text>')

    def x(self, value):
        low, high = self.x_range
        part = math.log10(value) / high if self.log_x else (value - low) / max(high - low, 1)
        return round(60 + 480 * part, 1)

    def y(self, value):
        return round(356 - 320 * math.log10(value) / self.decades, 1)

    def line(self, name, points, row):
        ink = INK[name]
        path = " ".join(f"{self.x(x)},{self.y(y)}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="2"/>')
        self.parts += [f'<circle cx="{self.x(x)}" cy="{self.y(y)}" r="3" fill="{ink}"/>'
                       for x, y in points]
        self.parts.append(f'<text x="72" y="{44 + 16 * row}" fill="{ink}">{name}</text>')

    def dots(self, points):
        self.parts.append(f'<line x1="{self.x(1)}" y1="{self.y(1)}" x2="{self.x(10**self.x_range[1])}" '
                          f'y2="{self.y(10**min(self.decades, self.x_range[1]))}" stroke="#aaaaaa"/>')
        self.parts += [f'<circle cx="{self.x(x)}" cy="{self.y(y)}" r="2.5" fill="#2471a3" '
                       'fill-opacity="0.5"/>' for x, y in points]

    def save(self, file):
        file.write_text("\n".join([*self.parts, "</svg>"]) + "\n")
        print(f"  {file}", flush=True)


def figure_10(checker, output, largest):
    for model, title, last in (("dp", "Dining philosophers", largest),
                               ("dp2", "Dining philosophers, two rounds", min(largest, 7))):
        svg = Svg(title, "philosophers", "nodes", (2, last), 8)
        for row, variant in enumerate(("reach", "pset+sleep", "full+sleep", "pifs")):
            points = []
            for size in range(2, last + 1):
                report = checker.check(checker.model(model, size), variant)
                if report is None:
                    break
                points.append((size, report["stateful"]["nodes"]))
            svg.line(variant, points, row)
        svg.save(output / f"stateful-figure10-{model}.svg")


def figure_11(checker, output, seeds):
    points, better, cut = [], 0, 0
    for clients in (4, 6, 8, 10, 12):
        for locks in (1, 2, 3):
            for seed in range(1, seeds + 1):
                file = checker.model("locks", clients, locks, "--seed", seed)
                runs = [checker.check(file, variant) for variant in ("pset+sleep", "full+sleep")]
                if None in runs:
                    cut += 1
                    continue
                nodes = [run["stateful"]["nodes"] for run in runs]
                better += nodes[1] * 10 <= nodes[0]
                points.append(nodes)
    svg = Svg("Random multi-locks: a dot per model", "nodes of pset+sleep", "nodes of full+sleep",
              (0, 7), 7, log_x=True)
    svg.dots(points)
    svg.save(output / "stateful-figure11.svg")
    print(f"  {len(points)} models, full+sleep at least ten times smaller on {better}, {cut} cut")


def main(mazurka, output, words):
    parser = argparse.ArgumentParser(prog="bench tables --paper stateful",
                                     description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help="only these: dp, or 'dp 10' (default: all)")
    parser.add_argument("--limit", type=int, default=60, help="seconds per cell (default 60)")
    parser.add_argument("--part", choices=("all", "table", "beyond", "figures"), default="all")
    parser.add_argument("--largest", type=int, default=10, help="philosophers in figure 10")
    parser.add_argument("--seeds", type=int, default=11, help="models per point of figure 11")
    arguments = parser.parse_args(words)
    with (HERE / "stateful-table1.csv").open() as file:
        rows = list(csv.DictReader(file))
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(mazurka, folder, arguments.limit)
        if arguments.part in ("all", "table"):
            with (output / "stateful-table1.csv").open("w", newline="") as out:
                table(checker, rows, arguments.models, out)
        if arguments.part in ("all", "beyond"):
            beyond(Checker(mazurka, folder, max(arguments.limit, 300)), arguments.models)
        if arguments.part in ("all", "figures"):
            print("\nFigures:")
            figure_10(checker, output, arguments.largest)
            figure_11(checker, output, arguments.seeds)
    return 0
