// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=memory_error message="24 bytes beyond the end of `table`" at=call
//
// The array is a part of a variable in another frame than the call, and the receive is completed in
// a third one.
#include "pair.h"

enum { rows = 4, columns = 6 };

struct table {
  int name;
  int cells[rows][columns];
};

static void begin(struct table* table, MPI_Request* request) {
  MPI_Irecv(table->cells[EITHER(1, 0)], rows * columns, MPI_INT, 1, 0, WORLD, request);
}

static void end(MPI_Request* request) {
  MPI_Wait(request, IGNORE);  // at: call
}

int main(int argc, char** argv) {
  struct table table;
  MPI_Request request;
  start(&argc, &argv);
  table.name = rank;
  if (rank == 0) {
    begin(&table, &request);
    end(&request);
    assert(table.name == 0 && table.cells[3][5] == 23);
  } else {
    for (int i = 0; i < rows * columns; ++i) table.cells[i / columns][i % columns] = i;
    MPI_Send(table.cells, rows * columns, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
