// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=livelock
//
// Waits for a limited time, again and again, for a value that would pass for a point in time: the
// deadline stays the same, so time does not matter. Broken: the value never comes.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#define BOTH(half) ((uint64_t)(half) << 32 | (half))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic uint64_t pair = BOTH(2u);
static const struct timespec deadline = {2000000000, 0};

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
#ifndef BROKEN
  atomic_store(&pair, BOTH(1u));
#endif
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_mutex_lock(&mutex);
  while (atomic_load(&pair) != BOTH(1u)) pthread_cond_timedwait(&changed, &mutex, &deadline);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
