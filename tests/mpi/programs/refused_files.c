// mazurka: ranks=1 verdict=error message=MPI_File_open
//
// What is not supported is refused by name.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_File file;
  MPI_File_open(WORLD, "data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_close(&file);
  return finish();
}
