// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=assertion
//
// An operation that does not commute is applied in the order of the ranks.
#include "pair.h"

// One map x -> scale * x + shift after the other.
typedef struct {
  int scale;
  int shift;
} Map;

static void chain(void* in, void* inout, int* length, MPI_Datatype* type) {
  assert(*type == MPI_2INT);
  for (int i = 0; i < *length; ++i) {
    const Map first = ((Map*)in)[i];
    Map* second = &((Map*)inout)[i];
    second->shift += second->scale * first.shift;
    second->scale *= first.scale;
  }
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Op op;
  Map mine = {2, rank + 1};
  Map all = {0, 0};
  MPI_Op_create(chain, 0, &op);
  MPI_Allreduce(&mine, &all, 1, MPI_2INT, op, WORLD);
  MPI_Op_free(&op);
  assert(all.scale == 8 && all.shift == EITHER(17, 11));
  return finish();
}
