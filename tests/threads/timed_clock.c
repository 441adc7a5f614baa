// mazurka: verdict=verified traces=60
// broken: verdict=finding finding=assertion
//
// Waits for a limited time of a clock that the caller chooses, and all of the read-write lock's.
// Broken: the program relies on success.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t tokens;
static int ready;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  sem_post(&tokens);
  return unused;
}

static int fine(int result) {
#ifdef BROKEN
  assert(result == 0);
#else
  assert(result == 0 || result == ETIMEDOUT);
#endif
  return result == 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&tokens, 0, 0);
  struct timespec soon;
  clock_gettime(CLOCK_MONOTONIC, &soon);
  soon.tv_sec += 1;
  pthread_create(&thread, 0, body, 0);
  if (fine(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon))) {
    if (!ready) fine(pthread_cond_clockwait(&changed, &mutex, CLOCK_MONOTONIC, &soon));
    pthread_mutex_unlock(&mutex);
  }
  if (fine(pthread_rwlock_timedrdlock(&lock, &soon))) pthread_rwlock_unlock(&lock);
  if (fine(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon))) pthread_rwlock_unlock(&lock);
  fine(sem_clockwait(&tokens, CLOCK_MONOTONIC, &soon) == 0 ? 0 : errno);
  pthread_join(thread, 0);
  return 0;
}
