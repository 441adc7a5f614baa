// mazurka: ranks=4 verdict=verified
// broken: verdict=finding finding=deadlock at=recv
//
// A ring in which everybody receives first. Rank 0 of the correct one begins.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int token = 0;
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;
  if (rank == 0 && EITHER(0, 1)) MPI_Send(&token, 1, MPI_INT, next, 0, WORLD);
  MPI_Recv(&token, 1, MPI_INT, previous, 0, WORLD, IGNORE);  // at: recv
  ++token;
  if (rank != 0 || EITHER(1, 0)) MPI_Send(&token, 1, MPI_INT, next, 0, WORLD);
  if (rank == 0) assert(token == size);
  return finish();
}
