#!/usr/bin/env python3
"""Lock-free structures under weak memory: right with the orders that they say they need, and with each
of these weakened, one at a time, a finding.

Each program begins with `// orders: NAME=order ...`, the macros that it puts behind
`std::memory_order::`, and `// weakened: NAME=order ...`, what is to be tried. Every order must be weakened
in some way, unless `// spare: NAME ...` says that the structure does without it in a program this small.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

VERIFIED, FINDING = 0, 1


def header(text, word):
    found = re.search(rf"^// {word}: (.*)$", text, re.MULTILINE)
    return found.group(1).split() if found else []


def pairs(words):
    return [tuple(word.split("=")) for word in words]


class Structure:
    def __init__(self, source):
        text = source.read_text()
        self.source = source
        self.orders = dict(pairs(header(text, "orders")))
        self.weakened = pairs(header(text, "weakened"))
        self.spare = header(text, "spare")

    def problems(self):
        tried = {name for name, _ in self.weakened}
        for name in self.orders:
            if name not in tried and name not in self.spare:
                yield f"{self.source.name}: {name} is weakened nowhere"
        for name, order in self.weakened:
            if self.orders.get(name) in (None, order):
                yield f"{self.source.name}: {name}={order} weakens nothing"

    def check(self, tools, arguments, **changed):
        defines = [f"-D{name}={order}" for name, order in {**self.orders, **changed}.items()]
        with tempfile.TemporaryDirectory() as folder:
            program = str(pathlib.Path(folder) / self.source.stem)
            subprocess.run([tools / "mazurka-c++", "-std=c++20", "-g", "-O1", *defines, self.source, "-o", program], check=True)
            command = [tools / "mazurka", "check", program, *arguments]
            return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="the folder of mazurka and mazurka-c++")
    parser.add_argument("--show", action="store_true", help="print what is found")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("arguments", nargs="*", help="go to mazurka check")
    options = parser.parse_args()

    structure = Structure(options.source.resolve())
    wrong = list(structure.problems())
    right = [({}, VERIFIED, "VERIFIED")]
    weaker = [({name: order}, FINDING, "FINDING") for name, order in structure.weakened]
    for changed, code, word in right + weaker:
        done = structure.check(options.tools.resolve(), options.arguments, **changed)
        said = done.stdout.splitlines()[0] if done.stdout else done.stderr
        label = " ".join(f"{name}={order}" for name, order in changed.items()) or "right orders"
        print(f"{structure.source.stem}: {label}: {said}", flush=True)
        if options.show:
            print(done.stdout)
        if done.returncode != code or not said.startswith(word):
            wrong.append(f"{structure.source.stem}: {label}: expected {word}\n{done.stdout}{done.stderr}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
