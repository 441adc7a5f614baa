"""What calls of the C library read and write counts as the program's own accesses.

Each call of library_calls.c touches the beginning of a block: another thread that writes there
races with it, one that writes far behind does not. And the block must not have been freed.
"""

import shutil
import unittest

from calling import FINDING, MAZURKA, SOURCE, VERIFIED, InFolder

PROGRAM = SOURCE / "tests" / "cli" / "library_calls.c"


class LibraryCalls(InFolder):
    def every_call(self, compiler, level):
        if shutil.which(compiler) is None:
            self.skipTest(f"there is no {compiler} here")
        built = self.run_command(
            [MAZURKA.parent / "mazurka-cc", "-std=gnu11", "-w", f"-{level}", PROGRAM, "-o", "calls"],
            MAZURKA_CC=compiler)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.write("library_calls.txt", "12 34567\n")
        names = self.run_command(["./calls"]).stdout.split()
        self.assertGreater(len(names), 90)
        for name in names:
            with self.subTest(call=name):
                near = self.mazurka("check", "./calls", "--", name, "near", expect=FINDING)
                self.assertIn("Data race", near.stdout)
                self.mazurka("check", "./calls", "--", name, "far", expect=VERIFIED)
                freed = self.mazurka("check", "./calls", "--", name, "freed", expect=FINDING)
                self.assertIn("freed", freed.stdout)


class Gcc(LibraryCalls):
    def test_plain(self):
        self.every_call("gcc", "O0")

    def test_optimised(self):
        self.every_call("gcc", "O2")


class Clang(LibraryCalls):
    def test_plain(self):
        self.every_call("clang", "O0")

    def test_optimised(self):
        self.every_call("clang", "O2")


if __name__ == "__main__":
    unittest.main()
