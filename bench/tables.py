#!/usr/bin/env python3
"""The papers' tables beside ours. Which one: --paper NAME, a script tables/NAME.py."""

import argparse
import importlib.util
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent / "tables"


def load(paper):
    specification = importlib.util.spec_from_file_location(paper, HERE / f"{paper}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def main():
    papers = sorted(path.stem for path in HERE.glob("*.py"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], add_help=False)
    parser.add_argument("--paper", choices=papers, required=True, help="which paper's tables")
    parser.add_argument("--mazurka", type=pathlib.Path, required=True, help="the checker")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."),
                        help="folder for tables and figures")
    known, rest = parser.parse_known_args()
    known.output.mkdir(parents=True, exist_ok=True)
    return load(known.paper).main(known.mazurka, known.output, rest)


if __name__ == "__main__":
    sys.exit(main())
