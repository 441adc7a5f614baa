// mazurka: verdict=verified traces=1
// broken: verdict=finding finding=memory_error message="allocate int[4]#1"
//
// A write just behind a block.
#include <pthread.h>
#include <stdlib.h>

static int* block;

static void* body(void* unused) {
  block[0] = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  block = malloc(4 * sizeof *block);
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
#ifdef BROKEN
  *(volatile int*)&block[4] = 1;
  free(block);
  return 0;
#else
  block[3] = 1;
  free(block);
  return 0;
#endif
}
