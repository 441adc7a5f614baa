// mazurka: verdict=verified traces=1 options=--leaks
// broken: verdict=finding finding=leak options=--leaks message="allocate int[4]#1"
//
// A block that nobody can free any more.
#include <pthread.h>
#include <stdlib.h>

int* block;

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
  block = 0;
  return 0;
#else
  free(block);
  return 0;
#endif
}
