// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="received at overlap" at=receive
//
// Bounds that were said count for all that the type is a part of; the others come from the values.
#include <complex.h>

#include "pair.h"

static void require_bounds(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent) {
  MPI_Aint found_lower, found_extent;
  MPI_Type_get_extent(type, &found_lower, &found_extent);
  assert(found_lower == lower && found_extent == extent);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int ones[3] = {1, 1, 1};
  // With the markers of MPI 1: integers with three others between them.
  MPI_Datatype spaced, both;
  const MPI_Aint marks[3] = {-4, 0, EITHER(-2, 12)};
  const MPI_Datatype marked[3] = {MPI_LB, MPI_INT, MPI_UB};
  MPI_Type_create_struct(3, ones, marks, marked, &spaced);
  MPI_Type_commit(&spaced);
  int values[8] = {0};
  if (rank == 0) {
    MPI_Send(&ones, 2, MPI_INT, 1, 0, WORLD);
  } else {
    MPI_Recv(values, 2, spaced, 0, 0, WORLD, IGNORE);  // at: receive
    assert(values[0] == 1 && values[1] == 0 && values[4] == 1);
  }
  require_bounds(spaced, -4, 16);
  MPI_Type_contiguous(2, spaced, &both);
  require_bounds(both, -4, 32);
  MPI_Type_free(&both);
  MPI_Type_free(&spaced);

  // One that was resized, and one that is behind its end.
  MPI_Datatype wide, mixed;
  const MPI_Aint places[2] = {0, 20};
  MPI_Type_create_resized(MPI_INT, 0, 14, &wide);
  const MPI_Datatype parts[2] = {wide, MPI_INT};
  MPI_Type_create_struct(2, ones, places, parts, &mixed);
  require_bounds(mixed, 0, 14);
  MPI_Type_free(&mixed);
  MPI_Type_free(&wide);

  // As a structure of C.
  struct with_complex {
    int number;
    double complex value;
  };
  const MPI_Aint offsets[2] = {0, offsetof(struct with_complex, value)};
  const MPI_Datatype members[2] = {MPI_INT, MPI_C_DOUBLE_COMPLEX};
  MPI_Type_create_struct(2, ones, offsets, members, &mixed);
  require_bounds(mixed, 0, sizeof(struct with_complex));
  MPI_Type_free(&mixed);
  return finish();
}
