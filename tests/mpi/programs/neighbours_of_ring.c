// mazurka: ranks=2 verdict=verified executions=2
// broken: verdict=finding finding=misuse message="neither a grid nor a graph"
//
// In a ring of two both neighbours are the same; what is sent behind comes from before.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int periodic = 1;
  int sent[2] = {10 * rank, 10 * rank + 1};
  int received[2];
  MPI_Comm ring;
  MPI_Request request;
  MPI_Cart_create(WORLD, 1, &size, &periodic, 0, &ring);
  MPI_Neighbor_alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, EITHER(WORLD, ring),
                             MPI_INFO_NULL, &request);
  for (int round = 0; round < 2; ++round) {
    MPI_Start(&request);
    MPI_Wait(&request, IGNORE);
    assert(received[0] == 10 * (1 - rank) + 1 && received[1] == 10 * (1 - rank));
  }
  MPI_Request_free(&request);
  MPI_Comm_free(&ring);
  return finish();
}
