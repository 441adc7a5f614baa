"""What assertions.py takes for an assertion and for a room."""

import pathlib
import tempfile
import unittest

import assertions


class Assertions(unittest.TestCase):
    def test_what_counts(self):
        for text in ("MAZURKA_CHECK(a < b);", 'MAZURKA_CHECK(a < b,\n  "b is larger");',
                     "static_assert(sizeof(int) == 4);", "if (a) MAZURKA_CHECK (truth);"):
            with self.subTest(text):
                self.assertEqual(assertions.assertions(text), 1)

    def test_what_does_not(self):
        for text in ("// MAZURKA_CHECK(a < b);", 'const char* a = "MAZURKA_CHECK(b)";',
                     "#define MAZURKA_CHECK(condition) check(condition)", "MAZURKA_CHECK(true);",
                     'static_assert(true, "as it is");', "NOT_A_MAZURKA_CHECK(a < b);"):
            with self.subTest(text):
                self.assertEqual(assertions.assertions(text), 0)


class Rooms(unittest.TestCase):
    def test_names(self):
        for path, room in (("core/run.cpp", "core"), ("core/deep/run.cpp", "core"),
                           ("programs/mpi/runtime/mpi.cpp", "programs/mpi"),
                           ("programs/program.hpp", "programs"), ("main.cpp", "")):
            self.assertEqual(assertions.room_of(pathlib.Path(path)), room)

    def test_counted_without_unit_tests(self):
        with tempfile.TemporaryDirectory() as place:
            room = pathlib.Path(place, "src", "core")
            room.mkdir(parents=True)
            (room / "run.cpp").write_text("MAZURKA_CHECK(a);\n\n")
            (room / "run.hpp").write_text("static_assert(a);\n")
            (room / "run.test.cpp").write_text("MAZURKA_CHECK(a);\n")
            (room / "notes.md").write_text("MAZURKA_CHECK(a);\n")
            self.assertEqual(assertions.count(pathlib.Path(place)), {"core": [2, 3]})

    def test_bounds(self):
        def few(**rooms):
            return [name for name, *_, too_few in assertions.too_few(rooms) if too_few]
        self.assertEqual(few(core=[3, 1000], host=[7, 1000]), [])
        self.assertEqual(few(core=[2, 1000], host=[8, 1000]), ["core"])
        self.assertEqual(few(core=[3, 1000], host=[6, 1000]), ["src"])
        self.assertEqual(few(core=[3, 1001], host=[90, 1000]), ["core"])


if __name__ == "__main__":
    unittest.main()
