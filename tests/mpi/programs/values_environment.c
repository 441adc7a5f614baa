// mazurka: ranks=2 verdict=verified
//
// What can be asked of the surroundings.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  MPI_Get_processor_name(name, &length);
  assert(length > 0 && length < MPI_MAX_PROCESSOR_NAME && (int)strlen(name) == length);
  const double before = MPI_Wtime();
  MPI_Barrier(WORLD);
  assert(MPI_Wtime() >= before && MPI_Wtick() > 0);
  int version = 0;
  int subversion = -1;
  MPI_Get_version(&version, &subversion);
  assert(version == MPI_VERSION && subversion == MPI_SUBVERSION);
  int flag = 0;
  int* limit = NULL;
  MPI_Comm_get_attr(WORLD, MPI_TAG_UB, &limit, &flag);
  assert(flag && *limit >= 32767);
  void* memory = NULL;
  MPI_Alloc_mem(64, MPI_INFO_NULL, &memory);
  memset(memory, 1, 64);
  MPI_Free_mem(memory);
  int provided = -1;
  MPI_Query_thread(&provided);
  assert(provided >= MPI_THREAD_SINGLE);
  return finish();
}
