"""What the tests of the program as a user calls it have in common.

Every test works in a folder of its own. MAZURKA names the program to test.
"""

import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

MAZURKA = Path(os.environ.get("MAZURKA", "build/bin/mazurka")).resolve()
SOURCE = Path(__file__).resolve().parents[2]
PATIENCE = int(os.environ.get("MAZURKA_PATIENCE", "1"))  # more on a slow machine
VERIFIED, FINDING, ERROR, INCONCLUSIVE = 0, 1, 2, 3


def command_lines():
    """Of all processes, by number."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found[int(entry.name)] = (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                pass  # it has ended
    return found


def children_running(process, name):
    """Those of its children whose program has that name in its path."""
    found = []
    try:
        for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
            if name in os.readlink(f"/proc/{child}/exe"):
                found.append(int(child))
    except OSError:
        pass  # one of them has ended
    return found


def computed(process_id):
    """The seconds that the process has computed."""
    try:
        fields = Path(f"/proc/{process_id}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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

    def wait_for(self, condition, what):
        """Until it holds: for events, not for seconds."""
        deadline = time.monotonic() + 60 * PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                self.fail(f"in vain for a minute: {what}")
            time.sleep(0.02)

    def wait_for_worker(self, process, name):
        """Until the program under test has computed for a moment, or all is over."""
        self.wait_for(
            lambda: process.poll() is not None
            or any(computed(child) > 0.1 for child in children_running(process, name)),
            f"{name} explores",
        )

    def mazurka(self, *arguments, expect=None, **variables):
        result = self.run_command([MAZURKA, *arguments], **variables)
        if expect is not None:
            self.assertEqual(
                result.returncode, expect, f"stdout:\n{result.stdout}\nstderr:\n{result.stderr}"
            )
        return result
