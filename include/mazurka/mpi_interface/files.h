/* Files that ranks share. See functions.h. */

MAZURKA_MPI_FUNCTION(int, File_open,
                     (MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file))
MAZURKA_MPI_FUNCTION(int, File_close, (MPI_File * file))
MAZURKA_MPI_FUNCTION(int, File_delete, (const char* name, MPI_Info info))
MAZURKA_MPI_FUNCTION(int, File_set_size, (MPI_File file, MPI_Offset size))
MAZURKA_MPI_FUNCTION(int, File_get_size, (MPI_File file, MPI_Offset* size))
MAZURKA_MPI_FUNCTION(int, File_preallocate, (MPI_File file, MPI_Offset size))
MAZURKA_MPI_FUNCTION(int, File_get_group, (MPI_File file, MPI_Group* group))
MAZURKA_MPI_FUNCTION(int, File_get_amode, (MPI_File file, int* mode))
MAZURKA_MPI_FUNCTION(int, File_set_info, (MPI_File file, MPI_Info info))
MAZURKA_MPI_FUNCTION(int, File_get_info, (MPI_File file, MPI_Info* info))
MAZURKA_MPI_FUNCTION(int, File_set_view,
                     (MPI_File file, MPI_Offset displacement, MPI_Datatype type,
                      MPI_Datatype file_type, const char* representation, MPI_Info info))
MAZURKA_MPI_FUNCTION(int, File_get_view,
                     (MPI_File file, MPI_Offset* displacement, MPI_Datatype* result,
                      MPI_Datatype* file_type, char* representation))
MAZURKA_MPI_FUNCTION(int, File_get_type_extent,
                     (MPI_File file, MPI_Datatype type, MPI_Aint* extent))
MAZURKA_MPI_FUNCTION(int, File_set_atomicity, (MPI_File file, int flag))
MAZURKA_MPI_FUNCTION(int, File_get_atomicity, (MPI_File file, int* flag))
MAZURKA_MPI_FUNCTION(int, File_sync, (MPI_File file))

/* At a place that is named. */
MAZURKA_MPI_FUNCTION(int, File_read_at,
                     (MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_read_at_all,
                     (MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_write_at,
                     (MPI_File file, MPI_Offset offset, const void* buffer, int count,
                      MPI_Datatype type, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_write_at_all,
                     (MPI_File file, MPI_Offset offset, const void* buffer, int count,
                      MPI_Datatype type, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_iread_at,
                     (MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, File_iread_at_all,
                     (MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, File_iwrite_at,
                     (MPI_File file, MPI_Offset offset, const void* buffer, int count,
                      MPI_Datatype type, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, File_iwrite_at_all,
                     (MPI_File file, MPI_Offset offset, const void* buffer, int count,
                      MPI_Datatype type, MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, File_read_at_all_begin,
                     (MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type))
MAZURKA_MPI_FUNCTION(int, File_read_at_all_end, (MPI_File file, void* buffer, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_write_at_all_begin,
                     (MPI_File file, MPI_Offset offset, const void* buffer, int count,
                      MPI_Datatype type))
MAZURKA_MPI_FUNCTION(int, File_write_at_all_end,
                     (MPI_File file, const void* buffer, MPI_Status* status))

/* At the rank's own place. */
MAZURKA_MPI_FUNCTION(int, File_seek, (MPI_File file, MPI_Offset offset, int whence))
MAZURKA_MPI_FUNCTION(int, File_get_position, (MPI_File file, MPI_Offset* offset))
MAZURKA_MPI_FUNCTION(int, File_get_byte_offset,
                     (MPI_File file, MPI_Offset offset, MPI_Offset* displacement))
MAZURKA_MPI_FUNCTION(int, File_read,
                     (MPI_File file, void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_read_all,
                     (MPI_File file, void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_write,
                     (MPI_File file, const void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_write_all,
                     (MPI_File file, const void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_iread,
                     (MPI_File file, void* buffer, int count, MPI_Datatype type,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, File_iread_all,
                     (MPI_File file, void* buffer, int count, MPI_Datatype type,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, File_iwrite,
                     (MPI_File file, const void* buffer, int count, MPI_Datatype type,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, File_iwrite_all,
                     (MPI_File file, const void* buffer, int count, MPI_Datatype type,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, File_read_all_begin,
                     (MPI_File file, void* buffer, int count, MPI_Datatype type))
MAZURKA_MPI_FUNCTION(int, File_read_all_end, (MPI_File file, void* buffer, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_write_all_begin,
                     (MPI_File file, const void* buffer, int count, MPI_Datatype type))
MAZURKA_MPI_FUNCTION(int, File_write_all_end,
                     (MPI_File file, const void* buffer, MPI_Status* status))

/* At the place that all share. */
MAZURKA_MPI_FUNCTION(int, File_seek_shared, (MPI_File file, MPI_Offset offset, int whence))
MAZURKA_MPI_FUNCTION(int, File_get_position_shared, (MPI_File file, MPI_Offset* offset))
MAZURKA_MPI_FUNCTION(int, File_read_shared,
                     (MPI_File file, void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_write_shared,
                     (MPI_File file, const void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_iread_shared,
                     (MPI_File file, void* buffer, int count, MPI_Datatype type,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, File_iwrite_shared,
                     (MPI_File file, const void* buffer, int count, MPI_Datatype type,
                      MPI_Request* request))
MAZURKA_MPI_FUNCTION(int, File_read_ordered,
                     (MPI_File file, void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_write_ordered,
                     (MPI_File file, const void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_read_ordered_begin,
                     (MPI_File file, void* buffer, int count, MPI_Datatype type))
MAZURKA_MPI_FUNCTION(int, File_read_ordered_end, (MPI_File file, void* buffer, MPI_Status* status))
MAZURKA_MPI_FUNCTION(int, File_write_ordered_begin,
                     (MPI_File file, const void* buffer, int count, MPI_Datatype type))
MAZURKA_MPI_FUNCTION(int, File_write_ordered_end,
                     (MPI_File file, const void* buffer, MPI_Status* status))

/* Representations and error handlers. */
MAZURKA_MPI_FUNCTION(int, Register_datarep,
                     (const char* representation, MPI_Datarep_conversion_function* read,
                      MPI_Datarep_conversion_function* write, MPI_Datarep_extent_function* extent,
                      void* extra))
MAZURKA_MPI_FUNCTION(int, File_create_errhandler,
                     (MPI_File_errhandler_function * function, MPI_Errhandler* handler))
MAZURKA_MPI_FUNCTION(int, File_set_errhandler, (MPI_File file, MPI_Errhandler handler))
MAZURKA_MPI_FUNCTION(int, File_get_errhandler, (MPI_File file, MPI_Errhandler* handler))
MAZURKA_MPI_FUNCTION(int, File_call_errhandler, (MPI_File file, int code))
MAZURKA_MPI_FUNCTION(MPI_File, File_f2c, (MPI_Fint file))
MAZURKA_MPI_FUNCTION(MPI_Fint, File_c2f, (MPI_File file))
