/* Beginning and end, time, errors, infos, sessions. See functions.h. */

MAZURKA_MPI_FUNCTION(int, Init, (int* argc, char*** argv))
MAZURKA_MPI_FUNCTION(int, Init_thread, (int* argc, char*** argv, int required, int* provided))
MAZURKA_MPI_FUNCTION(int, Initialized, (int* flag))
MAZURKA_MPI_FUNCTION(int, Finalize, (void))
MAZURKA_MPI_FUNCTION(int, Finalized, (int* flag))
MAZURKA_MPI_FUNCTION(int, Abort, (MPI_Comm comm, int code))
MAZURKA_MPI_FUNCTION(int, Query_thread, (int* provided))
MAZURKA_MPI_FUNCTION(int, Is_thread_main, (int* flag))
MAZURKA_MPI_FUNCTION(int, Get_processor_name, (char* name, int* length))
MAZURKA_MPI_FUNCTION(int, Get_version, (int* version, int* subversion))
MAZURKA_MPI_FUNCTION(int, Get_library_version, (char* version, int* length))
MAZURKA_MPI_FUNCTION(double, Wtime, (void))
MAZURKA_MPI_FUNCTION(double, Wtick, (void))
MAZURKA_MPI_FUNCTION(int, Pcontrol, (const int level, ...))
MAZURKA_MPI_FUNCTION(int, Alloc_mem, (MPI_Aint size, MPI_Info info, void* base))
MAZURKA_MPI_FUNCTION(int, Free_mem, (void* base))

/* Errors. */
MAZURKA_MPI_FUNCTION(int, Error_class, (int code, int* error_class))
MAZURKA_MPI_FUNCTION(int, Error_string, (int code, char* text, int* length))
MAZURKA_MPI_FUNCTION(int, Add_error_class, (int* error_class))
MAZURKA_MPI_FUNCTION(int, Add_error_code, (int error_class, int* code))
MAZURKA_MPI_FUNCTION(int, Add_error_string, (int code, const char* text))

/* Infos. */
MAZURKA_MPI_FUNCTION(int, Info_create, (MPI_Info * info))
MAZURKA_MPI_FUNCTION(int, Info_dup, (MPI_Info info, MPI_Info* result))
MAZURKA_MPI_FUNCTION(int, Info_free, (MPI_Info * info))
MAZURKA_MPI_FUNCTION(int, Info_set, (MPI_Info info, const char* key, const char* value))
MAZURKA_MPI_FUNCTION(int, Info_get,
                     (MPI_Info info, const char* key, int length, char* value, int* flag))
MAZURKA_MPI_FUNCTION(int, Info_get_string,
                     (MPI_Info info, const char* key, int* length, char* value, int* flag))
MAZURKA_MPI_FUNCTION(int, Info_get_valuelen,
                     (MPI_Info info, const char* key, int* length, int* flag))
MAZURKA_MPI_FUNCTION(int, Info_get_nkeys, (MPI_Info info, int* count))
MAZURKA_MPI_FUNCTION(int, Info_get_nthkey, (MPI_Info info, int n, char* key))
MAZURKA_MPI_FUNCTION(int, Info_delete, (MPI_Info info, const char* key))
MAZURKA_MPI_FUNCTION(int, Info_create_env, (int argc, char* argv[], MPI_Info* info))

/* Sessions. */
MAZURKA_MPI_FUNCTION(int, Session_init,
                     (MPI_Info info, MPI_Errhandler handler, MPI_Session* session))
MAZURKA_MPI_FUNCTION(int, Session_finalize, (MPI_Session * session))
MAZURKA_MPI_FUNCTION(int, Session_get_info, (MPI_Session session, MPI_Info* info))
MAZURKA_MPI_FUNCTION(int, Session_get_num_psets, (MPI_Session session, MPI_Info info, int* count))
MAZURKA_MPI_FUNCTION(int, Session_get_nth_pset,
                     (MPI_Session session, MPI_Info info, int n, int* length, char* name))
MAZURKA_MPI_FUNCTION(int, Session_get_pset_info,
                     (MPI_Session session, const char* name, MPI_Info* info))
MAZURKA_MPI_FUNCTION(int, Group_from_session_pset,
                     (MPI_Session session, const char* name, MPI_Group* group))
MAZURKA_MPI_FUNCTION(int, Comm_create_from_group,
                     (MPI_Group group, const char* tag, MPI_Info info, MPI_Errhandler handler,
                      MPI_Comm* result))

/* Fortran's handles. */
MAZURKA_MPI_FUNCTION(MPI_Info, Info_f2c, (MPI_Fint info))
MAZURKA_MPI_FUNCTION(MPI_Fint, Info_c2f, (MPI_Info info))
MAZURKA_MPI_FUNCTION(MPI_Message, Message_f2c, (MPI_Fint message))
MAZURKA_MPI_FUNCTION(MPI_Fint, Message_c2f, (MPI_Message message))
MAZURKA_MPI_FUNCTION(MPI_Op, Op_f2c, (MPI_Fint op))
MAZURKA_MPI_FUNCTION(MPI_Fint, Op_c2f, (MPI_Op op))
MAZURKA_MPI_FUNCTION(MPI_Request, Request_f2c, (MPI_Fint request))
MAZURKA_MPI_FUNCTION(MPI_Fint, Request_c2f, (MPI_Request request))
MAZURKA_MPI_FUNCTION(int, Status_f2c, (const MPI_Fint* from, MPI_Status* to))
MAZURKA_MPI_FUNCTION(int, Status_c2f, (const MPI_Status* from, MPI_Fint* to))
