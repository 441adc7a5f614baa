/* What all ranks of a communicator do together. See functions.h. */

/* Blocking. */
MAZURKA_MPI_FUNCTION(int, Barrier, (MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Bcast,
                     (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Gather,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Gatherv,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      const int receive_counts[], const int displacements[],
                      MPI_Datatype receive_type, int root, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Scatter,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Scatterv,
                     (const void* send, const int send_counts[], const int displacements[],
                      MPI_Datatype send_type, void* receive, int receive_count,
                      MPI_Datatype receive_type, int root, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Allgather,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Allgatherv,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      const int receive_counts[], const int displacements[],
                      MPI_Datatype receive_type, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Alltoall,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Alltoallv,
                     (const void* send, const int send_counts[], const int send_displacements[],
                      MPI_Datatype send_type, void* receive, const int receive_counts[],
                      const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Alltoallw,
                     (const void* send, const int send_counts[], const int send_displacements[],
                      const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                      const int receive_displacements[], const MPI_Datatype receive_types[],
                      MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Reduce,
                     (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      int root, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Allreduce,
                     (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Reduce_scatter,
                     (const void* send, void* receive, const int receive_counts[],
                      MPI_Datatype type, MPI_Op op, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Reduce_scatter_block,
                     (const void* send, void* receive, int receive_count, MPI_Datatype type,
                      MPI_Op op, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Scan,
                     (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Exscan,
                     (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm))

/* Nonblocking. */
MAZURKA_MPI_FUNCTION(int, Ibarrier, (MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ibcast,
                     (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Igather,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Igatherv,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      const int receive_counts[], const int displacements[],
                      MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Iscatter,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Iscatterv,
                     (const void* send, const int send_counts[], const int displacements[],
                      MPI_Datatype send_type, void* receive, int receive_count,
                      MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Iallgather,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Iallgatherv,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      const int receive_counts[], const int displacements[],
                      MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ialltoall,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ialltoallv,
                     (const void* send, const int send_counts[], const int send_displacements[],
                      MPI_Datatype send_type, void* receive, const int receive_counts[],
                      const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ialltoallw,
                     (const void* send, const int send_counts[], const int send_displacements[],
                      const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                      const int receive_displacements[], const MPI_Datatype receive_types[],
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ireduce,
                     (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      int root, MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Iallreduce,
                     (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ireduce_scatter,
                     (const void* send, void* receive, const int receive_counts[],
                      MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ireduce_scatter_block,
                     (const void* send, void* receive, int receive_count, MPI_Datatype type,
                      MPI_Op op, MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Iscan,
                     (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Iexscan,
                     (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm, MPI_Request* request))

/* With the neighbours in a topology. */
MAZURKA_MPI_FUNCTION(int, Neighbor_allgather,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Neighbor_allgatherv,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      const int receive_counts[], const int displacements[],
                      MPI_Datatype receive_type, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Neighbor_alltoall,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Neighbor_alltoallv,
                     (const void* send, const int send_counts[], const int send_displacements[],
                      MPI_Datatype send_type, void* receive, const int receive_counts[],
                      const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Neighbor_alltoallw,
                     (const void* send, const int send_counts[],
                      const MPI_Aint send_displacements[], const MPI_Datatype send_types[],
                      void* receive, const int receive_counts[],
                      const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[],
                      MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Ineighbor_allgather,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ineighbor_allgatherv,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      const int receive_counts[], const int displacements[],
                      MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ineighbor_alltoall,
                     (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ineighbor_alltoallv,
                     (const void* send, const int send_counts[], const int send_displacements[],
                      MPI_Datatype send_type, void* receive, const int receive_counts[],
                      const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ineighbor_alltoallw,
                     (const void* send, const int send_counts[],
                      const MPI_Aint send_displacements[], const MPI_Datatype send_types[],
                      void* receive, const int receive_counts[],
                      const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[],
                      MPI_Comm comm, MPI_Request* request))

/* Operations. */
MAZURKA_MPI_FUNCTION(int, Op_create, (MPI_User_function * function, int commute, MPI_Op* op))
MAZURKA_MPI_FUNCTION(int, Op_free, (MPI_Op * op))
MAZURKA_MPI_FUNCTION(int, Op_commutative, (MPI_Op op, int* commute))
MAZURKA_MPI_FUNCTION(int, Reduce_local,
                     (const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op))
