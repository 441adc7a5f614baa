// Workers draw tickets from a counter in a window of rank 0, and leave what they have made of them
// in another place of it.
//
// Every order in which the tickets are drawn is explored. With -DCARELESS the counter is read and
// written back instead: two workers may draw the same ticket, which is a conflict even where it
// happens to go well.
#include <assert.h>
#include <mpi.h>

enum { tickets = 3 };

// The next ticket; at least `tickets` if there is none left.
static int draw(MPI_Win window) {
  int ticket = 0;
#ifdef CARELESS
  MPI_Get(&ticket, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  MPI_Win_flush(0, window);
  const int next = ticket + 1;
  MPI_Put(&next, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
#else
  const int one = 1;
  MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, window);
#endif
  MPI_Win_flush(0, window);
  return ticket;
}

int main(int argc, char** argv) {
  int rank;
  int results[1 + tickets] = {0};  // the counter, and a place for each ticket
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(results, sizeof results, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);

  MPI_Win_lock_all(0, window);
  if (rank > 0) {
    for (int ticket = draw(window); ticket < tickets; ticket = draw(window)) {
      const int square = ticket * ticket;
      MPI_Put(&square, 1, MPI_INT, 0, 1 + ticket, 1, MPI_INT, window);
      MPI_Win_flush(0, window);
    }
  }
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    for (int ticket = 0; ticket < tickets; ++ticket) assert(results[1 + ticket] == ticket * ticket);
  }

  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
