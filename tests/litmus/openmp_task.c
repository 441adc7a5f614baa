// mazurka: verdict=error flags="-fopenmp" message="GOMP_task (OpenMP) is not supported"
//
// Tasks are not there. A program that has one can be linked, and is refused when it comes to it.
#include <stdio.h>

int main(void) {
  int value = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(value)
    value = 1;
#pragma omp taskwait
  }
  printf("%d\n", value);
}
