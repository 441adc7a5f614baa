"""What the tests of the program as a user calls it have in common.

Every test works in a folder of its own. MAZURKA names the program to test.
"""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

MAZURKA = Path(os.environ.get("MAZURKA", "build/bin/mazurka")).resolve()
SOURCE = Path(__file__).resolve().parents[2]
PATIENCE = int(os.environ.get("MAZURKA_PATIENCE", "1"))  # more on a slow machine
VERIFIED, FINDING, ERROR, INCONCLUSIVE = 0, 1, 2, 3


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="mazurka-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run_command(self, command, **variables):
        return subprocess.run(
            [str(word) for word in command],
            cwd=self.folder,
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120 * PATIENCE,
        )

    def mazurka(self, *arguments, expect=None, **variables):
        result = self.run_command([MAZURKA, *arguments], **variables)
        if expect is not None:
            self.assertEqual(
                result.returncode, expect, f"stdout:\n{result.stdout}\nstderr:\n{result.stderr}"
            )
        return result
