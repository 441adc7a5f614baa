// mazurka: ranks=3 verdict=verified executions=2
// broken: verdict=finding finding=misuse message="is no rank of the communicator"
//
// A star, as MPI_Graph_create has it; each hears the others by what they send.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int index[3] = {2, 3, 4};
  const int edges[4] = {1, EITHER(3, 2), 0, 0};
  int nodes;
  int count;
  int status;
  int heard[2] = {-1, -1};
  const int displacements[2] = {1, 0};
  const int counts[2] = {1, 1};
  MPI_Comm star;
  MPI_Graph_create(WORLD, 3, index, edges, 0, &star);
  MPI_Topo_test(star, &status);
  MPI_Graphdims_get(star, &nodes, &count);
  assert(status == MPI_GRAPH && nodes == 3 && count == 4);
  MPI_Graph_neighbors_count(star, 0, &count);
  assert(count == 2);
  MPI_Neighbor_allgatherv(&rank, 1, MPI_INT, heard, counts, displacements, MPI_INT, star);
  if (rank == 0) assert(heard[1] == 1 && heard[0] == 2);
  if (rank != 0) assert(heard[1] == 0 && heard[0] == -1);
  MPI_Comm_free(&star);
  return finish();
}
