// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race
//
// Memory that ranks share: something has to order what they do to it.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int* mine;
  int* other;
  int unit;
  MPI_Aint bytes;
  MPI_Win win;
  MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &mine, &win);
  MPI_Win_shared_query(win, 1 - rank, &bytes, &unit, &other);
  assert(bytes == sizeof(int) && unit == sizeof(int) && other == mine + 1 - 2 * rank);
  *mine = rank;
  if (EITHER(0, 1)) MPI_Barrier(WORLD);
  int seen = *other;
  assert(EITHER(1, seen == 1 - rank));
  (void)seen;
  MPI_Win_free(&win);
  return finish();
}
