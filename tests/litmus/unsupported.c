// mazurka: verdict=error message="pthread_barrier_"
//
// A synchronisation call that is not supported stops the search with a message that names it.
#include "litmus.h"

pthread_barrier_t barrier;

static void* body(void* unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);
  return 0;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 2);
  RUN(body, body);
  return 0;
}
