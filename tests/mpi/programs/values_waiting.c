// mazurka: ranks=3 verdict=verified
//
// Waitsome, Testall, Testany: what they say of requests that are done, and of none.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    int values[2] = {0, 0};
    MPI_Request requests[3];
    MPI_Status statuses[3];
    requests[2] = MPI_REQUEST_NULL;
    for (int i = 0; i < 2; ++i) MPI_Irecv(&values[i], 1, MPI_INT, i + 1, 0, WORLD, &requests[i]);
    int done = 0;
    while (done < 2) {
      int count = 0;
      int indices[3];
      MPI_Waitsome(3, requests, &count, indices, statuses);
      assert(count >= 1 && count <= 2);
      for (int i = 0; i < count; ++i) assert(values[indices[i]] == indices[i] + 1);
      for (int i = 0; i < count; ++i) assert(statuses[i].MPI_SOURCE == indices[i] + 1);
      done += count;
    }
    int flag = 0;
    int index = 0;
    MPI_Testall(3, requests, &flag, statuses);
    assert(flag);
    MPI_Testany(3, requests, &index, &flag, statuses);
    assert(flag && index == MPI_UNDEFINED);
    MPI_Waitsome(3, requests, &index, &flag, statuses);
    assert(index == MPI_UNDEFINED);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
