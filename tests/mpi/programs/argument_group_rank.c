// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// A group with a rank that the other does not have.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Group all;
  MPI_Group some;
  const int ranks[1] = {EITHER(2, 1)};
  MPI_Comm_group(WORLD, &all);
  MPI_Group_incl(all, 1, ranks, &some);  // at: call
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  return finish();
}
