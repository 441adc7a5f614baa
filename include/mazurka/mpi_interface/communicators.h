/* Communicators, groups and their attributes. See functions.h. */

MAZURKA_MPI_FUNCTION(int, Comm_rank, (MPI_Comm comm, int* rank))
MAZURKA_MPI_FUNCTION(int, Comm_size, (MPI_Comm comm, int* size))
MAZURKA_MPI_FUNCTION(int, Comm_compare, (MPI_Comm first, MPI_Comm second, int* result))
MAZURKA_MPI_FUNCTION(int, Comm_dup, (MPI_Comm comm, MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Comm_idup, (MPI_Comm comm, MPI_Comm* result, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Comm_idup_with_info,
                     (MPI_Comm comm, MPI_Info info, MPI_Comm* result, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Comm_create_group,
                     (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Comm_split_type,
                     (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Comm_free, (MPI_Comm * comm))
MAZURKA_MPI_FUNCTION(int, Comm_group, (MPI_Comm comm, MPI_Group* group))
MAZURKA_MPI_FUNCTION(int, Comm_set_name, (MPI_Comm comm, const char* name))
MAZURKA_MPI_FUNCTION(int, Comm_get_name, (MPI_Comm comm, char* name, int* length))
MAZURKA_MPI_FUNCTION(int, Comm_set_info, (MPI_Comm comm, MPI_Info info))
MAZURKA_MPI_FUNCTION(int, Comm_get_info, (MPI_Comm comm, MPI_Info* info))

/* Between two groups. */
MAZURKA_MPI_FUNCTION(int, Comm_test_inter, (MPI_Comm comm, int* flag))
MAZURKA_MPI_FUNCTION(int, Comm_remote_size, (MPI_Comm comm, int* size))
MAZURKA_MPI_FUNCTION(int, Comm_remote_group, (MPI_Comm comm, MPI_Group* group))
MAZURKA_MPI_FUNCTION(int, Intercomm_create,
                     (MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag,
                      MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm* result))

/* Groups. */
MAZURKA_MPI_FUNCTION(int, Group_size, (MPI_Group group, int* size))
MAZURKA_MPI_FUNCTION(int, Group_rank, (MPI_Group group, int* rank))
MAZURKA_MPI_FUNCTION(int, Group_compare, (MPI_Group first, MPI_Group second, int* result))
MAZURKA_MPI_FUNCTION(int, Group_translate_ranks,
                     (MPI_Group from, int count, const int ranks[], MPI_Group to, int result[]))
MAZURKA_MPI_FUNCTION(int, Group_union, (MPI_Group first, MPI_Group second, MPI_Group* result))
MAZURKA_MPI_FUNCTION(int, Group_intersection,
                     (MPI_Group first, MPI_Group second, MPI_Group* result))
MAZURKA_MPI_FUNCTION(int, Group_difference, (MPI_Group first, MPI_Group second, MPI_Group* result))
MAZURKA_MPI_FUNCTION(int, Group_incl,
                     (MPI_Group group, int count, const int ranks[], MPI_Group* result))
MAZURKA_MPI_FUNCTION(int, Group_excl,
                     (MPI_Group group, int count, const int ranks[], MPI_Group* result))
MAZURKA_MPI_FUNCTION(int, Group_range_incl,
                     (MPI_Group group, int count, int ranges[][3], MPI_Group* result))
MAZURKA_MPI_FUNCTION(int, Group_range_excl,
                     (MPI_Group group, int count, int ranges[][3], MPI_Group* result))
MAZURKA_MPI_FUNCTION(int, Group_free, (MPI_Group * group))

/* Attributes. */
MAZURKA_MPI_FUNCTION(int, Comm_create_keyval,
                     (MPI_Comm_copy_attr_function * copy, MPI_Comm_delete_attr_function* remove,
                      int* key, void* extra))
MAZURKA_MPI_FUNCTION(int, Comm_free_keyval, (int* key))
MAZURKA_MPI_FUNCTION(int, Comm_set_attr, (MPI_Comm comm, int key, void* value))
MAZURKA_MPI_FUNCTION(int, Comm_get_attr, (MPI_Comm comm, int key, void* value, int* flag))
MAZURKA_MPI_FUNCTION(int, Comm_delete_attr, (MPI_Comm comm, int key))
MAZURKA_MPI_FUNCTION(int, Keyval_create,
                     (MPI_Copy_function * copy, MPI_Delete_function* remove, int* key, void* extra))
MAZURKA_MPI_FUNCTION(int, Keyval_free, (int* key))
MAZURKA_MPI_FUNCTION(int, Attr_put, (MPI_Comm comm, int key, void* value))
MAZURKA_MPI_FUNCTION(int, Attr_get, (MPI_Comm comm, int key, void* value, int* flag))
MAZURKA_MPI_FUNCTION(int, Attr_delete, (MPI_Comm comm, int key))

/* Error handlers. */
MAZURKA_MPI_FUNCTION(int, Comm_create_errhandler,
                     (MPI_Comm_errhandler_function * function, MPI_Errhandler* handler))
MAZURKA_MPI_FUNCTION(int, Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler))
MAZURKA_MPI_FUNCTION(int, Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler* handler))
MAZURKA_MPI_FUNCTION(int, Comm_call_errhandler, (MPI_Comm comm, int code))
MAZURKA_MPI_FUNCTION(int, Errhandler_create,
                     (MPI_Handler_function * function, MPI_Errhandler* handler))
MAZURKA_MPI_FUNCTION(int, Errhandler_set, (MPI_Comm comm, MPI_Errhandler handler))
MAZURKA_MPI_FUNCTION(int, Errhandler_get, (MPI_Comm comm, MPI_Errhandler* handler))
MAZURKA_MPI_FUNCTION(int, Errhandler_free, (MPI_Errhandler * handler))

/* Processes that are started, and others that are met. */
MAZURKA_MPI_FUNCTION(int, Comm_spawn,
                     (const char* command, char* arguments[], int count, MPI_Info info, int root,
                      MPI_Comm comm, MPI_Comm* result, int codes[]))
MAZURKA_MPI_FUNCTION(int, Comm_spawn_multiple,
                     (int count, char* commands[], char** arguments[], const int counts[],
                      const MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm* result,
                      int codes[]))
MAZURKA_MPI_FUNCTION(int, Comm_get_parent, (MPI_Comm * parent))
MAZURKA_MPI_FUNCTION(int, Comm_accept,
                     (const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Comm_connect,
                     (const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Comm_disconnect, (MPI_Comm * comm))
MAZURKA_MPI_FUNCTION(int, Comm_join, (int descriptor, MPI_Comm* result))
MAZURKA_MPI_FUNCTION(int, Open_port, (MPI_Info info, char* port))
MAZURKA_MPI_FUNCTION(int, Close_port, (const char* port))
MAZURKA_MPI_FUNCTION(int, Publish_name, (const char* service, MPI_Info info, const char* port))
MAZURKA_MPI_FUNCTION(int, Unpublish_name, (const char* service, MPI_Info info, const char* port))
MAZURKA_MPI_FUNCTION(int, Lookup_name, (const char* service, MPI_Info info, char* port))

/* Fortran's handles. */
MAZURKA_MPI_FUNCTION(MPI_Comm, Comm_f2c, (MPI_Fint comm))
MAZURKA_MPI_FUNCTION(MPI_Fint, Comm_c2f, (MPI_Comm comm))
MAZURKA_MPI_FUNCTION(MPI_Group, Group_f2c, (MPI_Fint group))
MAZURKA_MPI_FUNCTION(MPI_Fint, Group_c2f, (MPI_Group group))
MAZURKA_MPI_FUNCTION(MPI_Errhandler, Errhandler_f2c, (MPI_Fint handler))
MAZURKA_MPI_FUNCTION(MPI_Fint, Errhandler_c2f, (MPI_Errhandler handler))
