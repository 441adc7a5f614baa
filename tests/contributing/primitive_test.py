#!/usr/bin/env python3
"""Programs with the primitive that CONTRIBUTING.md shows how to add, on a runtime that has it."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, RUNTIME = map(pathlib.Path, sys.argv[1:3])

PROGRAM = """
#include <assert.h>
#include <pthread.h>
void wait_group_set_up(void *group, unsigned count);
void wait_group_done(void *group);
void wait_group_wait(void *group);
static int group, data[3];
static void *work(void *mine) { *(int *)mine = 1; wait_group_done(&group); return 0; }
int main(void) {
  pthread_t threads[3];
  wait_group_set_up(&group, COUNT);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, &data[i]);
  wait_group_wait(&group);
  assert(data[0] + data[1] + data[2] == 3);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}
"""
TECHNIQUES = ("exhaustive", "sleep", "optimal", "reverse", "optimal-context", "optimal-observers")


class Primitive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.place.name)
        (cls.root / "bin").mkdir()
        (cls.root / "lib").mkdir()
        for program in (BUILD / "bin").glob("mazurka*"):
            shutil.copy(program, cls.root / "bin")
        shutil.copy(RUNTIME, cls.root / "lib" / "libmazurka-threads.so")
        for folder in ("share", "include"):
            (cls.root / folder).symlink_to((BUILD / folder).resolve())
        (cls.root / "group.c").write_text(PROGRAM)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def check(self, count, technique):
        return subprocess.run(
            [self.root / "bin" / "mazurka", "check", "group.c", f"-DCOUNT={count}", "--technique", technique],
            cwd=self.root, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"},
        )  # fmt: skip

    def test_everybody_who_passes_knows_what_was_done_before(self):
        for technique in TECHNIQUES:
            with self.subTest(technique):
                done = self.check(3, technique)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                if technique == "optimal":
                    self.assertIn(" 1 execution ", done.stdout.replace(",", " ").replace("(", " "))

    def test_who_passes_too_early_races(self):
        for technique in TECHNIQUES:
            with self.subTest(technique):
                done = self.check(2, technique)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_who_waits_for_more_waits_for_ever(self):
        done = self.check(4, "optimal")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("Deadlock", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
