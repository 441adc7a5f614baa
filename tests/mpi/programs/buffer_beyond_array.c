// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=memory_error at=call message="beyond the end of `room`"
//
// The message fits the count, and not the array.
#include "pair.h"

enum { some = 10, more = 20 };

int main(int argc, char** argv) {
  int before[more] = {0};
  int room[EITHER(some, more)];
  int behind[more] = {0};
  start(&argc, &argv);
  if (rank == 0) {
    MPI_Recv(room, more, MPI_INT, 1, 0, WORLD, IGNORE);  // at: call
    assert(before[0] == 0 && behind[0] == 0);
  } else {
    for (int i = 0; i < more; ++i) before[i] = i;
    MPI_Send(before, more, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
