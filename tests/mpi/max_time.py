#!/usr/bin/env python3
"""--max-time is that of all explorations of a program together, with buffers and without, and an interrupt ends all of
them; what was not explored, or not all of it, is told."""

import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = """
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, size, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    for (int n = 1; n < size; ++n)
      MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
"""
WITH = "with unlimited buffers"
WITHOUT = "without buffers (--buffering zero)"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mazurka", type=lambda path: pathlib.Path(path).resolve(), required=True)
    arguments = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        def check(ranks, *options):
            done = subprocess.run([arguments.mazurka, "check", "program.c", "--ranks", ranks, "--json", "report.json",
                                   *options], cwd=folder, capture_output=True, text=True, check=False)
            outcome = json.loads(pathlib.Path(folder, "report.json").read_text())
            return done.returncode, outcome["notes"], outcome["seconds"]

        pathlib.Path(folder, "program.c").write_text(PROGRAM)
        code, notes, seconds = check("3")
        if code != 0:
            wrong.append(f"without a limit: {code} {notes}")
        limit = 6
        code, notes, seconds = check("14", "--max-time", f"{limit}s")
        if code != 3 or f"explored in part: {WITH}, {WITHOUT}" not in notes:
            wrong.append(f"with {limit} seconds: {code} {notes}")
        # A limit that was that of each would be twice as much.
        if seconds > 1.9 * limit:
            wrong.append(f"{seconds} seconds instead of {limit}")
        code, notes, seconds = check("14", "--max-time", "1ms")
        if code != 3 or not any("not explored: " in note and note.endswith(WITHOUT) for note in notes):
            wrong.append(f"with no time at all: {code} {notes}")
        pathlib.Path(folder, "report.json").unlink()
        with subprocess.Popen([arguments.mazurka, "check", "program.c", "--ranks", "14", "--json", "report.json"],
                              cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            time.sleep(3)
            running.send_signal(signal.SIGINT)
            code = running.wait(timeout=60)
        notes = json.loads(pathlib.Path(folder, "report.json").read_text())["notes"]
        if code != 3 or not any("not explored: " in note and note.endswith(WITHOUT) for note in notes):
            wrong.append(f"interrupted: {code} {notes}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
