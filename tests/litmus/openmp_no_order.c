// mazurka: verdict=finding finding=data_race flags="-fopenmp"
//
// Who is not chosen for a single block knows that another thread was there first, and nothing else:
// without the barrier that block does not order what the others did before.
#include <omp.h>

static int x;
static int seen;

int main(void) {
#pragma omp parallel num_threads(2)
  {
    int chosen = 0;
    if (omp_get_thread_num() == 0) x = 1;
#pragma omp single nowait
    chosen = 1;
    if (omp_get_thread_num() == 1 && !chosen) seen = x;
  }
}
