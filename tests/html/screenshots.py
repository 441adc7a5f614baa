#!/usr/bin/env python3
"""Makes the pictures of the documentation: the HTML report of an example, as a browser shows it.

    screenshots.py --mazurka build/bin/mazurka --output docs
"""

import argparse
import base64
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from browser import BROWSER, Browser

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PICTURES = [  # name, example, step and view, size
    ("report.png", "threads/bank.cpp", "#1.14", (1280, 940)),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    if not BROWSER:
        sys.exit("screenshots: there is no browser; install chromium")
    for name, example, place, size in PICTURES:
        with tempfile.TemporaryDirectory() as folder, Browser(*size) as browser:
            shutil.copy(SOURCE / "examples" / example, folder)
            subprocess.run([arguments.mazurka.resolve(), "check", pathlib.Path(example).name, "--html", "report.html"],
                           cwd=folder, env={**os.environ, "MAZURKA_COMMAND": "mazurka"}, stdout=subprocess.DEVNULL)
            browser.open((pathlib.Path(folder) / "report.html").as_uri() + place)
            browser.settle()
            (arguments.output / name).write_bytes(base64.b64decode(browser.screenshot()))
            print(arguments.output / name)


if __name__ == "__main__":
    main()
