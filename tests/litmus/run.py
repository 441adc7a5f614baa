#!/usr/bin/env python3
"""Checks one litmus program: its verdict and the number of executions of every technique.

A program says what to expect in the comment that opens it, up to the first empty comment line:

    // mazurka: verdict=verified traces=6 options="--racy"

  verdict     verified, finding, error or inconclusive (and so the exit code)
  finding     the kind of the finding: assertion, data_race, deadlock, crash, ...; several, if the
              options say --keep-going. Each is performed again.
  traces      how many equivalence classes there are: every technique with sleep sets runs each of
              them to its end exactly once, and `optimal` begins no other; "any": not stated;
              "same": not stated, because it depends on what the compiler leaves on the stack
              (docs/threads.md, "Waiting loops"), but all techniques agree
  exhaustive  "any": `exhaustive` is run too and needs at least as many; a number: exactly so many
  NAME        for a technique of that name, if it needs another number than `traces`
  gcc.O0 ...  for a compiler and a level of optimisation, if that makes another number of traces
              (docs/threads.md, "Waiting loops"; docs/techniques.md, "Updates in any order");
              clang.O2.x86_64: on that kind of machine
  graphs      executions of technique graphs, if it needs another number than `traces`; no: there
              is something in the program that is in no graph
  techniques  which to run; without it: optimal reverse graphs source dpor sleep (reverse only if
              the memory is sequentially consistent, since it knows no other, and by two processes
              as well as by one; graphs without --racy, in at most so many executions under weak
              memory, where others may have a graph several times)
  options     for `mazurka check`
  flags       for the compiler
  message     a text that the output must contain; message.x86_64: on that kind of machine
  also        "yes": the tests also run it optimised and with the other compiler;
              "levels": at every level of optimisation, with both

A program may have a second, broken version, compiled with -DBROKEN, and say of that what to expect
on lines that begin with `broken:` instead.
"""

import argparse
import json
import os
import pathlib
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile

EXIT_CODES = {"verified": 0, "finding": 1, "error": 2, "inconclusive": 3}
TECHNIQUES = "optimal reverse graphs source dpor sleep"
TIMEOUT = 120 * int(os.environ.get("MAZURKA_PATIENCE", "1"))  # more on a slow machine
SKIPPED = 77


def read_expectations(source, version):
    """The comment of a program about the version `mazurka` or `broken`, as a dictionary."""
    words = []
    about = version
    for line in source.read_text().splitlines():
        text = line.removeprefix("//").strip()
        if not line.startswith("//") or not text:
            break
        for word in ("mazurka", "broken"):
            if text.startswith(word + ":"):
                about, text = word, text.removeprefix(word + ":")
        if about == version:
            words += shlex.split(text)
    return dict(word.split("=", 1) for word in words)


def run(command, directory):
    command = list(map(str, command))
    print("$", shlex.join(command), flush=True)
    done = subprocess.run(
        command, cwd=directory, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    return done.returncode, done.stdout + done.stderr


class Checker:
    def __init__(self, arguments, directory):
        self.mazurka = arguments.mazurka.resolve()
        self.bin = self.mazurka.parent
        self.source = arguments.source.resolve()
        self.compiler = arguments.compiler
        self.flags = shlex.split(arguments.flags)
        self.directory = directory
        self.expected = read_expectations(arguments.source, "broken" if arguments.broken else "mazurka")
        level = next((flag[1:] for flag in self.flags if flag.startswith("-O")), "O0")
        built = f"{self.compiler}.{level}"
        for key in (built, f"{built}.{platform.machine()}"):
            self.expected["traces"] = self.expected.get(key, self.expected.get("traces", "any"))
        self.message = self.expected.get(
            f"message.{platform.machine()}", self.expected.get("message", "")
        )
        if arguments.broken:
            self.flags.append("-DBROKEN")
        self.memory = "sc"
        self.problems = []
        self.counts = {}

    def expect(self, what, wanted, got):
        if wanted != got:
            self.problems.append(f"{what}: expected {wanted}, got {got}")

    def compile(self):
        in_c = self.source.suffix == ".c"
        command = [self.bin / ("mazurka-cc" if in_c else "mazurka-c++")]
        if self.compiler == "clang":
            os.environ.update(MAZURKA_CC="clang", MAZURKA_CXX="clang++")
        program = self.directory / self.source.stem
        command += ["-std=gnu11" if in_c else "-std=c++20", "-g", *self.flags]
        command += [self.source, *shlex.split(self.expected.get("flags", "")), "-o", program]
        code, output = run(command, self.directory)
        if code != 0:
            sys.exit(f"does not compile:\n{output}")
        return program

    def checkpoints(self, technique):
        """Whether executions begin in the middle, which must not make a difference."""
        traces = self.expected.get("traces", "any")
        if technique == "source" and traces.isdigit() and int(traces) <= 60:
            return "check"
        return "always" if technique in ("optimal", "source", "sleep") else "on"

    def knows_graphs(self):
        return "--racy" not in self.expected.get("options", "") and self.expected.get("graphs") != "no"

    def check(self, program, technique, *jobs):
        report = self.directory / "report.json"
        report.unlink(missing_ok=True)
        command = [self.mazurka, "check", "--technique", technique, *jobs, "--json", report]
        command += ["--checkpoints", self.checkpoints(technique)]
        command += [*shlex.split(self.expected.get("options", "")), program]
        code, output = run(command, self.directory)
        before = len(self.problems)
        verdict = self.expected["verdict"]
        self.expect(f"{technique}: exit code", EXIT_CODES[verdict], code)
        if self.message not in output:
            self.problems.append(f"{technique}: no '{self.message}' in the output")
        if report.exists() and verdict != "error":
            self.compare(technique, json.loads(report.read_text()))
        elif verdict != "error":
            self.problems.append(f"{technique}: no report was written")
        if len(self.problems) > before:
            print(output)

    def compare(self, technique, report):
        self.expect(f"{technique}: verdict", self.expected["verdict"], report["verdict"])
        kinds = {finding["kind"].replace(" ", "_").replace("-", "_") for finding in report["findings"]}
        wanted = set(self.expected.get("finding", "").split())
        if wanted or self.expected["verdict"] != "finding":
            self.expect(f"{technique}: findings", wanted, kinds)
        # What was explored before the search began anew, it has explored once more.
        self.memory = report.get("memory", "sc")
        executions = report["executions"] - report["statistics"]["repeated"]
        traces = self.expected.get("traces", "any")
        wanted = self.expected.get(technique, traces)
        if wanted == "same" and technique != "exhaustive":
            wanted = self.counts.setdefault("same", executions)
        if technique == "exhaustive" and wanted == "any" and traces not in ("any", "same"):
            if executions < int(traces):
                self.problems.append(f"exhaustive: {executions} executions, {traces} traces")
        elif technique == "graphs" and self.memory != "sc" and wanted not in ("any", "same"):
            if executions > int(wanted):
                self.problems.append(f"graphs: {executions} executions, {wanted} by interleavings")
        elif wanted != "any":
            self.expect(f"{technique}: executions", int(wanted), executions)
        if technique == "optimal":
            self.expect("optimal: executions that ended asleep", 0, report["asleep"])
        for finding in report["findings"]:
            self.replay(technique, finding)

    def replay(self, technique, finding):
        """What is found comes again."""
        if not finding.get("replay"):
            return
        code, output = run(shlex.split(finding["replay"]), self.directory)
        if code != EXIT_CODES["finding"] or "the finding is reproduced" not in output:
            self.problems.append(f"{technique}: `{finding['message']}` does not come again")
            print(output)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--mazurka", type=pathlib.Path, required=True, help="the checker")
    parser.add_argument("--compiler", default="gcc", choices=["gcc", "clang"])
    parser.add_argument("--broken", action="store_true", help="the broken version")
    parser.add_argument("--flags", default="", help="more flags for the compiler")
    arguments = parser.parse_args()
    if shutil.which(arguments.compiler) is None:
        print(f"skipped: there is no {arguments.compiler} here")
        return SKIPPED

    with tempfile.TemporaryDirectory() as directory:
        checker = Checker(arguments, pathlib.Path(directory))
        program = checker.compile()
        techniques = checker.expected.get("techniques", TECHNIQUES).split()
        if "exhaustive" in checker.expected:
            techniques.append("exhaustive")
        for technique in techniques:
            if technique == "reverse" and checker.memory != "sc":
                continue
            if technique == "graphs" and not checker.knows_graphs():
                continue
            checker.check(program, technique)
            # Who has found something stops, and how many executions the other has seen is chance.
            if technique == "reverse" and checker.expected["verdict"] == "verified":
                checker.check(program, technique, "--jobs", "2")
    for problem in checker.problems:
        print(f"{arguments.source.name}: {problem}")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
