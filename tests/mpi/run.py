#!/usr/bin/env python3
"""Checks one MPI program, or its broken twin, against the comment that opens it.

    // mazurka: ranks=2 verdict=verified
    // broken: verdict=finding finding=deadlock at=recv

The line `mazurka:` is about the program, `broken:` about what -DBROKEN makes of it; what the second
does not say is as in the first.

  ranks       how many
  verdict     verified, finding, error or inconclusive (and so the exit code)
  finding     the kind of the finding, or several that would be right: deadlock|misuse
  at          where: the line that ends with `// at: NAME`, or a statement that ends there. It must be the
              finding's place, a place where a rank waits, or one that its message names
  message     a text that the output must contain
  executions  how many, if the search is complete
  options     for `mazurka check`
  flags       for the compiler
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

EXIT_CODES = {"verified": 0, "finding": 1, "error": 2, "inconclusive": 3}
TIMEOUT = 120 * int(os.environ.get("MAZURKA_PATIENCE", "1"))  # more on a slow machine


def expectations(source, is_broken):
    expected = {}
    for line in source.read_text().splitlines():
        about = re.match(r"// (mazurka|broken): (.*)", line)
        if about is None:
            break
        if about[1] == "broken" and not is_broken:
            continue
        if about[1] == "broken":
            expected = {"ranks": expected["ranks"], "broken": "yes"}
        expected.update(word.split("=", 1) for word in shlex.split(about[2]))
    if is_broken and "broken" not in expected:
        sys.exit(f"{source} says nothing of a broken twin")
    return expected


def is_end_of_statement(line):
    code = line.split("//")[0].rstrip()
    return not code or code.endswith((";", "{", "}", ":")) or code.startswith("#")


def lines_of(source, name):
    """The lines of the statement that ends where the mark is."""
    lines = source.read_text().splitlines()
    last = next(at for at, line in enumerate(lines) if line.endswith("// at: " + name))
    first = last
    while not is_end_of_statement(lines[first - 1]):
        first -= 1
    return {at + 1 for at in range(first, last + 1)}


def places_of(finding):
    story = finding["story"]
    places = [finding["place"]]
    places += [row["place"] for row in story["rows"] if row["failing"]]
    places += [stuck["place"] for stuck in story["stuck"]]
    texts = [finding["message"], *story["endings"], *story["remarks"]]
    return places + texts


def is_there(finding, source, lines):
    numbers = re.findall(re.escape(source.name) + r":(\d+)", " ".join(places_of(finding)))
    return any(int(number) in lines for number in numbers)


def check(arguments, expected, directory):
    report = directory / "report.json"
    command = [arguments.mazurka.resolve(), "check", "--ranks", expected["ranks"], "--json", report]
    command += shlex.split(expected.get("options", ""))
    command += ["--technique", arguments.technique] if arguments.technique else []
    command += ["--compiler", arguments.compiler, arguments.source.resolve(), "--", "-g"]
    command += shlex.split(arguments.flags + " " + expected.get("flags", ""))
    command += ["-DBROKEN"] if arguments.broken else []
    print("$", shlex.join(map(str, command)), flush=True)
    done = subprocess.run(list(map(str, command)), cwd=directory, capture_output=True, text=True,
                          timeout=TIMEOUT, check=False)
    outcome = json.loads(report.read_text()) if report.exists() else None
    return done.returncode, done.stdout + done.stderr, outcome


def problems_of(source, expected, code, output, outcome):
    verdict = expected["verdict"]
    if code != EXIT_CODES[verdict]:
        yield f"exit code {code}, expected {EXIT_CODES[verdict]}"
    if expected.get("message", "") not in output:
        yield f"no '{expected['message']}' in the output"
    if outcome is None:
        yield "no report was written"
        return
    if "executions" in expected and outcome["executions"] != int(expected["executions"]):
        yield f"{outcome['executions']} executions, expected {expected['executions']}"
    if verdict != "finding" or not outcome["findings"]:
        return
    finding = outcome["findings"][0]
    kind = finding["kind"].replace(" ", "_")
    if kind not in expected["finding"].split("|"):
        yield f"found {kind}, expected {expected['finding']}"
    if "at" in expected:
        lines = lines_of(source, expected["at"])
        if not is_there(finding, source, lines):
            yield f"not found in line {sorted(lines)}, but at {finding['place'] or '?'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--mazurka", type=pathlib.Path, required=True, help="the checker")
    parser.add_argument("--broken", action="store_true", help="the broken twin")
    parser.add_argument("--compiler", default="gcc", choices=["gcc", "clang"])
    parser.add_argument("--flags", default="", help="more flags for the compiler")
    parser.add_argument("--technique", help="another than the usual one")
    arguments = parser.parse_args()
    expected = expectations(arguments.source, arguments.broken)
    with tempfile.TemporaryDirectory() as directory:
        code, output, outcome = check(arguments, expected, pathlib.Path(directory))
    problems = list(problems_of(arguments.source, expected, code, output, outcome))
    if problems:
        print(output)
    for problem in problems:
        print(f"{arguments.source.name}{' (broken)' if arguments.broken else ''}: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
