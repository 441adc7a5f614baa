/* What lies where in a buffer. See functions.h. */

MAZURKA_MPI_FUNCTION(int, Type_contiguous, (int count, MPI_Datatype type, MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_vector,
                     (int count, int length, int stride, MPI_Datatype type, MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_create_hvector,
                     (int count, int length, MPI_Aint stride, MPI_Datatype type,
                      MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_indexed,
                     (int count, const int lengths[], const int displacements[], MPI_Datatype type,
                      MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_create_hindexed,
                     (int count, const int lengths[], const MPI_Aint displacements[],
                      MPI_Datatype type, MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_create_indexed_block,
                     (int count, int length, const int displacements[], MPI_Datatype type,
                      MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_create_hindexed_block,
                     (int count, int length, const MPI_Aint displacements[], MPI_Datatype type,
                      MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_create_struct,
                     (int count, const int lengths[], const MPI_Aint displacements[],
                      const MPI_Datatype types[], MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_create_resized,
                     (MPI_Datatype type, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_create_subarray,
                     (int dimensions, const int sizes[], const int subsizes[], const int starts[],
                      int order, MPI_Datatype type, MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_create_darray,
                     (int size, int rank, int dimensions, const int sizes[],
                      const int distributions[], const int arguments[], const int grid[], int order,
                      MPI_Datatype type, MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_dup, (MPI_Datatype type, MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_commit, (MPI_Datatype * type))
MAZURKA_MPI_FUNCTION(int, Type_free, (MPI_Datatype * type))

/* What a type is like. */
MAZURKA_MPI_FUNCTION(int, Type_size, (MPI_Datatype type, int* size))
MAZURKA_MPI_FUNCTION(int, Type_size_x, (MPI_Datatype type, MPI_Count* size))
MAZURKA_MPI_FUNCTION(int, Type_get_extent, (MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent))
MAZURKA_MPI_FUNCTION(int, Type_get_extent_x,
                     (MPI_Datatype type, MPI_Count* lower, MPI_Count* extent))
MAZURKA_MPI_FUNCTION(int, Type_get_true_extent,
                     (MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent))
MAZURKA_MPI_FUNCTION(int, Type_get_true_extent_x,
                     (MPI_Datatype type, MPI_Count* lower, MPI_Count* extent))
MAZURKA_MPI_FUNCTION(int, Type_get_envelope,
                     (MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner))
MAZURKA_MPI_FUNCTION(int, Type_get_contents,
                     (MPI_Datatype type, int max_integers, int max_addresses, int max_types,
                      int integers[], MPI_Aint addresses[], MPI_Datatype types[]))
MAZURKA_MPI_FUNCTION(int, Type_set_name, (MPI_Datatype type, const char* name))
MAZURKA_MPI_FUNCTION(int, Type_get_name, (MPI_Datatype type, char* name, int* length))
MAZURKA_MPI_FUNCTION(int, Type_match_size, (int type_class, int size, MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_create_f90_integer, (int range, MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_create_f90_real, (int precision, int range, MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_create_f90_complex, (int precision, int range, MPI_Datatype* result))

/* Addresses. */
MAZURKA_MPI_FUNCTION(int, Get_address, (const void* location, MPI_Aint* address))
MAZURKA_MPI_FUNCTION(MPI_Aint, Aint_add, (MPI_Aint base, MPI_Aint displacement))
MAZURKA_MPI_FUNCTION(MPI_Aint, Aint_diff, (MPI_Aint first, MPI_Aint second))

/* Packing. */
MAZURKA_MPI_FUNCTION(int, Pack,
                     (const void* in, int count, MPI_Datatype type, void* out, int size,
                      int* position, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Unpack,
                     (const void* in, int size, int* position, void* out, int count,
                      MPI_Datatype type, MPI_Comm comm))
MAZURKA_MPI_FUNCTION(int, Pack_size, (int count, MPI_Datatype type, MPI_Comm comm, int* size))
MAZURKA_MPI_FUNCTION(int, Pack_external,
                     (const char representation[], const void* in, int count, MPI_Datatype type,
                      void* out, MPI_Aint size, MPI_Aint* position))
MAZURKA_MPI_FUNCTION(int, Unpack_external,
                     (const char representation[], const void* in, MPI_Aint size,
                      MPI_Aint* position, void* out, int count, MPI_Datatype type))
MAZURKA_MPI_FUNCTION(int, Pack_external_size,
                     (const char representation[], int count, MPI_Datatype type, MPI_Aint* size))

/* Attributes. */
MAZURKA_MPI_FUNCTION(int, Type_create_keyval,
                     (MPI_Type_copy_attr_function * copy, MPI_Type_delete_attr_function* remove,
                      int* key, void* extra))
MAZURKA_MPI_FUNCTION(int, Type_free_keyval, (int* key))
MAZURKA_MPI_FUNCTION(int, Type_set_attr, (MPI_Datatype type, int key, void* value))
MAZURKA_MPI_FUNCTION(int, Type_get_attr, (MPI_Datatype type, int key, void* value, int* flag))
MAZURKA_MPI_FUNCTION(int, Type_delete_attr, (MPI_Datatype type, int key))

/* Of MPI 1; gone since MPI 3, and still in use. */
MAZURKA_MPI_FUNCTION(int, Address, (void* location, MPI_Aint* address))
MAZURKA_MPI_FUNCTION(int, Type_extent, (MPI_Datatype type, MPI_Aint* extent))
MAZURKA_MPI_FUNCTION(int, Type_lb, (MPI_Datatype type, MPI_Aint* lower))
MAZURKA_MPI_FUNCTION(int, Type_ub, (MPI_Datatype type, MPI_Aint* upper))
MAZURKA_MPI_FUNCTION(int, Type_hvector,
                     (int count, int length, MPI_Aint stride, MPI_Datatype type,
                      MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_hindexed,
                     (int count, int lengths[], MPI_Aint displacements[], MPI_Datatype type,
                      MPI_Datatype* result))
MAZURKA_MPI_FUNCTION(int, Type_struct,
                     (int count, int lengths[], MPI_Aint displacements[], MPI_Datatype types[],
                      MPI_Datatype* result))

/* Fortran's handles. */
MAZURKA_MPI_FUNCTION(MPI_Datatype, Type_f2c, (MPI_Fint type))
MAZURKA_MPI_FUNCTION(MPI_Fint, Type_c2f, (MPI_Datatype type))
