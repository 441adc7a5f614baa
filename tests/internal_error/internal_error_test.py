#!/usr/bin/env python3
"""Programs on a runtime with a planted defect (defect.cpp): a violated check of the engine is an
internal error, and neither a verdict about the program nor a finding of it."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, RUNTIME = map(pathlib.Path, sys.argv[1:3])

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static void *work(void *unused) { ++count; ++count; return unused; }
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(count == EXPECTED);
}
"""
INTERNAL = re.compile(
    r"internal error: `index\(parent\) < now_\.slots\.size\(\)` does not hold "
    r"\(src/core/run\.cpp:\d+, create\): a process is created by one that there is\n.*nothing is concluded about the program.*report it")


class InternalError(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.place.name)
        (cls.root / "bin").mkdir()
        (cls.root / "lib").mkdir()
        for program in (BUILD / "bin").glob("mazurka*"):
            shutil.copy(program, cls.root / "bin")
        for library in (BUILD / "lib").glob("libmazurka*.so*"):
            shutil.copy(library, cls.root / "lib")
        cls.use(RUNTIME)
        for folder in ("share", "include"):
            (cls.root / folder).symlink_to((BUILD / folder).resolve())
        (cls.root / "count.c").write_text(PROGRAM)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    @classmethod
    def use(cls, runtime):
        shutil.copy(runtime, cls.root / "lib" / "libmazurka-threads.so")

    def mazurka(self, *arguments):
        return subprocess.run(
            [self.root / "bin" / "mazurka", *arguments], cwd=self.root, capture_output=True, text=True,
            env={**os.environ, "NO_COLOR": "1"},
        )  # fmt: skip

    def check(self, *arguments, expected=4):
        return self.mazurka("check", "count.c", f"-DEXPECTED={expected}", *arguments)

    def assert_internal(self, done):
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 2, said)
        self.assertRegex(said, INTERNAL)
        self.assertNotIn("VERIFIED", said)
        self.assertNotIn("FINDING", said.upper())
        self.assertNotIn("crash", said.lower())

    def test_it_is_the_defect_that_is_seen(self):
        self.use(BUILD / "lib" / "libmazurka-threads.so")
        try:
            done = self.check("--technique", "exhaustive")
        finally:
            self.use(RUNTIME)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_technique(self):
        for technique in ("exhaustive", "sleep", "optimal", "reverse", "optimal-context", "random"):
            with self.subTest(technique):
                more = ("--max-executions", "50") if technique == "random" else ()
                self.assert_internal(self.check("--technique", technique, *more))

    def test_parts_of_a_search(self):
        self.assert_internal(self.check("--technique", "reverse", "--jobs", "2"))

    def test_with_all_findings(self):
        self.assert_internal(self.check("--technique", "exhaustive", "--keep-going", expected=4))

    def test_for_machines(self):
        done = self.check("--technique", "exhaustive", "--json", "result.json")
        self.assert_internal(done)
        result = json.loads((self.root / "result.json").read_text())
        self.assertEqual(result["verdict"], "error")
        self.assertEqual(result.get("findings", []), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
