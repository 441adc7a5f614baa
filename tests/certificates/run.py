#!/usr/bin/env python3
"""Certificates of whole programs: written by `mazurka check`, judged by `mazurka-certify`.

For each program and technique: a set that is complete is accepted, and has as many traces as the
comment of the program states (worked out by hand); a set with an execution taken out, cut short or
with two of its steps exchanged is refused, or is the same set.

outcomes.txt has the programs of which there is no accepted certificate, with the reason. What is not
as it says is a failure, in both directions.
"""

import argparse
import importlib.util
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

from certificate import Certificate  # noqa: E402

spec = importlib.util.spec_from_file_location("litmus", HERE.parent / "litmus" / "run.py")
litmus = importlib.util.module_from_spec(spec)
spec.loader.exec_module(litmus)

ACCEPTED, REFUSED, BAD, INCOMPLETE = range(4)
PATIENCE = int(os.environ.get("MAZURKA_PATIENCE", "1"))
MOST_TAKEN_OUT = 20


def call(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True,
                          text=True, timeout=300 * PATIENCE, check=False)
    return done.returncode, done.stdout + done.stderr


def outcomes():
    """By program: a part of the reason why there is no accepted certificate."""
    table, reason = {}, ""
    for line in (HERE / "outcomes.txt").read_text().splitlines():
        if line.startswith("    "):
            table[line.strip()] = reason
        elif line and not line.startswith("#"):
            reason = line
    return table


class Program:
    def __init__(self, arguments, folder):
        self.mazurka = arguments.mazurka.resolve()
        self.certify = self.mazurka.with_name("mazurka-certify")
        self.source = arguments.source.resolve()
        self.expected = litmus.read_expectations(arguments.source, "mazurka")
        self.folder = folder
        self.file = folder / "certificate"
        self.problems = []

    def compile(self):
        in_c = self.source.suffix == ".c"
        program = self.folder / self.source.stem
        code, output = call(
            [self.mazurka.with_name("mazurka-cc" if in_c else "mazurka-c++"),
             "-std=gnu11" if in_c else "-std=c++20", "-g", self.source,
             *shlex.split(self.expected.get("flags", "")), "-o", program], self.folder)
        if code != 0:
            sys.exit(f"does not compile:\n{output}")
        return program

    def judge(self, data=None):
        if data is not None:
            self.file.write_bytes(data)
        return call([self.certify, self.file], self.folder)

    def outcome(self, technique, program):
        """One line: accepted, or why not; and what the certificate has to say."""
        self.file.unlink(missing_ok=True)
        options = shlex.split(self.expected.get("options", ""))
        if "--keep-going" not in options:
            options.append("--keep-going")
        code, output = call([self.mazurka, "check", "--technique", technique, *options,
                             "--certificate", self.file, program], self.folder)
        if not self.file.exists():
            reason = re.search(r"--certificate[^\n]*", output)
            return "no certificate: " + (reason[0] if reason else f"exit code {code}"), ""
        code, output = self.judge()
        if code == ACCEPTED:
            traces = int(re.search(r"different (\d+)", output)[1])
            stated = self.expected.get("traces", "any")
            if stated.isdigit() and int(stated) != traces:
                return f"accepted with {traces} traces in place of {stated}", output
            return "accepted", output
        if code == INCOMPLETE:
            return output.partition("INCOMPLETE: ")[2].strip(), output
        return f"exit code {code}", output

    def break_it(self):
        """Takes executions out, cuts and mixes them."""
        whole = Certificate(self.file.read_bytes())
        traces = self.different()
        everything = whole.schedules
        numbers = list(range(len(everything)))
        if len(everything) != traces:
            numbers = []  # some are there twice: one may be taken out
        chance = random.Random(1)
        for number in chance.sample(numbers, min(len(numbers), MOST_TAKEN_OUT)):
            self.must_refuse(whole, number, None, "taken out")
            steps, begins = everything[number]
            if len(everything) > 1 and steps:
                self.must_refuse(whole, number, (steps[:-1], begins), "cut short")
                other = everything[chance.choice(numbers)]
                at = chance.randrange(len(steps))
                mixed = (steps[:at] + other[0][at:], other[1])
                if mixed not in everything:
                    self.must_refuse(whole, number, mixed, "mixed with another")

    def must_refuse(self, whole, number, schedule, what):
        schedules = list(whole.schedules)
        schedules[number] = schedule
        code, output = self.judge(whole.with_schedules(schedules))
        if code != REFUSED and not (code == ACCEPTED and self.is_same(output)):
            self.problems.append(f"execution {number} {what}: exit code {code}\n{output}")

    def different(self):
        self.traces = int(re.search(r"different (\d+)", self.judge()[1])[1])
        return self.traces

    def is_same(self, output):
        return int(re.search(r"different (\d+)", output)[1]) == self.traces

    def check(self):
        program = self.compile()
        wanted = outcomes().get(self.source.stem, "accepted")
        for technique in ("optimal", "source"):
            found, output = self.outcome(technique, program)
            print(f"{self.source.stem} {technique}: {found}")
            if wanted not in found or (wanted == "accepted" and found != wanted):
                self.problems.append(f"{technique}: {found}, and not: {wanted}\n{output}")
            elif found == "accepted":
                self.break_it()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("source", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mazurka-test-") as folder:
        program = Program(arguments, pathlib.Path(folder))
        program.check()
    for problem in program.problems:
        print("FAILED:", problem)
    sys.exit(1 if program.problems else 0)


if __name__ == "__main__":
    main()
