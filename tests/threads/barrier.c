// mazurka: verdict=verified traces=1
// broken: verdict=finding finding=data_race
//
// Three threads meet at a barrier. Who comes first does not matter: one trace. Broken: the barrier
// lets them through two by two.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static int arrived[3];

static void* body(void* number) {
  arrived[(intptr_t)number] = 1;
  pthread_barrier_wait(&barrier);
  assert(arrived[0] && arrived[1] && arrived[2]);
  return 0;
}

int main(void) {
  pthread_t threads[3];
#ifdef BROKEN
  pthread_barrier_init(&barrier, 0, 1);
#else
  pthread_barrier_init(&barrier, 0, 3);
#endif
  for (intptr_t i = 0; i < 3; i++) pthread_create(&threads[i], 0, body, (void*)i);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
