#!/usr/bin/env python3
"""With --keep-going all explorations of a program are made, with buffers and without: what each of them finds is told
once, and each finding has a schedule of its own that replays."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """
#include <assert.h>
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, mine = 1, theirs = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) MPI_Recv(&theirs, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&mine, 1, MPI_INT, 1 - rank, rank == 0, MPI_COMM_WORLD);
  assert(rank == 0 || theirs == 2);
  if (rank == 0) MPI_Send(&mine, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
  MPI_Recv(&theirs, 1, MPI_INT, 1 - rank, rank == 1 ? 2 : 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mazurka", type=lambda path: pathlib.Path(path).resolve(), required=True)
    arguments = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        def mazurka(*words):
            return subprocess.run([arguments.mazurka, *words], cwd=folder, capture_output=True, text=True,
                                  check=False)

        def found(*options):
            mazurka("check", "program.c", "--ranks", "2", "--json", "report.json", *options)
            return json.loads(pathlib.Path(folder, "report.json").read_text())

        pathlib.Path(folder, "program.c").write_text(PROGRAM)
        first = found()
        if [one["kind"] for one in first["findings"]] != ["assertion"]:
            wrong.append(f"without --keep-going: {first['findings']}")
        for schedule in pathlib.Path(folder, ".mazurka").glob("*.schedule"):
            schedule.unlink()
        all_of_them = found("--keep-going")
        kinds = [one["kind"] for one in all_of_them["findings"]]
        if kinds != ["assertion", "deadlock"]:
            wrong.append(f"with --keep-going: {kinds}")
        if not all_of_them["reason"].startswith("2 findings"):
            wrong.append(f"the reason is {all_of_them['reason']}")
        schedules = sorted(pathlib.Path(folder, ".mazurka").glob("*.schedule"))
        if len(schedules) != 2:
            wrong.append(f"{len(schedules)} schedules")
        for schedule, words in zip(schedules, ("Assertion", "Deadlock")):
            replayed = mazurka("replay", str(schedule))
            if replayed.returncode != 1 or words not in replayed.stdout:
                wrong.append(replayed.stdout + replayed.stderr)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
