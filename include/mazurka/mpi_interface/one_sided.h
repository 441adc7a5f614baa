/* Memory of one rank, read and written by another. See functions.h. */

MAZURKA_MPI_FUNCTION(int, Win_create,
                     (void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                      MPI_Win* win))
MAZURKA_MPI_FUNCTION(int, Win_allocate,
                     (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                      MPI_Win* win))
MAZURKA_MPI_FUNCTION(int, Win_allocate_shared,
                     (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                      MPI_Win* win))
MAZURKA_MPI_FUNCTION(int, Win_shared_query,
                     (MPI_Win win, int rank, MPI_Aint* size, int* unit, void* base))
MAZURKA_MPI_FUNCTION(int, Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win* win))
MAZURKA_MPI_FUNCTION(int, Win_attach, (MPI_Win win, void* base, MPI_Aint size))
MAZURKA_MPI_FUNCTION(int, Win_detach, (MPI_Win win, const void* base))
MAZURKA_MPI_FUNCTION(int, Win_free, (MPI_Win * win))
MAZURKA_MPI_FUNCTION(int, Win_get_group, (MPI_Win win, MPI_Group* group))
MAZURKA_MPI_FUNCTION(int, Win_set_name, (MPI_Win win, const char* name))
MAZURKA_MPI_FUNCTION(int, Win_get_name, (MPI_Win win, char* name, int* length))
MAZURKA_MPI_FUNCTION(int, Win_set_info, (MPI_Win win, MPI_Info info))
MAZURKA_MPI_FUNCTION(int, Win_get_info, (MPI_Win win, MPI_Info* info))

/* Transfers. */
MAZURKA_MPI_FUNCTION(int, Put,
                     (const void* origin, int origin_count, MPI_Datatype origin_type, int target,
                      MPI_Aint displacement, int target_count, MPI_Datatype target_type,
                      MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Get,
                     (void* origin, int origin_count, MPI_Datatype origin_type, int target,
                      MPI_Aint displacement, int target_count, MPI_Datatype target_type,
                      MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Accumulate,
                     (const void* origin, int origin_count, MPI_Datatype origin_type, int target,
                      MPI_Aint displacement, int target_count, MPI_Datatype target_type, MPI_Op op,
                      MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Get_accumulate,
                     (const void* origin, int origin_count, MPI_Datatype origin_type, void* result,
                      int result_count, MPI_Datatype result_type, int target, MPI_Aint displacement,
                      int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Fetch_and_op,
                     (const void* origin, void* result, MPI_Datatype type, int target,
                      MPI_Aint displacement, MPI_Op op, MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Compare_and_swap,
                     (const void* origin, const void* compare, void* result, MPI_Datatype type,
                      int target, MPI_Aint displacement, MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Rput,
                     (const void* origin, int origin_count, MPI_Datatype origin_type, int target,
                      MPI_Aint displacement, int target_count, MPI_Datatype target_type,
                      MPI_Win win, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Rget,
                     (void* origin, int origin_count, MPI_Datatype origin_type, int target,
                      MPI_Aint displacement, int target_count, MPI_Datatype target_type,
                      MPI_Win win, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Raccumulate,
                     (const void* origin, int origin_count, MPI_Datatype origin_type, int target,
                      MPI_Aint displacement, int target_count, MPI_Datatype target_type, MPI_Op op,
                      MPI_Win win, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Rget_accumulate,
                     (const void* origin, int origin_count, MPI_Datatype origin_type, void* result,
                      int result_count, MPI_Datatype result_type, int target, MPI_Aint displacement,
                      int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win,
                      MPI_Request* request))

/* Epochs. */
MAZURKA_MPI_FUNCTION(int, Win_fence, (int assertion, MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_start, (MPI_Group group, int assertion, MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_complete, (MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_post, (MPI_Group group, int assertion, MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_wait, (MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_test, (MPI_Win win, int* flag))
MAZURKA_MPI_FUNCTION(int, Win_lock, (int lock_type, int rank, int assertion, MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_unlock, (int rank, MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_lock_all, (int assertion, MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_unlock_all, (MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_flush, (int rank, MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_flush_all, (MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_flush_local, (int rank, MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_flush_local_all, (MPI_Win win))
MAZURKA_MPI_FUNCTION(int, Win_sync, (MPI_Win win))

/* Attributes and error handlers. */
MAZURKA_MPI_FUNCTION(int, Win_create_keyval,
                     (MPI_Win_copy_attr_function * copy, MPI_Win_delete_attr_function* remove,
                      int* key, void* extra))
MAZURKA_MPI_FUNCTION(int, Win_free_keyval, (int* key))
MAZURKA_MPI_FUNCTION(int, Win_set_attr, (MPI_Win win, int key, void* value))
MAZURKA_MPI_FUNCTION(int, Win_get_attr, (MPI_Win win, int key, void* value, int* flag))
MAZURKA_MPI_FUNCTION(int, Win_delete_attr, (MPI_Win win, int key))
MAZURKA_MPI_FUNCTION(int, Win_create_errhandler,
                     (MPI_Win_errhandler_function * function, MPI_Errhandler* handler))
MAZURKA_MPI_FUNCTION(int, Win_set_errhandler, (MPI_Win win, MPI_Errhandler handler))
MAZURKA_MPI_FUNCTION(int, Win_get_errhandler, (MPI_Win win, MPI_Errhandler* handler))
MAZURKA_MPI_FUNCTION(int, Win_call_errhandler, (MPI_Win win, int code))
MAZURKA_MPI_FUNCTION(MPI_Win, Win_f2c, (MPI_Fint win))
MAZURKA_MPI_FUNCTION(MPI_Fint, Win_c2f, (MPI_Win win))
