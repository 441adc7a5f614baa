// mazurka: ranks=3 verdict=verified executions=12
// broken: verdict=finding finding=assertion
//
// Tickets are handed out in any order.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int ticket = -1;
  int one = 1;
  MPI_Win_lock_all(0, win);
  MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, win);
  MPI_Win_unlock_all(win);
  assert(EITHER(ticket == rank, ticket >= 0 && ticket < size));
  int sum = 0;
  MPI_Allreduce(&ticket, &sum, 1, MPI_INT, MPI_SUM, WORLD);
  assert(sum == 3);
  MPI_Win_free(&win);
  return finish();
}
