// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=misuse traces=any message="was destroyed"
//
// Broken: whoever comes first destroys the barrier that the other is still to use.
#include <pthread.h>

static pthread_barrier_t barrier;

static void* meet(void* unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef BROKEN
  pthread_barrier_init(&barrier, 0, 1);
#else
  pthread_barrier_init(&barrier, 0, 2);
#endif
  pthread_create(&thread, 0, meet, 0);
  meet(0);
#ifdef BROKEN
  pthread_barrier_destroy(&barrier);
#endif
  pthread_join(thread, 0);
  return 0;
}
