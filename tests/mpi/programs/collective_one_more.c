// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse|deadlock
//
// Rank 0 goes round the loop once more.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  const int rounds = rank == 0 ? EITHER(3, 2) : 2;
  for (int i = 0; i < rounds; ++i) MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
  return finish();
}
