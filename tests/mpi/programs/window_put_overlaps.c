// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="received at overlap" at=call
//
// What is put may not lie twice at one place of the target.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int lengths[3] = {1, 1, 1};
  const int places[3] = {0, 2, EITHER(2, 1)};
  MPI_Datatype mixed;
  MPI_Type_indexed(3, lengths, places, MPI_INT, &mixed);
  MPI_Type_commit(&mixed);
  int memory[3] = {4, 5, 6};
  int values[3] = {1, 2, 3};
  MPI_Win window;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, WORLD, &window);
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(values, 3, MPI_INT, 1, 0, 1, mixed, window);  // at: call
  MPI_Win_fence(0, window);
  assert(rank == 0 || (memory[0] == 1 && memory[1] == 3 && memory[2] == 2));
  MPI_Win_free(&window);
  MPI_Type_free(&mixed);
  return finish();
}
