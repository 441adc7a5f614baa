// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=receive
//
// The columns of a matrix are received at the same time. What lies between the values of one is not
// its own.
#include "pair.h"

enum { rows = 3, columns = 2 };

int main(int argc, char** argv) {
  start(&argc, &argv);
  int matrix[rows][columns] = {{0}};
  const int values[rows] = {1, 2, 3};
  if (rank == 0) {
    MPI_Datatype column;
    MPI_Request requests[columns];
    MPI_Type_vector(rows, 1, columns, MPI_INT, &column);
    MPI_Type_commit(&column);
    for (int nth = 0; nth < columns; ++nth) {
      int* const first = &matrix[0][EITHER(0, nth)];
      MPI_Irecv(first, 1, column, 1, nth, WORLD, &requests[nth]);  // at: receive
    }
    MPI_Waitall(columns, requests, MPI_STATUSES_IGNORE);
    for (int row = 0; row < rows; ++row) {
      for (int nth = 0; nth < columns; ++nth) assert(matrix[row][nth] == values[row]);
    }
    MPI_Type_free(&column);
  } else {
    for (int nth = 0; nth < columns; ++nth) MPI_Send(values, rows, MPI_INT, 0, nth, WORLD);
  }
  return finish();
}
