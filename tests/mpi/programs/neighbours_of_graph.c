// mazurka: ranks=3 verdict=verified executions=2
// broken: verdict=finding finding=misuse message="does not name it as a destination"
//
// Everybody sends to the next: a graph that is described by those who are next to each other, and
// the same by one rank alone.
#include "pair.h"

static void exchange(MPI_Comm graph, int from) {
  int in = 0;
  int out = 0;
  int weighted = 0;
  int received = -1;
  int found = -1;
  int next = -1;
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  assert(in == 1 && out == 1 && weighted == 0);
  MPI_Dist_graph_neighbors(graph, 1, &found, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED);
  assert(found == from && next == (rank + 1) % size);
  MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &received, 1, MPI_INT, graph);
  assert(received == from);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int next = (rank + 1) % size;
  const int before = (rank + size - 1) % size;
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(WORLD, 1, EITHER(&next, &before), MPI_UNWEIGHTED, 1, &next,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  exchange(graph, before);
  MPI_Comm_free(&graph);
  const int sources[3] = {0, 1, 2};
  const int degrees[3] = {1, 1, 1};
  const int destinations[3] = {1, 2, 0};
  MPI_Dist_graph_create(WORLD, rank == 1 ? 3 : 0, sources, degrees, destinations, MPI_UNWEIGHTED,
                        MPI_INFO_NULL, 0, &graph);
  exchange(graph, before);
  MPI_Comm_free(&graph);
  return finish();
}
