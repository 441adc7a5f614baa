// mazurka: verdict=finding finding=misuse traces=1 options="--keep-going"
//
// Unlocking a normal mutex that nobody holds is undefined: a finding, not a silent success.
#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* body(void* unused) {
  (void)unused;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  RUN(body);
  return 0;
}
