// mazurka: ranks=3 verdict=verified
//
// Nonblocking collectives, several at once, waited for in another order.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  int sum = 0;
  int all[3] = {0};
  int before = -1;
  int mine = rank + 1;
  MPI_Request requests[5];
  MPI_Ibcast(&x, 1, MPI_INT, 1, WORLD, &requests[4]);
  MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, WORLD, &requests[3]);
  MPI_Iallgather(&mine, 1, MPI_INT, all, 1, MPI_INT, WORLD, &requests[2]);
  MPI_Iexscan(&mine, &before, 1, MPI_INT, MPI_SUM, WORLD, &requests[1]);
  MPI_Ibarrier(WORLD, &requests[0]);
  for (int i = 0; i < 5; ++i) MPI_Wait(&requests[i], IGNORE);
  assert(x == 1 && sum == 6);
  for (int i = 0; i < size; ++i) assert(all[i] == i + 1);
  assert(before == (rank == 0 ? -1 : rank == 1 ? 1 : 3));
  return finish();
}
