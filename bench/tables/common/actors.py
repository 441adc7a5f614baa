"""What the tables over actor programs share: building them once, checking them, drawing bars."""

import json
import os
import pathlib
import subprocess

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent.parent / "actors"


class Failure(Exception):
    pass


class Checker:
    """Builds each program once per choice of flags and checks it as often as asked."""

    def __init__(self, mazurka, folder, limit):
        self.mazurka = pathlib.Path(mazurka).resolve()
        self.home = self.mazurka.parent.parent
        self.folder, self.limit = pathlib.Path(folder), limit
        listed = subprocess.run([self.mazurka, "techniques", "--names"], capture_output=True, text=True,
                                check=True)
        self.techniques = {line.split()[0] for line in listed.stdout.splitlines() if line.strip()}

    def build(self, program, flags=()):
        name = program + "".join(flags).replace("-D", "_").replace("=", "")
        binary = self.folder / name
        if not binary.exists():
            command = [os.environ.get("MAZURKA_CXX", "g++"), "-std=c++20", "-O2", *flags,
                       PROGRAMS / f"{program}.cpp", "-I", self.home / "include", "-o", binary,
                       "-L", self.home / "lib", "-lmazurka-actors",
                       f"-Wl,-rpath,{self.home / 'lib'}"]
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True,
                                  check=False)
            if done.returncode != 0:
                raise Failure(done.stderr)
        return binary

    def check(self, binary, technique, *options, limit=None):
        """The report; its `verdict` is `inconclusive` where a limit cut the search."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        command = [self.mazurka, "check", binary, "--technique", technique, "--json", report,
                   "--max-time", f"{limit or self.limit}s", *options]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                              cwd=self.folder)
        if done.returncode == 2 or not report.exists():
            raise Failure(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
        return json.loads(report.read_text())


def transitions(report):
    return report["statistics"]["transitions"]


def show(cells, widths):
    print(" ".join(str(cell).rjust(width) if at > 1 else str(cell).ljust(width)
                   for at, (cell, width) in enumerate(zip(cells, widths))).rstrip(), flush=True)


def bars(path, title, groups, series):
    """A horizontal bar chart on a logarithmic scale. groups: [(label, {series name: value})]."""
    import math
    colours = ["#c0392b", "#2471a3", "#1e8449", "#888888"]
    top, height, left, width = 50, 12, 170, 620
    row = height * len(series) + 8
    largest = max([value for _, values in groups for value in values.values() if value] or [1])
    scale = width / max(math.log10(largest), 1)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 90}" '
             f'height="{top + row * len(groups) + 20}" font-family="sans-serif" font-size="11">',
             f'<text x="10" y="18" font-size="14">{title}</text>']
    for at, name in enumerate(series):
        lines.append(f'<rect x="{10 + at * 150}" y="28" width="10" height="10" '
                     f'fill="{colours[at % 4]}"/><text x="{24 + at * 150}" y="37">{name}</text>')
    for group, (label, values) in enumerate(groups):
        y = top + group * row
        lines.append(f'<text x="10" y="{y + row / 2}">{label}</text>')
        for at, name in enumerate(series):
            value = values.get(name)
            if not value:
                continue
            length = max(2, math.log10(max(value, 1)) * scale)
            lines.append(f'<rect x="{left}" y="{y + at * height}" width="{length:.1f}" '
                         f'height="{height - 2}" fill="{colours[at % 4]}"/>'
                         f'<text x="{left + length + 4:.1f}" y="{y + at * height + 9}">{value}</text>')
    lines.append("</svg>")
    path.write_text("\n".join(lines) + "\n")
