#!/usr/bin/env python3
"""Takes an addition out of CONTRIBUTING.md, and adds its row to a copy of the table."""

import pathlib
import re
import sys

# marks of the code and of its row, the function to declare, what it is declared before, where the
# rows begin
ADDITIONS = {
    "technique": (
        "compiles",
        "row",
        r"^(std::unique_ptr<Explorer> make_\w+\(.*\)) \{",
        "std::unique_ptr<Explorer> make_exhaustive",
        "const Technique techniques[] = {\n",
    ),
    "format": (
        "format",
        "format_row",
        r"^(std::string \w+\(const Outcome& outcome\)) \{",
        "std::span<const Format> formats() {",
        "constexpr Format rows[] = {\n",
    ),
}


def blocks(page):
    """The code blocks, by the mark before them."""
    return dict(re.findall(r"<!-- test: (\w+) -->\n\n```cpp\n(.*?)```", page, re.DOTALL))


def main():
    kind = sys.argv[1]
    page, table, added, new_table = map(pathlib.Path, sys.argv[2:])
    code_mark, row_mark, function, declared_before, begin = ADDITIONS[kind]
    found = blocks(page.read_text())
    code, row = found[code_mark], found[row_mark]
    declaration = re.search(function, code, re.MULTILINE)[1] + ";\n"
    text = table.read_text()
    if declared_before not in text or begin not in text:
        sys.exit(f"{table.name} has another form: adapt this script and CONTRIBUTING.md")
    text = text.replace(declared_before, declaration + declared_before, 1)
    text = text.replace(begin, begin + row, 1)
    added.write_text(code)
    new_table.write_text(text)


if __name__ == "__main__":
    main()
