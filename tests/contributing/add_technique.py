#!/usr/bin/env python3
"""Takes the technique out of CONTRIBUTING.md and adds its row to a copy of the table."""

import pathlib
import re
import sys


def blocks(page):
    """The code blocks, by the mark before them."""
    return dict(re.findall(r"<!-- test: (\w+) -->\n\n```cpp\n(.*?)```", page, re.DOTALL))


def main():
    page, table, added, new_table = map(pathlib.Path, sys.argv[1:])
    found = blocks(page.read_text())
    technique, row = found["compiles"], found["row"]
    make = re.search(r"^(std::unique_ptr<Explorer> make_\w+\(.*\)) \{", technique, re.MULTILINE)
    text = table.read_text()
    first = "std::unique_ptr<Explorer> make_exhaustive"
    begin = "const Technique techniques[] = {\n"
    if first not in text or begin not in text:
        sys.exit("the table has another form: adapt this script and CONTRIBUTING.md")
    text = text.replace(first, f"{make[1]};\n{first}", 1).replace(begin, begin + row, 1)
    added.write_text(technique)
    new_table.write_text(text)


if __name__ == "__main__":
    main()
