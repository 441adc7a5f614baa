#!/usr/bin/env python3
"""Which tests notice if a rule of weak memory is broken.

    mutants.py --build FOLDER                  breaks each rule in turn, and runs the tests
    mutants.py --build FOLDER --only NAME ...  only these
    mutants.py --check                         only looks whether each mutant still fits the sources

A mutant is a change to one file of src, in mutants/UNIT.txt:

    == its name
    rule: what it breaks
    file: below src
    - the text that is there, exactly once (any white space will do)
    + the text in its place
    lives: why no test can notice it (only if there is a reason)

The rules and the technique `graphs` are compiled anew with it, into a program like mazurka-memory-sweep,
and that performs the tests memory.models.*, first with fewer programs, until one of them fails. Exit code 0: each mutant was caught,
or has a reason to live; 1: one was not, or does not fit; 2: wrong arguments.
"""

import argparse
import dataclasses
import json
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.insert(0, str(SOURCE / "tests" / "mutants"))
import mutant_format
SECONDS = 40  # of processor time; a test that takes longer has noticed something
BYTES = 4 << 30
RULES = "programs/threads/runtime/memory_model"
DECLARATION = r"(case|const|static|std::size_t|std::uint32_t|event_\.known) "
CHOICE = """#include <cstdlib>
#include <cstring>
inline bool mutant_is(const char* name) {
  static const char* const chosen = std::getenv("MUTANT");
  return std::strcmp(chosen, name) == 0;
}
"""
UNITS = {  # what is compiled together
    "memory": [f"{RULES}/access_graph.cpp", f"{RULES}/graph_judge.cpp", f"{RULES}/order_search.cpp",
               f"{RULES}/strong_search.cpp", f"{RULES}/weak_operation.cpp",
               "memory/model_program.cpp"],
    "explorer": ["explorers/reverse/reverse.cpp", "explorers/reverse/trace.cpp",
                 "explorers/reverse/variables.cpp"],
    "sweep": ["memory/sweep.cpp"]}
LIBRARIES = ["mazurka_memory_reference", "mazurka_native", "mazurka_explorers", "mazurka_stateful",
             "mazurka_analysis", "mazurka_protocol", "mazurka_core"]


@dataclasses.dataclass
class RuleMutant(mutant_format.Mutant):
    lives: str = ""

    def is_statement(self):
        """Whether the program can choose between the two as it runs."""
        def stands_alone(text):
            balanced = text.count("{") == text.count("}") and text.count("(") == text.count(")")
            return balanced and text[:1] != ")" and not re.match(DECLARATION, text)
        old, new = " ".join(self.old).strip(), " ".join(self.new).strip()
        text = (SOURCE / "src" / self.file).read_text()
        before = re.sub(r"//[^\n]*", "", text[:re.search(self.pattern(), text).start()]).rstrip()
        return re.sub(r"\s*//.*", "", old).endswith(";") and new[-1:] in ("", ";") and \
            stands_alone(old) and stands_alone(new) and old.count(";") == 1 and before[-1] in ";{})"


def mutants():
    return mutant_format.read(HERE / "mutants", RuleMutant)


def models_tests(build):
    shown = subprocess.run(
        ["ctest", "--test-dir", build, "-R", r"^memory\.models\.", "--show-only=json-v1"],
        check=True, capture_output=True, text=True)
    return [(test["name"], test["command"][1:]) for test in json.loads(shown.stdout)["tests"]]


def first_programs(test):
    name, arguments = test
    number = arguments.index("--programs") + 1
    return name, [*arguments[:number], "150", *arguments[number + 1:]]


class Mutants:
    def __init__(self, build, folder):
        self.build = pathlib.Path(build).resolve()
        self.folder = pathlib.Path(folder)
        self.tests = models_tests(build)
        self.random_tests = [test for test in self.tests if "--shapes" not in test[1]]

        self.libraries = [next(self.build.rglob(f"lib{name}.a")) for name in LIBRARIES]
        for unit in UNITS:
            if errors := self.compile(unit, unit):
                sys.exit(errors)

    def compile(self, unit, name):
        """What the compiler says if it can not be compiled."""
        source = self.folder / f"{unit}.cpp"
        source.write_text("".join(f'#include "{part}"\n' for part in UNITS[unit]))
        (self.folder / "choice.hpp").write_text(CHOICE)
        return self.failed(["-c", "-O1", "-w", "-include", self.folder / "choice.hpp", "-I", self.folder / "src", "-I", SOURCE / "src", "-I",
                            SOURCE / "tests", source, "-o", self.folder / f"{name}.o"])

    def link(self):
        # The changed parts are in the libraries, too, as they were: the first ones are taken.
        objects = [self.folder / f"{name}.o" for name in ("mutant", *UNITS)]
        return self.failed(["-Wl,-z,muldefs", *objects, *self.libraries, *self.libraries, "-o",
                            self.folder / "mutant"])

    @staticmethod
    def failed(arguments):
        run = subprocess.run(["c++", "-std=c++20", *arguments], capture_output=True, text=True,
                             check=False)
        return run.stderr if run.returncode != 0 else ""

    def build_with(self, some):
        """A program with these mutants; one, or such as it can choose from as it runs."""
        by_file = {}
        for mutant in some:
            by_file.setdefault(mutant.file, {}).setdefault(mutant.pattern(), []).append(mutant)
        places = []
        for file, by_pattern in by_file.items():
            text = (SOURCE / "src" / file).read_text()
            for pattern, those in by_pattern.items():
                text = re.sub(pattern, lambda found: self.changed(found[0], those, len(some) > 1), text)
            places.append(self.folder / "src" / file)
            places[-1].parent.mkdir(parents=True, exist_ok=True)
            places[-1].write_text(text)
        errors = self.compile(some[0].unit, "mutant") or self.link()
        for place in places:
            place.unlink()
        return errors

    @staticmethod
    def changed(text, those, chosen):
        if not chosen:
            return "\n".join(those[0].new)
        cases = "".join(f'if (mutant_is("{one.name}")) {{ {" ".join(one.new)} }} else ' for one in those)
        return f"{cases} {{ {text}\n }}"

    def noticed_by(self, mutant):
        """A test, and how; most mutants are noticed by the first programs of one."""
        for name, arguments in [*map(first_programs, self.random_tests), *self.tests]:
            run = subprocess.run([self.folder / "mutant", *arguments, "--first-failure"],
                                 capture_output=True, text=True, check=False, preexec_fn=limit,
                                 env={"MUTANT": mutant.name})
            if run.returncode == -signal.SIGXCPU:
                return name, "does not end"
            if run.returncode != 0:
                said = re.search(r"WRONG: (seed \d+|.*)", run.stdout)
                return name, said[1] if said else f"exit code {run.returncode}"
        return None, ""

    def verdict(self, mutant):
        test, how = self.noticed_by(mutant)
        if test is None:
            return bool(mutant.lives), "LIVES" + (f": {mutant.lives}" if mutant.lives else "")
        return not mutant.lives, f"{test} ({how})"

    def verdicts(self, some):
        """Of those in one program."""
        errors = self.build_with(some)
        if errors:
            print(errors, file=sys.stderr)
        for mutant in some:
            yield mutant, (False, "can not be compiled") if errors else self.verdict(mutant)


def in_programs(some):
    """As few programs as may be."""
    for unit in UNITS:
        chosen = [one for one in some if one.unit == unit and one.is_statement()]
        if chosen:
            yield chosen
    yield from ([one] for one in some if not one.is_statement())


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not options.check and not options.build:
        parser.error("--build says where Mazurka was built")
    chosen = [one for one in mutants() if not options.only or one.name in options.only]
    if not chosen:
        parser.error("there is no such mutant")
    misfits = [one.name for one in chosen if not one.fits(SOURCE / "src")]
    for name in misfits:
        print(f"{name}: the text that it changes is not in its file, or more than once")
    if options.check or misfits:
        return 1 if misfits else 0
    good = True
    with tempfile.TemporaryDirectory() as folder:
        performer = Mutants(options.build, folder)
        for together in in_programs(chosen):
            for one, (fine, told) in performer.verdicts(together):
                good = good and fine
                print(f"{'' if fine else 'WRONG '}{one.name}: {told}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
