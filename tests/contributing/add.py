#!/usr/bin/env python3
"""Takes an addition out of CONTRIBUTING.md, and adds its row to a copy of the table."""

import pathlib
import re
import sys

# marks of the code and of its row, the functions to declare, what it is declared before, where the
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
    "kind": (
        "kind",
        "kind_row",
        r"^((?:bool|int) \w+\(const (?:std::string|Options)& .*\)) \{",
        "void declare_threads(",
        "constexpr Kind rows[] = {\n",
    ),
}


def blocks(page):
    """The code blocks, by the mark before them."""
    return dict(re.findall(r"<!-- test: (\w+) -->\n\n```cpp\n(.*?)```", page, re.DOTALL))


def main():
    kind = sys.argv[1]
    page, table, added, new_table = map(pathlib.Path, sys.argv[2:])
    code_mark, row_mark, functions, declared_before, begin = ADDITIONS[kind]
    shown = blocks(page.read_text())
    code, row = shown[code_mark], shown[row_mark]
    declarations = "".join(found + ";\n" for found in re.findall(functions, code, re.MULTILINE))
    text = table.read_text()
    if declared_before not in text or begin not in text:
        sys.exit(f"{table.name} has another form: adapt this script and CONTRIBUTING.md")
    text = text.replace(declared_before, declarations + declared_before, 1)
    text = text.replace(begin, begin + row, 1)
    added.write_text(code)
    new_table.write_text(text)


if __name__ == "__main__":
    main()
