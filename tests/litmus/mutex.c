// mazurka: verdict=verified traces=6 also=yes exhaustive=any
//
// Three critical sections of one mutex: 3! orders. The counter is a plain variable: no data race.
#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void* body(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  RUN(body, body, body);
  assert(counter == 3);
  return 0;
}
