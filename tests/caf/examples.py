#!/usr/bin/env python3
"""CAF's own examples, as Debian installs them (libcaf-doc): each is explored, or refused by name.

Prints a line for each. Exit code 1 if one does not compile though it needs nothing but CAF's core, or ends
in any other error than a refusal that says what is not supported.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path("/usr/share/doc/libcaf-doc/examples")
# What is not in CAF's core: other modules of CAF, and programs that only make up a test suite.
ELSEWHERE = re.compile(r'#include [<"](caf/io/|caf/opencl/|caf/openssl/|caf/test/|QApplication|curl/)')


def outcome(mazurka, source, folder):
    command = [mazurka, "check", source, "--kind", "caf", "--max-executions", "2000"]
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False)
    text = (done.stdout + done.stderr).strip()
    first = next((line for line in text.splitlines() if line.startswith("mazurka: error")), text.splitlines()[0])
    if done.returncode in (0, 1, 3):
        return True, first
    return re.search("can not be explored|only what happens inside|not supported", text) is not None, first


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--examples", type=pathlib.Path, default=EXAMPLES)
    arguments = parser.parse_args()
    sources = sorted(arguments.examples.rglob("*.cpp"))
    if not sources:
        sys.exit(f"there are no examples in {arguments.examples} (Debian: libcaf-doc)")
    wrong = 0
    for source in sources:
        name = source.relative_to(arguments.examples)
        other = ELSEWHERE.search(source.read_text())
        with tempfile.TemporaryDirectory() as folder:
            good, text = outcome(arguments.mazurka.resolve(), source, folder)
        good = good or other is not None
        wrong += not good
        print(f"{'' if good else 'WRONG: '}{name}: {text}", flush=True)
    print(f"{len(sources)} examples, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
