// mazurka: verdict=verified traces=any flags="-fopenmp"
// broken: verdict=finding finding=data_race flags="-fopenmp"
//
// A region, and nothing else of OpenMP's library: an update is an instruction.
#include <assert.h>

static int x;

int main(void) {
#pragma omp parallel num_threads(3)
  {
#ifndef BROKEN
#pragma omp atomic
#endif
    x += 1;
  }
  assert(x == 3);
}
