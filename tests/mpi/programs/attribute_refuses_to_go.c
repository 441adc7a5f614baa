// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak
//
// If a function of the program does not let an attribute be deleted, the communicator is not freed.
#include "pair.h"

static int keeps = 1;

static int delete_it(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  return keeps ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm one;
  int key;
  MPI_Comm_dup(WORLD, &one);
  MPI_Comm_set_errhandler(one, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_it, &key, NULL);
  MPI_Comm_set_attr(one, key, NULL);
  assert(MPI_Comm_free(&one) == MPI_ERR_OTHER);
  assert(one != MPI_COMM_NULL);
  keeps = EITHER(1, 0);
  MPI_Comm_free(&one);
  MPI_Comm_free_keyval(&key);
  return finish();
}
