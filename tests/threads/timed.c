// mazurka: verdict=verified traces=10
// broken: verdict=finding finding=assertion
//
// Waits for a limited time: each may succeed or time out. Broken: the program relies on success.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t tokens;
static int ready;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  sem_post(&tokens);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&tokens, 0, 0);
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 1;
  pthread_create(&thread, 0, body, 0);
  int result = pthread_mutex_timedlock(&mutex, &soon);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    while (!ready && result != ETIMEDOUT) result = pthread_cond_timedwait(&changed, &mutex, &soon);
#ifdef BROKEN
    assert(ready);
#endif
    pthread_mutex_unlock(&mutex);
  }
  result = sem_timedwait(&tokens, &soon);
  assert(result == 0 || errno == ETIMEDOUT);
  pthread_join(thread, 0);
  return 0;
}
