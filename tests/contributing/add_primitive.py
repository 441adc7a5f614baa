#!/usr/bin/env python3
"""Copies the runtime's sources, with the primitive of CONTRIBUTING.md added as it stands there."""

import pathlib
import re
import sys


def edited(how, code, text):
    """The text with the edit that a block shows: what it knows is there, once."""
    lines = code.splitlines(keepends=True)
    known = lines[-1] if how == "before" else lines[0]
    new = {"line": code, "before": code, "instead": "".join(lines[1:])}[how]
    if text.count(known) != 1:
        sys.exit(f"CONTRIBUTING.md: {known.strip()!r} is there {text.count(known)} times")
    return text.replace(known, new)


def main():
    page, runtime, copy = map(pathlib.Path, sys.argv[1:])
    sources = {str(path.relative_to(runtime)): path.read_text() for path in runtime.rglob("*.[ch]pp")}
    shown = re.findall(
        r"<!-- test: primitive (?:(\w+) in )?(\S+) -->\n\n```cpp\n(.*?)```", page.read_text(), re.DOTALL
    )
    for how, path, code in shown:
        sources[path] = edited(how, code, sources[path]) if how else code
    for path, text in sources.items():
        place = copy / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists() or place.read_text() != text:
            place.write_text(text)


if __name__ == "__main__":
    main()
