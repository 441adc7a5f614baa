// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="received at overlap" at=exchange
//
// The places of MPI_Alltoallw are counted in bytes.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  const int counts[2] = {1, 1};
  const int begins[2] = {0, sizeof(int)};
  const int wanted[2] = {EITHER(1, sizeof(int)), 0};
  const int values[2] = {10 * rank, 10 * rank + 1};
  int got[2] = {-1, -1};
  MPI_Alltoallw(values, counts, begins, types, got, counts, wanted, types, WORLD);  // at: exchange
  assert(got[1] == rank && got[0] == 10 + rank);
  const int reversed[2] = {1, 0};
  const int in_order[2] = {0, 1};
  MPI_Alltoallv(values, counts, in_order, MPI_INT, got, counts, reversed, MPI_INT, WORLD);
  assert(got[1] == rank && got[0] == 10 + rank);
  return finish();
}
