// mazurka: verdict=verified traces=2
// broken: verdict=finding finding=data_race
//
// A block is published. What realloc has copied was written by whoever called it: a reader must
// know of that, and by a relaxed pointer it does not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static _Atomic(int*) published;

static int* grown(void) {
  int* block = malloc(sizeof(int));
  block[0] = 7;
  return realloc(block, 4 * sizeof(int));
}

static void* publish(void* unused) {
  atomic_store_explicit(&published, grown(), RELEASE);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, publish, 0);
  int* block = atomic_load_explicit(&published, memory_order_acquire);
  if (block != 0) assert(block[0] == 7);
  pthread_join(thread, 0);
  free(published);
}
