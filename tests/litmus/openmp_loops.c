// mazurka: verdict=verified traces=any flags="-fopenmp"
// broken: verdict=finding finding=data_race flags="-fopenmp"
//
// Loops of every kind do each of their rounds once; sums are gathered from all threads. Broken:
// rounds use what others have left.
#include <assert.h>

static int done[6];
static int total;

int main(void) {
  int sum = 0;
#pragma omp parallel for schedule(static) num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 6; ++i) sum += i;
  assert(sum == 15);
#pragma omp parallel for schedule(guided, 2) num_threads(2)
  for (int i = 5; i >= 0; --i) ++done[i];
#pragma omp parallel for schedule(dynamic, 3) num_threads(2)
  for (unsigned long i = 0; i < 6; i += 2) ++done[i];
  for (int i = 0; i < 6; ++i) assert(done[i] == (i % 2 == 0 ? 2 : 1));
#ifdef BROKEN
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 5; ++i) done[i + 1] += done[i];
#endif
  for (int region = 0; region < 2; ++region) {  // a thread alone has everything to do
    int rounds = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp single
      ++rounds;
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 3; ++i) ++rounds;
    }
    assert(rounds == 4);
  }
#pragma omp parallel num_threads(2)
#pragma omp atomic
  ++total;
  assert(total == 2);
}
