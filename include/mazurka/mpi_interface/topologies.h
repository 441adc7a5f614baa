/* Grids and graphs of ranks. See functions.h. */

MAZURKA_MPI_FUNCTION(int, Topo_test, (MPI_Comm comm, int* result))
MAZURKA_MPI_FUNCTION(int, Dims_create, (int ranks, int dimensions, int sizes[]))
MAZURKA_MPI_FUNCTION(int, Cart_create,
                     (MPI_Comm comm, int dimensions, const int sizes[], const int periodic[],
                      int reorder, MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Cart_map,
                     (MPI_Comm comm, int dimensions, const int sizes[], const int periodic[],
                      int* rank))
MAZURKA_MPI_FUNCTION(int, Cartdim_get, (MPI_Comm comm, int* dimensions))
MAZURKA_MPI_FUNCTION(int, Cart_get,
                     (MPI_Comm comm, int max, int sizes[], int periodic[], int coordinates[]))
MAZURKA_MPI_FUNCTION(int, Cart_rank, (MPI_Comm comm, const int coordinates[], int* rank))
MAZURKA_MPI_FUNCTION(int, Cart_coords, (MPI_Comm comm, int rank, int max, int coordinates[]))
MAZURKA_MPI_FUNCTION(int, Cart_shift,
                     (MPI_Comm comm, int direction, int displacement, int* source,
                      int* destination))
MAZURKA_MPI_FUNCTION(int, Cart_sub, (MPI_Comm comm, const int remaining[], MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Graph_create,
                     (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder,
                      MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Graph_map,
                     (MPI_Comm comm, int nodes, const int index[], const int edges[], int* rank))
MAZURKA_MPI_FUNCTION(int, Graphdims_get, (MPI_Comm comm, int* nodes, int* edges))
MAZURKA_MPI_FUNCTION(int, Graph_get,
                     (MPI_Comm comm, int max_index, int max_edges, int index[], int edges[]))
MAZURKA_MPI_FUNCTION(int, Graph_neighbors_count, (MPI_Comm comm, int rank, int* count))
MAZURKA_MPI_FUNCTION(int, Graph_neighbors, (MPI_Comm comm, int rank, int max, int neighbors[]))
MAZURKA_MPI_FUNCTION(int, Dist_graph_create,
                     (MPI_Comm comm, int count, const int sources[], const int degrees[],
                      const int destinations[], const int* weights, MPI_Info info, int reorder,
                      MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Dist_graph_create_adjacent,
                     (MPI_Comm comm, int indegree, const int sources[], const int* source_weights,
                      int outdegree, const int destinations[], const int* destination_weights,
                      MPI_Info info, int reorder, MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Dist_graph_neighbors_count,
                     (MPI_Comm comm, int* indegree, int* outdegree, int* weighted))
MAZURKA_MPI_FUNCTION(int, Dist_graph_neighbors,
                     (MPI_Comm comm, int max_in, int sources[], int* source_weights, int max_out,
                      int destinations[], int* destination_weights))
