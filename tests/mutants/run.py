#!/usr/bin/env python3
"""Which tests notice if a fix is taken out again.

    run.py --build FOLDER                  takes out each fix in turn, and runs its tests
    run.py --build FOLDER --only NAME ...  only these
    run.py --check [--tests FOLDER]        only looks whether each mutant still fits the sources, and
                                           whether its tests are among those of the build in FOLDER

A mutant is a change to one file. The mutants are in text files, one per area, in a folder per group of
fixes. mutant_format.py explains the lines; these are added:

    noticed by: tests of CTest, one of which must fail with it. A group of tests written in Python may be
                followed by one of its cases (beginning.Cases.test_x); a unit test follows its program
                (contention_test/Contention.Rounds)
    needs: a target or a test of the build without which it is left out
    alone: why it can not be chosen as the program runs, and is compiled when its turn comes

All other mutants are compiled at once, into a copy of the sources in FOLDER, and the environment variable
MAZURKA_MUTANT chooses between them (choice.h): a statement becomes `if (mutant_is("name")) { new } else
{ old }`, an expression `(mutant_is("name") ? (new) : (old))`, and a new text that calls mutant_is itself is
taken as it is. Each test is run without mutants as well: one that does not pass then says nothing, and its
mutants are not judged. What the tests printed is kept in FOLDER/log.

Exit code 0: each mutant that could be judged was noticed; 1: one was not, or does not fit; 2: wrong
arguments, or the copy can not be built.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import enum
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import mutant_format  # beside this program

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
PATIENCE = int(os.environ.get("MAZURKA_PATIENCE", "1"))  # more on a slow machine
SECONDS = 60 * PATIENCE  # a test that takes longer, and ten times its usual time, notices
TIMEOUT = 300 * PATIENCE  # without mutants
SKIPPED = 77
PARTS = ["mazurka", "mazurka_threads_runtime", "mazurka_openmp", "mazurka_whole",
         "mazurka_mpi_runtime", "mazurka_actors_runtime", "mazurka_caf_runtime"]
VARIABLE = "MAZURKA_MUTANT"


class Failure(Exception):
    """The result would mean nothing: what it says has to be repaired first."""


@dataclasses.dataclass
class Mutant(mutant_format.Mutant):
    noticed_by: str = ""
    needs: str = ""
    alone: str = ""

    def tests(self):
        return self.noticed_by.split()

    def misfit(self):
        """Says what is wrong with it; empty if it fits the sources."""
        if not self.rule or not self.noticed_by:
            return "it needs a rule and tests that notice it"
        if not self.fits(SOURCE):
            return "the text that it changes is not in its file, or more than once"
        return ""

    def chosen(self, old):
        """The text in the place of `old`, with the choice between the two."""
        new = "\n".join(self.new)
        if self.alone or "mutant_is(" in new:
            return new
        asked = f'mutant_is("{self.name}")'
        statements = re.sub(r"\s*//[^\n]*$", "", old.rstrip())
        if statements.endswith((";", "}")):
            return f"if ({asked}) {{ {new}\n}} else {{ {old}\n}}"
        return f"({asked} ? ({new}) : ({old}))"


def changed(text, mutants):
    """The text of a file with the choice between these mutants."""
    places = sorted((re.search(one.pattern(), text).span(), one) for one in mutants)
    for (first, one), (second, other) in zip(places, places[1:]):
        if first[1] > second[0]:
            raise Failure(f"{one.name} and {other.name} change the same text of {one.file}: one has "
                          "to be `alone`, or both have to spell out the choice in one place")
    for (begin, end), one in reversed(places):
        text = text[:begin] + one.chosen(text[begin:end]) + text[end:]
    return text


class Tree:
    """A copy of the sources with mutants, and its build."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.source = self.folder / "source"
        self.build = self.folder / "build"
        self.log = self.folder / "log"

    def write(self, mutants):
        """Brings the copy up to date; what does not change keeps its time."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                cwd=SOURCE, check=True, capture_output=True, text=True).stdout
        wanted = {name for name in listed.split("\0") if name and (SOURCE / name).is_file()}
        for path in [path for path in self.source.rglob("*") if path.is_file()]:
            if str(path.relative_to(self.source)) not in wanted:
                path.unlink()
        by_file = {}
        for one in mutants:
            by_file.setdefault(one.file, []).append(one)
        for name in wanted:
            content = (SOURCE / name).read_bytes()
            if name in by_file:
                text = changed(content.decode(), by_file[name])
                if "mutant_is(" in text:
                    text = f'#include "{HERE / "choice.h"}"\n{text}'
                content = text.encode()
            place = self.source / name
            if not place.is_file() or place.read_bytes() != content:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
                shutil.copymode(SOURCE / name, place)

    def make(self, programs):
        """Builds what the tests need, and these programs with unit tests."""
        if not (self.build / "build.ninja").is_file():
            self.run("cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DMAZURKA_BENCH=OFF")
        listed = subprocess.run(["ninja", "-C", self.build, "-t", "targets", "all"], check=True,
                                capture_output=True, text=True).stdout
        self.targets = {line.split(":")[0] for line in listed.splitlines()}
        self.run("ninja", "-k", "0", "-C", self.build,
                 *(part for part in [*PARTS, *sorted(programs)] if part in self.targets))

    def run(self, *command):
        self.log.mkdir(parents=True, exist_ok=True)
        with open(self.log / command[0], "w+", encoding="utf-8") as output:
            done = subprocess.run([str(word) for word in command], stdout=output,
                                  stderr=subprocess.STDOUT, check=False)
            if done.returncode != 0:
                output.seek(0)
                lines = output.read().splitlines()
                errors = [line for line in lines if "error" in line.lower()]
                raise Failure("\n".join([*errors[:20], *lines[-30:]]))


def known_tests(build):
    """The tests of a build, by name."""
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True,
                           capture_output=True, text=True).stdout
    return {test["name"]: test for test in json.loads(shown)["tests"]}


def command_of(name, known):
    """The command line and the properties of a test; None if there is no such test."""
    program, _, unit_test = name.rpartition("/")
    if program and f"{program}_NOT_BUILT" in known:
        return [], {}
    test, cases = known.get(unit_test), ""
    while test is None and "." in name:
        name, _, case = name.rpartition(".")
        cases = f".{case}{cases}"
        test = known.get(name)
    if test is None:
        return None
    command = list(test.get("command", []))
    if cases:
        if not command or not name.endswith(f".{command[-1]}"):
            return None
        command[-1:] = ["-f", command[-1] + cases]  # the first failure is enough
    return command, {entry["name"]: entry["value"] for entry in test.get("properties", [])}


@dataclasses.dataclass
class Run:
    passed: bool
    skipped: bool
    seconds: float
    how: str  # it failed


class Tests:
    def __init__(self, build, log):
        self.known = known_tests(build)
        self.build = build
        self.log = log
        self.lock = threading.Lock()
        self.usual = {}  # futures of the runs without mutants
        self.running = set()  # groups of processes

    def without(self, name):
        """Runs the test without mutants, once."""
        with self.lock:
            first = name not in self.usual
            usual = self.usual.setdefault(name, concurrent.futures.Future())
        if first:
            try:
                usual.set_result(self.perform(name, "", TIMEOUT))
            except Failure as failure:
                usual.set_exception(failure)
        return usual.result()

    def run(self, name, mutant):
        """Runs the test with the mutant; not, if it does not pass without."""
        without = self.without(name)
        if without.skipped or not without.passed:
            return Run(True, True, 0, "was skipped" if without.skipped else "fails without mutants")
        return self.perform(name, mutant, max(SECONDS, 10 * without.seconds))

    def perform(self, name, mutant, limit):
        command, properties = command_of(name, self.known) or ([], {})
        if not command:
            raise Failure(f"there is no test {name}")
        environment = {key: value for key, value in os.environ.items() if key != VARIABLE}
        environment.update(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        if mutant:
            environment[VARIABLE] = mutant
        begun = time.monotonic()
        with open(self.log / f"{mutant or 'without'}.{name.replace('/', '.')}", "w+b") as output:
            folder = properties.get("WORKING_DIRECTORY", self.build)
            how = self.execute(command, environment, folder, limit, output)
            seconds = time.monotonic() - begun
            output.seek(0)
            text = output.read().decode(errors="replace")
        skipped = how == f"exit code {SKIPPED}" or re.search(r"^OK \(skipped=", text, re.M) is not None
        return Run(not how, skipped, seconds, how)

    def execute(self, command, environment, folder, limit, output):
        """Says how the test failed; empty if it passed."""
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True, cwd=folder)
        self.running.add(process.pid)
        try:
            code = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            return "takes too long"
        finally:
            self.stop(process.pid)
            process.wait()
        return f"exit code {code}" if code != 0 else ""

    def stop(self, group):
        """Ends what a test has started and left behind."""
        self.running.discard(group)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


class Verdict(enum.Enum):
    NOTICED = "noticed"
    UNNOTICED = "unnoticed"
    NOT_JUDGED = "not judged"


def judge(mutant, tests):
    """Runs its tests until one fails. Returns the verdict, and what it rests on."""
    skipped = []
    for name in mutant.tests():
        run = tests.run(name, mutant.name)
        if run.skipped:
            skipped.append(f"{name} {run.how}")
        elif not run.passed:
            return Verdict.NOTICED, f"{name} ({run.how}, {run.seconds:.1f} s)"
    if skipped:
        return Verdict.NOT_JUDGED, ", ".join(skipped)
    return Verdict.UNNOTICED, f"by {mutant.noticed_by}"


def perform(mutants, chosen, tree, jobs):
    """Judges the chosen mutants. Returns how many there are of each verdict."""
    begun = time.monotonic()
    count = dict.fromkeys(Verdict, 0)

    def report(mutant, verdict, words):
        count[verdict] += 1
        shown = "" if verdict is Verdict.NOTICED else f"{verdict.value.upper()} "
        print(f"{shown}{mutant.name}: {words}", flush=True)

    programs = {name.split("/")[0] for one in mutants for name in one.tests() if "/" in name}
    common = [one for one in mutants if not one.alone]
    tree.write(common)
    tree.make(programs)
    print(f"built in {time.monotonic() - begun:.0f} s", flush=True)
    tests = Tests(tree.build, tree.log)
    lacking = {one.needs for one in chosen if one.needs} - tree.targets - tests.known.keys()
    for one in chosen:
        if one.needs in lacking:
            report(one, Verdict.NOT_JUDGED, f"there is no {one.needs} in this build")
    chosen = [one for one in chosen if one.needs not in lacking]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(judge, one, tests): one for one in chosen if not one.alone}
        for name in {name for one in chosen if one.alone for name in one.tests()}:
            pool.submit(tests.without, name)  # as long as none of them is compiled
        try:
            for future in concurrent.futures.as_completed(futures):
                report(futures[future], *future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for group in list(tests.running):
                tests.stop(group)
            raise
    for one in chosen:
        if one.alone:
            tree.write([*common, one])
            tree.make(programs)
            report(one, *judge(one, tests))
    told = ", ".join(f"{number} {verdict.value}" for verdict, number in count.items())
    print(f"{sum(count.values())} mutants, {told}, {time.monotonic() - begun:.0f} s")
    return count


def misfits(mutants, build):
    """Says what does not fit, a line for each mutant and test."""
    known = known_tests(build) if build else None
    names = [one.name for one in mutants]
    for one in mutants:
        if words := one.misfit():
            yield f"{one.name}: {words}"
        if names.count(one.name) > 1:
            yield f"{one.name}: there are several of that name"
        if len(one.name) > 60:
            yield f"{one.name}: names have at most 60 characters"  # choice.h has room for them
        for name in one.tests() if known is not None and not one.needs else ():
            if command_of(name, known) is None:
                yield f"{one.name}: there is no test {name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, help="folder for the copy, its build and the log")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these mutants")
    parser.add_argument("--check", action="store_true", help="only look whether the mutants fit")
    parser.add_argument("--tests", metavar="FOLDER", help="with --check: a build that has the tests")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time")
    options = parser.parse_args()
    if not options.check and not options.build:
        parser.error("--build says where the sources are copied and built")
    folders = sorted(path for path in HERE.iterdir() if path.is_dir())
    mutants = [one for folder in folders for one in mutant_format.read(folder, Mutant)]
    unknown = set(options.only or ()) - {one.name for one in mutants}
    if unknown or options.jobs < 1:
        parser.error(f"there is no mutant {min(unknown)}" if unknown else "--jobs is at least 1")
    wrong = list(misfits(mutants, options.tests))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    if options.check or wrong:
        return 1 if wrong else 0
    chosen = [one for one in mutants if not options.only or one.name in options.only]
    try:
        count = perform(mutants, chosen, Tree(options.build), options.jobs)
        return 1 if count[Verdict.UNNOTICED] > 0 else 0
    except Failure as failure:
        print(f"run.py: {failure}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
