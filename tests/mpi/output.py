#!/usr/bin/env python3
"""A replay shows what ranks print, each line with its rank."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("one ");
  printf("line\\n");
  puts("another");
  fprintf(stderr, "an error\\n");
  fputs("a\\nb\\n", stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  assert(rank == 0);
  MPI_Finalize();
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mazurka", type=lambda path: pathlib.Path(path).resolve(), required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        def mazurka(*words):
            done = subprocess.run([arguments.mazurka, *words], cwd=folder, capture_output=True,
                                  text=True, check=False)
            return done.stdout + done.stderr

        pathlib.Path(folder, "program.c").write_text(PROGRAM)
        found = mazurka("check", "program.c", "--ranks", "2")
        schedule = next(pathlib.Path(folder, ".mazurka").glob("*.schedule"))
        shown = mazurka("replay", str(schedule)).splitlines()
        hidden = any("another" in line for line in found.splitlines())
    wanted = [f"[rank {rank}] {line}" for rank in (0, 1)
              for line in ("one line", "another", "an error", "a", "b")]
    missing = [line for line in wanted if line not in shown]
    for line in missing:
        print(f"missing: {line}")
    if hidden:
        print("output is shown while exploring")
    if missing:
        print("\n".join(shown))
    return 1 if missing or hidden else 0


if __name__ == "__main__":
    sys.exit(main())
