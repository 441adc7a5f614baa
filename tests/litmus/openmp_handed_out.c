// mazurka: verdict=verified traces=any flags="-fopenmp"
// broken: verdict=finding finding=assertion flags="-fopenmp"
//
// Rounds of a loop, a single block and sections go to whichever thread comes first. Broken: as if
// the first thread had all of it.
#include <assert.h>
#include <omp.h>

static int rounds[2];
static int singles[2];
static int section_of[2];

int main(void) {
  omp_lock_t lock;
  int under_lock = 0;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    const int self = omp_get_thread_num();
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; ++i) ++rounds[self];
#pragma omp single
    ++singles[self];
#pragma omp sections
    {
#pragma omp section
      section_of[0] = self;
#pragma omp section
      section_of[1] = self;
    }
    omp_set_lock(&lock);
    ++under_lock;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  assert(rounds[0] + rounds[1] == 2 && singles[0] + singles[1] == 1 && under_lock == 2);
#ifdef BROKEN
  assert(rounds[0] == 2 || singles[0] == 1 || section_of[0] + section_of[1] == 0);
#endif
}
