// mazurka: verdict=verified traces=2
//
// An error-checking mutex refuses to be locked twice or unlocked by a stranger. Two orders of the
// two sections; what main does afterwards comes after both.
#include <errno.h>

#include "litmus.h"

pthread_mutex_t mutex;

static void* body(void* unused) {
  (void)unused;
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == EDEADLK);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  RUN(body, body);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  pthread_mutex_destroy(&mutex);
  return 0;
}
