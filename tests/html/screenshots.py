#!/usr/bin/env python3
"""Makes the pictures of the documentation: HTML reports of examples and the studio, as a browser shows them.

    screenshots.py --mazurka build/bin/mazurka --output docs
"""

import argparse
import base64
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from browser import BROWSER, Browser

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PICTURES = [  # name, example, options, step and view, size
    ("report.png", "threads/bank.cpp", [], "#1.14", (1280, 940)),
    ("tree.png", "threads/bank.cpp", ["--keep-going"], "#1.1/tree", (1280, 620)),
]
STUDIO = ("studio.png", "threads", (1400, 900))


def write(arguments, name, browser):
    (arguments.output / name).write_bytes(base64.b64decode(browser.screenshot()))
    print(arguments.output / name)


def picture_report(arguments, name, example, options, place, size):
    with tempfile.TemporaryDirectory() as folder, Browser(*size) as browser:
        shutil.copy(SOURCE / "examples" / example, folder)
        subprocess.run([arguments.mazurka.resolve(), "check", pathlib.Path(example).name, "--html", "report.html",
                        *options],
                       cwd=folder, env={**os.environ, "MAZURKA_COMMAND": "mazurka"}, stdout=subprocess.DEVNULL)
        browser.open((pathlib.Path(folder) / "report.html").as_uri() + place)
        browser.settle()
        write(arguments, name, browser)


def picture_studio(arguments, name, examples, size):
    studio = subprocess.Popen([arguments.mazurka.resolve(), "studio", SOURCE / "examples" / examples],
                              stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://\S+", studio.stdout.readline()).group(0)
        with Browser(*size) as browser:
            browser.open(address)
            browser.click("run")
            while browser.text("run-state") == "Running":
                browser.settle()
            for _ in range(5):  # the report is drawn in its frame
                browser.settle()
            write(arguments, name, browser)
    finally:
        studio.terminate()
        studio.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    if not BROWSER:
        sys.exit("screenshots: there is no browser; install chromium")
    for picture in PICTURES:
        picture_report(arguments, *picture)
    picture_studio(arguments, *STUDIO)


if __name__ == "__main__":
    main()
