// mazurka: verdict=verified traces=1 exhaustive=any
//
// main holds everything while three threads try: they all fail, have changed nothing, and commute.
// A mutex, a read-write lock, a spin lock and a semaphore, with and without a time limit: one
// trace.
#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
sem_t semaphore;

static void* attempt(void* unused) {
  (void)unused;
  struct timespec now = {0, 0};
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  assert(pthread_mutex_timedlock(&mutex, &now) == ETIMEDOUT);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_spin_trylock(&spin) == EBUSY);
  assert(sem_trywait(&semaphore) == -1);
  assert(sem_timedwait(&semaphore, &now) == -1);
  return 0;
}

int main(void) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&semaphore, 0, 0);
  pthread_mutex_lock(&mutex);
  pthread_rwlock_wrlock(&lock);
  pthread_spin_lock(&spin);
  RUN(attempt, attempt, attempt);
  pthread_spin_unlock(&spin);
  pthread_rwlock_unlock(&lock);
  pthread_mutex_unlock(&mutex);
  return 0;
}
