// mazurka: verdict=verified traces=2
// broken: verdict=finding finding=data_race
//
// A block is handed over before anybody has written to it. Even then, who writes must know that it
// was allocated: the library may still be busy with it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static _Atomic(int*) published;

static void* publish(void* unused) {
  atomic_store_explicit(&published, (int*)malloc(sizeof(int)), RELEASE);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, publish, 0);
  int* block = atomic_load_explicit(&published, memory_order_acquire);
  if (block != 0) *block = 1;
  pthread_join(thread, 0);
  free(published);
}
