"""Whether the rule of rooms (rooms.py) sees what is wrong: each test plants one mistake.

The mistake is the only one: the project's own sources and table are taken as they are, in memory.
"""

import argparse
import pathlib
import re
import sys
import unittest

import rooms

SOURCE = None


class Rooms(unittest.TestCase):
    def setUp(self):
        self.files = rooms.read_files(SOURCE)
        self.architecture = (SOURCE / "docs" / "architecture.md").read_text()

    def assert_only(self, pattern):
        """There is a complaint, and each is this one."""
        complaints = rooms.judge(self.files, self.architecture)
        self.assertTrue(complaints, f"nothing is said about {pattern}")
        for complaint in complaints:
            self.assertRegex(complaint, pattern)

    def plant(self, path, included):
        self.files[path] = f"#include {included}\n"

    def edit_row(self, room, column, change):
        """Changes one cell of the row that begins with the room."""
        lines = self.architecture.splitlines()
        at = next(at for at, line in enumerate(lines) if line.startswith(f"| `{room}`"))
        row = rooms.cells(lines[at])
        row[column] = change(row[column])
        lines[at] = "| " + " | ".join(row) + " |"
        self.architecture = "\n".join(lines)

    def test_core_is_below_all(self):
        self.plant("src/core/wrong.hpp", '"analysis/happens_before.hpp"')
        self.assert_only("src/core/wrong.hpp .* may not include src/analysis")

    def test_analysis_knows_core_alone(self):
        self.plant("src/analysis/wrong.hpp", '"explorers/table.hpp"')
        self.assert_only("src/analysis/wrong.hpp")

    def test_explorers_know_no_programs(self):
        self.plant("src/explorers/wrong.cpp", '"programs/promela/check.hpp"')
        self.files["src/programs/promela/check.hpp"] = ""
        self.assert_only("src/explorers/wrong.cpp")

    def test_kinds_of_programs_do_not_know_each_other(self):
        self.files["src/programs/promela/any.hpp"] = ""
        self.plant("src/programs/automata/wrong.cpp", '"programs/promela/any.hpp"')
        self.assert_only("src/programs/automata/wrong.cpp")

    def test_a_single_file_opens_no_room(self):
        self.plant("src/programs/actors/wrong.cpp", '"explorers/path.hpp"')
        self.assert_only("src/programs/actors/wrong.cpp")

    def test_a_room_within_a_room_is_one(self):
        self.plant("src/core/wrong.hpp", '"report/model/outcome.hpp"')
        self.assert_only("src/core/wrong.hpp .* may not include src/report/model")

    def test_an_include_beside_the_file_counts(self):
        self.plant("src/core/wrong.hpp", '"../analysis/happens_before.hpp"')
        self.assert_only("src/core/wrong.hpp")

    def test_folders_within_a_room(self):
        folder, never = rooms.read_forbidden(self.architecture)[0]
        target = next(path for path in self.files if rooms.is_below(path, never))
        self.plant(folder + "/wrong.hpp", f'"{target.removeprefix("src/")}"')
        self.assert_only(f"{folder}/wrong.hpp .* never includes")

    def test_core_needs_no_library(self):
        self.plant("src/core/wrong.cpp", "<nlohmann/json.hpp>")
        self.assert_only("src/core/wrong.cpp .* the standard library alone")

    def test_what_is_included_exists(self):
        self.plant("src/host/wrong.cpp", '"core/gone.hpp"')
        self.assert_only("core/gone.hpp, which does not exist")

    def test_every_file_is_in_a_room(self):
        self.plant("src/attic/wrong.cpp", '"core/ids.hpp"')
        self.assert_only("src/attic/wrong.cpp is in no room")

    def test_rooms_form_no_circle(self):
        self.edit_row("core", 2, lambda cell: cell + ", `analysis`")
        self.assert_only("in a circle: .*core.*analysis")

    def test_a_single_file_closes_a_circle_too(self):
        self.edit_row("core", 2, lambda cell: cell + ", `driver/driver.hpp`")
        self.assert_only("in a circle: .*core.*driver")

    def test_rooms_of_the_table_exist(self):
        self.edit_row("host", 2, lambda cell: cell + ", `attic`")
        self.assert_only("attic")

    def test_no_room_is_too_large(self):
        total = sum(text.count("\n") for text in self.files.values())
        self.files["src/core/wrong.cpp"] = "\n" * total
        complaints = rooms.judge(self.files, self.architecture)
        self.assertTrue(any("no room may have more" in one for one in complaints), complaints)

    def test_figures_of_lines_are_true(self):
        self.edit_row("driver", 3, lambda cell: re.sub(r"^[\d,]+", "1", cell))
        self.assert_only("src/driver has .* lines: the table says 1$")

    def test_shares_are_true(self):
        self.edit_row("driver", 3, lambda cell: re.sub(r"\(\d+", "(29", cell))
        self.assert_only("src/driver has .* of all lines: the table says 29")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the project's folder")
    arguments, rest = parser.parse_known_args()
    SOURCE = arguments.source
    unittest.main(argv=[sys.argv[0], *rest])
