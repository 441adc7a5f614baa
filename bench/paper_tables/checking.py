"""Runs the search of a task: builds its program once per choice of flags, checks it, keeps what counts."""

import json
import os
import pathlib
import subprocess

BENCH = pathlib.Path(__file__).resolve().parent.parent


class Failure(Exception):
    pass


class Checker:
    def __init__(self, mazurka, folder):
        self.mazurka = pathlib.Path(mazurka).resolve()
        self.home = self.mazurka.parent.parent
        self.folder = pathlib.Path(folder)

    def run(self, task):
        """The figures of a search, or its error."""
        try:
            report, finished = self.check(task, self.program(task))
        except Failure as failure:
            return {"error": str(failure).strip().splitlines()[-1][:300]}
        statistics = report["statistics"]
        result = {"finished": finished, "seconds": round(report["seconds"], 4),
                  "memory": statistics["peak_memory"],
                  # What was explored before the search began anew, it has explored once more.
                  "executions": report["executions"] - statistics["repeated"],
                  "abandoned": report["asleep"], "transitions": statistics["transitions"],
                  "states": statistics["transitions"] + 1, "stored": statistics["stored_events"],
                  "findings": sorted({one["kind"] for one in report["findings"]})}
        if report.get("stateful"):
            run = report["stateful"]
            result |= {"nodes": run["nodes"], "states": run["states"], "paths": run["maximal_paths"],
                       "variant": run["variant"], "bytes_per_state": run["bytes_per_state"],
                       "in_vain": run["nodes_in_vain"]}
            for part in ("first_set_seconds", "source_set_seconds"):
                result[part.replace("_seconds", "_share")] = round(
                    run[part] / max(run["search_seconds"], 1e-9), 3)
        return result

    def check(self, task, program):
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        what = ["--variant", task.technique, "--jobs", "1"] if task.kind == "automata" else [
            "--technique", task.technique]
        command = [self.mazurka, "check", program, *what, "--json", report, "--max-time",
                   f"{task.limit:g}s", "--progress", "never", *task.options]
        done = self.call(command)
        if done.returncode == 2 or not report.exists():
            raise Failure(done.stdout + done.stderr)
        return json.loads(report.read_text()), done.returncode != 3

    def program(self, task):
        name = "".join([task.kind, "_", task.source, *task.flags])
        file = self.folder / "".join(one if one.isalnum() else "_" for one in name)
        if task.kind == "automata":
            file = file.with_suffix(".tck")
        if not file.exists():
            done = self.call(self.how_to_make(task, file))
            if done.returncode != 0:
                raise Failure(done.stderr)
        return file

    def how_to_make(self, task, file):
        if task.kind == "automata":
            return [self.mazurka, "generate", *task.source.split(), "-o", file]
        if task.kind == "actors":
            return [os.environ.get("MAZURKA_CXX", "g++"), "-std=c++20", "-O2", *task.flags,
                    BENCH / "actors" / f"{task.source}.cpp", "-I", self.home / "include", "-o", file,
                    "-L", self.home / "lib", "-lmazurka-actors", f"-Wl,-rpath,{self.home / 'lib'}"]
        folder = {"threads": "context", "messages": "messages"}[task.kind]
        level = {"threads": "-O0", "messages": "-O1"}[task.kind]
        return [self.mazurka.parent / "mazurka-c++", "-std=c++20", "-g", level, *task.flags,
                BENCH / folder / f"{task.source}.cpp", "-I", self.home / "include", "-o", file]

    def call(self, command):
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                              cwd=self.folder)
