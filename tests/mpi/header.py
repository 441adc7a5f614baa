#!/usr/bin/env python3
"""mpi.h compiles without a warning, in C and C++, with the compilers that are here.

    header.py INCLUDE_FOLDER

Every function is used once, as MPI_ and as PMPI_, so that a declaration that is missing is an error.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
# compiler, language, standards
WAYS = [
    ("gcc", "c", ("c99", "c11", "gnu89")),
    ("clang", "c", ("c99", "c11", "gnu89")),
    ("g++", "c++", ("c++11", "c++20")),
    ("clang++", "c++", ("c++11", "c++20")),
]
USES = """
MPI_Comm comm = MPI_COMM_WORLD;
static MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
int send(int rank, int size) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  const int next = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  int code = MPI_Isend(&rank, 1, types[0], next, 0, comm, &request);
  switch (code) {
    case MPI_SUCCESS: return MPI_Wait(&request, &status) | status.MPI_SOURCE;
    case MPI_ERR_RANK: return MPI_Wait(&request, MPI_STATUS_IGNORE);
    default: return code == MPI_ERR_COMM ? MPI_ANY_SOURCE : code;
  }
}
"""


def names(interface):
    for file in sorted(interface.glob("*.h")):
        yield from re.findall(r"(?m)^MAZURKA_MPI_FUNCTION\(\w+, (\w+),", file.read_text())


def source(include):
    used = [f"  use((Function){prefix}{name});"
            for name in names(include / "mazurka/mpi_interface") for prefix in ("MPI_", "PMPI_")]
    begin = ["typedef void (*Function)(void);", "void use(Function one);", "void use_all(void);",
             "int send(int rank, int size);", "extern MPI_Comm comm;"]
    return "\n".join(["#include <mpi.h>", "#include <mpi.h>", *begin, USES, "void use_all(void) {",
                      *used, "}", ""])


def main():
    include = pathlib.Path(sys.argv[1])
    wrong = tried = 0
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "uses.txt"
        file.write_text(source(include))
        for compiler, language, standards in WAYS:
            if shutil.which(compiler) is None:
                continue
            for standard in standards:
                tried += 1
                # Functions are turned into each other here, which is what the test does, not mpi.h.
                command = [compiler, "-x", language, f"-std={standard}", *WARNINGS,
                           "-Wno-cast-function-type", "-fsyntax-only", f"-I{include}/mazurka/mpi",
                           str(file)]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode != 0:
                    print(f"{compiler} -std={standard}:\n" + done.stderr[:2000])
                    wrong += 1
    print(f"{tried} ways, {wrong} wrong")
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
