#!/usr/bin/env python3
"""Whether fewer nodes mean less time: the stateful variants' time per node beside that of reach.

Prints a row per model and variant: nodes, processor time of the search (the best of --runs), time
per node, its ratio to reach's on the same model, and the ratio of the whole times. The models are
the paper's families, at sizes that reach can finish. Small searches are dominated by warming up.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

MODELS = ["lz 10", "lz 11", "dp 8", "dp 9", "pet 4", "pet 5", "tk 7", "mpat 5", "bg 3", "qo 12",
          "disp 5", "fs 6"]
VARIANTS = ["reach", "pset+sleep", "full+sleep", "full-sleep", "minclosure+sleep", "apifs+sleep",
            "pifs", "closure"]


def search(mazurka, file, variant, limit):
    """What the report says of one search, or None if the limit cut it."""
    report = file.with_suffix(".json")
    done = subprocess.run(
        [mazurka, "check", file, "--variant", variant, "--jobs", "1", "--allow-deadlock",
         "--max-time", f"{limit}s", "--json", report], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stdout + done.stderr)
    return json.loads(report.read_text())["stateful"] if done.returncode == 0 else None


def best(mazurka, file, variant, arguments):
    runs = []
    for _ in range(arguments.runs):
        run = search(mazurka, file, variant, arguments.limit)
        if run is None:
            return None
        runs.append(run)
    return min(runs, key=lambda run: run["cpu_seconds"])


def rows(mazurka, model, folder, arguments):
    file = pathlib.Path(folder) / (model.replace(" ", "_") + ".tck")
    subprocess.run([mazurka, "generate", *model.split(), "-o", file], check=True)
    reach = None
    for variant in arguments.variant or VARIANTS:
        run = best(mazurka, file, variant, arguments)
        if run is None:
            print(f"{model:8} {variant:17} cut after {arguments.limit} s", flush=True)
            continue
        seconds = max(run["cpu_seconds"], 1e-9)
        each = seconds / run["nodes"] * 1e9
        if variant == "reach":
            reach = each, seconds
        ratios = f"{each / reach[0]:9.2f} {seconds / reach[1]:9.3f}" if reach else ""
        print(f"{model:8} {variant:17} {run['nodes']:>9} {seconds:9.4f} {each:9.0f} {ratios}",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--output", help="not used: there is nothing but the table")
    parser.add_argument("--runs", type=int, default=3, help="of which the best counts (default 3)")
    parser.add_argument("--limit", type=int, default=60, help="seconds per search (default 60)")
    parser.add_argument("--variant", action="append", help="only these; reach should come first")
    parser.add_argument("models", nargs="*", help="only these: lz, or 'lz 11'; any other is added")
    arguments = parser.parse_args()
    wanted = [model for model in MODELS
              if not arguments.models or model.split()[0] in arguments.models]
    wanted += [model for model in arguments.models if " " in model and model not in wanted]
    print(f"{'model':8} {'variant':17} {'nodes':>9} {'seconds':>9} {'ns/node':>9} {'to reach':>9} "
          f"{'whole':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for model in wanted:
            rows(arguments.mazurka.resolve(), model, folder, arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
