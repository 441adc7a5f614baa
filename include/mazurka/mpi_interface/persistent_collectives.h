/* Collectives that are prepared once and started many times (MPI 4). See functions.h. */

MAZURKA_MPI_FUNCTION(int, Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Bcast_init,
                     (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                      MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Gather_init,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                      MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Gatherv_init,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      const int receive_counts[], const int displacements[],
                      MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Scatter_init,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                      MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Scatterv_init,
                     (const void* send, const int send_counts[], const int displacements[],
                      MPI_Datatype send_type, void* receive, int receive_count,
                      MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Allgather_init,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Allgatherv_init,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      const int receive_counts[], const int displacements[],
                      MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Alltoall_init,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Alltoallv_init,
                     (const void* send, const int send_counts[], const int send_displacements[],
                      MPI_Datatype send_type, void* receive, const int receive_counts[],
                      const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                      MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Alltoallw_init,
                     (const void* send, const int send_counts[], const int send_displacements[],
                      const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                      const int receive_displacements[], const MPI_Datatype receive_types[],
                      MPI_Comm comm, MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Reduce_init,
                     (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      int root, MPI_Comm comm, MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Allreduce_init,
                     (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm, MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Reduce_scatter_init,
                     (const void* send, void* receive, const int receive_counts[],
                      MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Reduce_scatter_block_init,
                     (const void* send, void* receive, int receive_count, MPI_Datatype type,
                      MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Scan_init,
                     (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm, MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Exscan_init,
                     (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm, MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Neighbor_allgather_init,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Neighbor_allgatherv_init,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      const int receive_counts[], const int displacements[],
                      MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Neighbor_alltoall_init,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Neighbor_alltoallv_init,
                     (const void* send, const int send_counts[], const int send_displacements[],
                      MPI_Datatype send_type, void* receive, const int receive_counts[],
                      const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                      MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Neighbor_alltoallw_init,
                     (const void* send, const int send_counts[],
                      const MPI_Aint send_displacements[], const MPI_Datatype send_types[],
                      void* receive, const int receive_counts[],
                      const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[],
                      MPI_Comm comm, MPI_Info info, MPI_Request* request))
