// mazurka: verdict=verified traces=2 flags="-fopenmp"
// broken: verdict=finding finding=data_race flags="-fopenmp"
//
// Two threads of a parallel region add to a variable, in a critical section or not.
#include <assert.h>
#include <omp.h>

static int sum;

int main(void) {
#pragma omp parallel num_threads(2)
  {
#ifndef BROKEN
#pragma omp critical
#endif
    sum += 1 + omp_get_thread_num();
  }
  assert(sum == 3);
}
