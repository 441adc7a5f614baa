/* Messages from one rank to another, requests, probes. See functions.h. */

/* Blocking. */
MAZURKA_MPI_FUNCTION(int, Send,
                     (const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                      MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Ssend,
                     (const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                      MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Bsend,
                     (const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                      MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Rsend,
                     (const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                      MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Recv,
                     (void* buffer, int count, MPI_Datatype type, int source, int tag,
                      MPI_Comm comm, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Sendrecv,
                     (const void* send, int send_count, MPI_Datatype send_type, int destination,
                      int send_tag, void* receive, int receive_count, MPI_Datatype receive_type,
                      int source, int receive_tag, MPI_Comm comm, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Sendrecv_replace,
                     (void* buffer, int count, MPI_Datatype type, int destination, int send_tag,
                      int source, int receive_tag, MPI_Comm comm, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Buffer_attach, (void* buffer, int size))
MAZURKA_MPI_FUNCTION(int, Buffer_detach, (void* buffer_address, int* size))

/* Nonblocking. */
MAZURKA_MPI_FUNCTION(int, Isend,
                     (const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Issend,
                     (const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ibsend,
                     (const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Irsend,
                     (const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Irecv,
                     (void* buffer, int count, MPI_Datatype type, int source, int tag,
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Isendrecv,
                     (const void* send, int send_count, MPI_Datatype send_type, int destination,
                      int send_tag, void* receive, int receive_count, MPI_Datatype receive_type,
                      int source, int receive_tag, MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Isendrecv_replace,
                     (void* buffer, int count, MPI_Datatype type, int destination, int send_tag,
                      int source, int receive_tag, MPI_Comm comm, MPI_Request* request))

/* Persistent and partitioned. */
MAZURKA_MPI_FUNCTION(int, Send_init,
                     (const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Ssend_init,
                     (const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Bsend_init,
                     (const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Rsend_init,
                     (const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Recv_init,
                     (void* buffer, int count, MPI_Datatype type, int source, int tag,
                      MPI_Comm comm, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Start, (MPI_Request * request))
MAZURKA_MPI_FUNCTION(int, Startall, (int count, MPI_Request requests[]))
MAZURKA_MPI_FUNCTION(int, Psend_init,
                     (const void* buffer, int parts, MPI_Count count, MPI_Datatype type,
                      int destination, int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Precv_init,
                     (void* buffer, int parts, MPI_Count count, MPI_Datatype type, int source,
                      int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Pready, (int part, MPI_Request request))
MAZURKA_MPI_FUNCTION(int, Pready_range, (int first, int last, MPI_Request request))
MAZURKA_MPI_FUNCTION(int, Pready_list, (int length, const int parts[], MPI_Request request))
MAZURKA_MPI_FUNCTION(int, Parrived, (MPI_Request request, int part, int* flag))

/* Completion. */
MAZURKA_MPI_FUNCTION(int, Wait, (MPI_Request * request, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Waitany,
                     (int count, MPI_Request requests[], int* index, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]))
MAZURKA_MPI_FUNCTION(int, Waitsome,
                     (int count, MPI_Request requests[], int* completed, int indices[],
                      MPI_Status statuses[]))
MAZURKA_MPI_FUNCTION(int, Test, (MPI_Request * request, int* flag, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Testany,
                     (int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Testall,
                     (int count, MPI_Request requests[], int* flag, MPI_Status statuses[]))
MAZURKA_MPI_FUNCTION(int, Testsome,
                     (int count, MPI_Request requests[], int* completed, int indices[],
                      MPI_Status statuses[]))
MAZURKA_MPI_FUNCTION(int, Request_free, (MPI_Request * request))
MAZURKA_MPI_FUNCTION(int, Request_get_status, (MPI_Request request, int* flag, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Cancel, (MPI_Request * request))
MAZURKA_MPI_FUNCTION(int, Test_cancelled, (const MPI_Status* status, int* flag))
MAZURKA_MPI_FUNCTION(int, Grequest_start,
                     (MPI_Grequest_query_function * query, MPI_Grequest_free_function* release,
                      MPI_Grequest_cancel_function* cancel, void* extra, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Grequest_complete, (MPI_Request request))

/* Probes. */
MAZURKA_MPI_FUNCTION(int, Probe, (int source, int tag, MPI_Comm comm, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Iprobe,
                     (int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Mprobe,
                     (int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Improbe,
                     (int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                      MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Mrecv,
                     (void* buffer, int count, MPI_Datatype type, MPI_Message* message,
                      MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, Imrecv,
                     (void* buffer, int count, MPI_Datatype type, MPI_Message* message,
                      MPI_Request* request))

/* What a status says. */
MAZURKA_MPI_FUNCTION(int, Get_count, (const MPI_Status* status, MPI_Datatype type, int* count))
MAZURKA_MPI_FUNCTION(int, Get_elements, (const MPI_Status* status, MPI_Datatype type, int* count))
MAZURKA_MPI_FUNCTION(int, Get_elements_x,
                     (const MPI_Status* status, MPI_Datatype type, MPI_Count* count))
MAZURKA_MPI_FUNCTION(int, Status_set_elements, (MPI_Status * status, MPI_Datatype type, int count))
MAZURKA_MPI_FUNCTION(int, Status_set_elements_x,
                     (MPI_Status * status, MPI_Datatype type, MPI_Count count))
MAZURKA_MPI_FUNCTION(int, Status_set_cancelled, (MPI_Status * status, int flag))
