// mazurka: verdict=verified traces=3 exhaustive=any
//
// The attempt comes before the other thread's section (and then its unlock does, too), inside it,
// or after it: three traces, in the middle one it fails.
#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* section(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void* attempt(void* unused) {
  (void)unused;
  if (pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  RUN(section, attempt);
  return 0;
}
