// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=accumulate
//
// Types that are made of pairs are types of pairs.
#include "pair.h"

struct Found {
  double value;
  int place;
};

int main(int argc, char** argv) {
  start(&argc, &argv);
  struct Found here[2] = {{1, 1}, {4, 1}};
  int pairs[6] = {5, 1, 6, 1, 7, 1};
  MPI_Datatype both[2];
  MPI_Type_contiguous(2, MPI_DOUBLE_INT, &both[0]);
  MPI_Type_vector(2, 1, 2, MPI_2INT, &both[1]);
  MPI_Win wins[2];
  MPI_Win_create(here, sizeof here, sizeof here[0], MPI_INFO_NULL, WORLD, &wins[0]);
  MPI_Win_create(pairs, sizeof pairs, sizeof(int), MPI_INFO_NULL, WORLD, &wins[1]);
  for (int nth = 0; nth < 2; ++nth) {
    MPI_Type_commit(&both[nth]);
    MPI_Win_fence(0, wins[nth]);
  }
  struct Found more[2] = {{3, 2}, {2, 2}};
  int more_pairs[4] = {8, 0, 6, 0};
  if (rank == 0) {
    MPI_Accumulate(more, 1, both[0], 1, 0, 1, both[0], MPI_MAXLOC, wins[0]);
    MPI_Accumulate(more_pairs, 2, MPI_2INT, 1, 0, 1, both[1], EITHER(MPI_MAX, MPI_MINLOC),
                   wins[1]);  // at: accumulate
  }
  for (int nth = 0; nth < 2; ++nth) {
    MPI_Win_fence(0, wins[nth]);
    MPI_Win_free(&wins[nth]);
    MPI_Type_free(&both[nth]);
  }
  if (rank == 1) {
    assert(here[0].value == 3 && here[0].place == 2 && here[1].value == 4 && here[1].place == 1);
    assert(pairs[0] == 5 && pairs[1] == 1 && pairs[2] == 6 && pairs[3] == 1 && pairs[4] == 6 &&
           pairs[5] == 0);
  }
  return finish();
}
