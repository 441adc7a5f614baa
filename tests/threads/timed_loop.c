// mazurka: verdict=verified traces=6
// broken: verdict=finding finding=livelock
//
// Waits for a limited time, again and again, with a new deadline each time: rounds that differ in
// time alone are a waiting loop. Broken: what it waits for never happens.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
#ifndef BROKEN
  ready = 1;
#endif
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_mutex_lock(&mutex);
  while (!ready) {
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 5000;
    pthread_cond_timedwait(&changed, &mutex, &soon);
  }
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
