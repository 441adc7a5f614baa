#!/usr/bin/env python3
"""clang-tidy over all sources, several at a time.

Most of its time goes into the headers of the standard library, again for each file. So files that
are compiled together, or at least alike, are first included into one and checked together. That is only a sieve: where it
sees anything at all (two files may have the same name for something), the halves are checked again,
down to single files, and only what is seen then counts.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

# What is no mistake but comes from including several files into one.
OF_TOGETHERNESS = "-bugprone-suspicious-include,-readability-redundant-declaration"


def flags_of(entry):
    words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
    while words and not words[0].startswith("-"):  # the compiler, and what runs it
        words = words[1:]
    flags, skip = [], False
    for word in words:  # without headers that were compiled beforehand, by another compiler
        if skip or word in ("-o", "-c", "-include", "-Winvalid-pch"):
            skip = not skip and word in ("-o", "-include")
        elif word != entry["file"]:
            flags.append(word)
    return tuple(flags)


def files_of(entry):
    """Itself, or what it includes if the build compiles several sources together."""
    file = pathlib.Path(entry["file"])
    if file.parent.name != "Unity":
        return [file]
    return [pathlib.Path(name) for name in re.findall(r'^#include "(.+)"', file.read_text(), re.M)]


def batches(entries, sources, size):
    """Those that the build compiles together, and of the others several of a folder."""
    seen = set()

    def ours(file):
        new = file.is_relative_to(sources) and file.suffix == ".cpp" and "." not in file.stem and file not in seen
        seen.update([file] if new else [])  # some are compiled in two ways
        return new

    alone = collections.defaultdict(list)
    for entry in entries:
        files = list(filter(ours, files_of(entry)))
        if len(files) > 1:
            yield flags_of(entry), files
        elif files:
            alone[flags_of(entry)] += files
    for flags, files in sorted(alone.items()):
        for begin in range(0, len(files), size):
            yield flags, sorted(files)[begin : begin + size]


def tidy(arguments, flags, file, checks=None):
    command = [arguments.tidy, "--quiet", f"--config-file={arguments.config}"]
    if checks:
        command.append(f"--checks={checks}")
    done = subprocess.run(
        [*command, str(file), "--", *flags],
        capture_output=True, text=True, cwd=arguments.build, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def lint(arguments, scratch, flags, files):
    if len(files) == 1:
        code, text = tidy(arguments, flags, files[0])
        return (text or "clang-tidy failed\n") if code != 0 else ""
    with tempfile.NamedTemporaryFile("w", suffix=".cpp", dir=scratch) as together:
        together.write("".join(f'#include "{file}"\n' for file in files))
        together.flush()
        # With optimisation, headers of the C library define functions that ours define as well.
        quieter = (*flags, "-O0", "-Wno-shadow", "-Wno-macro-redefined")
        if tidy(arguments, quieter, together.name, OF_TOGETHERNESS)[0] == 0:
            return ""
    middle = (len(files) + 1) // 2
    halves = files[:middle], files[middle:]
    return "".join(lint(arguments, scratch, flags, half) for half in halves)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--tidy", default="clang-tidy")
    parser.add_argument("--size", type=int, default=8, help="files at a time, of those that are compiled alone")
    arguments = parser.parse_args()
    arguments.config = arguments.source / ".clang-tidy"
    entries = json.loads((arguments.build / "compile_commands.json").read_text())
    work = list(batches(entries, arguments.source / "src", arguments.size))
    if not work:
        sys.exit("lint: nothing to check; is the build configured?")
    with tempfile.TemporaryDirectory(prefix="mazurka-lint-") as scratch:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            text = "".join(pool.map(lambda each: lint(arguments, scratch, *each), work))
    print(text, end="")
    print(f"{sum(len(files) for _, files in work)} files checked", file=sys.stderr)
    return 1 if text else 0


if __name__ == "__main__":
    sys.exit(main())
