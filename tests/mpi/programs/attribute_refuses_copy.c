// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="copies an attribute returns error" at=dup
//
// If a function of the program does not let an attribute be copied, MPI_Comm_dup fails with its
// error: there is no new communicator, and what was copied already is deleted again.
#include "pair.h"

static int copies;

static int copy_it(MPI_Comm comm, int key, void* extra, void* value, void* result, int* flag) {
  (void)comm, (void)key, (void)extra;
  *(void**)result = value;
  *flag = 1;
  ++copies;
  return MPI_SUCCESS;
}
static int delete_it(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  --copies;
  return MPI_SUCCESS;
}
static int refuse(MPI_Comm comm, int key, void* extra, void* value, void* result, int* flag) {
  (void)comm, (void)key, (void)extra, (void)value, (void)result;
  *flag = 0;
  return MPI_ERR_NO_MEM;
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm one;
  MPI_Comm other = WORLD;
  int copied;
  int refused;
  MPI_Comm_dup(WORLD, &one);
  if (EITHER(0, 1)) MPI_Comm_set_errhandler(one, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(copy_it, delete_it, &copied, NULL);
  MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &refused, NULL);
  MPI_Comm_set_attr(one, copied, NULL);
  copies = 1;
  MPI_Comm_set_attr(one, refused, NULL);
  assert(MPI_Comm_dup(one, &other) == MPI_ERR_NO_MEM);  // at: dup
  assert(other == MPI_COMM_NULL);
  assert(copies == 1);
  MPI_Comm_delete_attr(one, refused);
  MPI_Comm_dup(one, &other);
  assert(copies == 2);
  MPI_Comm_free(&other);
  assert(copies == 1);
  MPI_Comm_set_attr(one, copied, &rank);  // in the place of the one before
  assert(copies == 0);
  MPI_Comm_free_keyval(&copied);
  MPI_Comm_free_keyval(&refused);
  MPI_Comm_free(&one);
  return finish();
}
