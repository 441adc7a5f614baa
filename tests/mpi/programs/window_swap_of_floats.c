// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=swap
//
// MPI_Compare_and_swap is for integers, logical values and bytes.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  long x = 0;
  long old = 0;
  long one = 1;
  long zero = 0;
  const MPI_Datatype types[5] = {MPI_LONG, MPI_BYTE, MPI_C_BOOL, MPI_AINT, MPI_UINT64_T};
  MPI_Win win;
  MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, WORLD, &win);
  for (int nth = 0; nth < 5; ++nth) {
    const MPI_Datatype type = EITHER(MPI_FLOAT, types[nth]);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    MPI_Compare_and_swap(&one, &zero, &old, type, rank, 0, win);  // at: swap
    MPI_Win_unlock(rank, win);
  }
  assert(x == 1);
  MPI_Win_free(&win);
  return finish();
}
