// mazurka: verdict=verified traces=1
//
// Three threads meet three times. Who arrives first does not matter, nor whether somebody arrives
// for the next round before another has left the last one: one trace.
#include "litmus.h"

pthread_barrier_t barrier;

static void* body(void* unused) {
  (void)unused;
  for (int round = 0; round < 3; round++) pthread_barrier_wait(&barrier);
  return 0;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 3);
  RUN(body, body, body);
  pthread_barrier_destroy(&barrier);
  return 0;
}
