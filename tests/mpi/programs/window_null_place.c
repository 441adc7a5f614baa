// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="MPI_Win_create: " at=call
//
// There is no place for the window.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Win window;
  int memory = 0;
  MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, WORLD,
                 EITHER(NULL, &window));  // at: call
  MPI_Win_free(&window);
  return finish();
}
