// mazurka: ranks=2 verdict=verified
//
// With MPI_ERRORS_RETURN an error is the program's own business: it is told what is wrong.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
  const int code = MPI_Send(&x, 1, MPI_INT, 99, 0, WORLD);
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  assert(error_class == MPI_ERR_RANK);
  return finish();
}
