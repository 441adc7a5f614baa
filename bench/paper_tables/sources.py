"""The numbers that the papers print."""

import csv
import pathlib

DATA = pathlib.Path(__file__).resolve().parent / "data"


def rows(name):
    with (DATA / name).open() as file:
        return list(csv.DictReader(file))


def in_seconds(milliseconds):
    return f"{int(milliseconds) / 1000:g}" if milliseconds.isdigit() else ""
