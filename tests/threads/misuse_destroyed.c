// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=misuse traces=any
//
// A mutex that is destroyed may be used again once it is initialised, by a call or by an
// initialiser at the same place in memory; a barrier needs the call. Broken: one thread too many
// comes to a mutex after it is gone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static _Atomic int passed;

static void* visit(void* unused) {
  pthread_mutex_lock(&guard);
  pthread_mutex_unlock(&guard);
  if (atomic_fetch_add(&passed, 1) == 1) pthread_mutex_destroy(&guard);
  return unused;
}

static int local(void) {
  pthread_mutex_t here = PTHREAD_MUTEX_INITIALIZER;
  const int error = pthread_mutex_lock(&here) + pthread_mutex_unlock(&here);
  return error + pthread_mutex_destroy(&here);
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, visit, 0);
  pthread_create(&threads[1], 0, visit, 0);
#ifdef BROKEN
  visit(0);
#endif
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(pthread_mutex_init(&guard, 0) == 0);
  pthread_mutex_lock(&guard);
  pthread_mutex_unlock(&guard);
  assert(local() + local() == 0);
  for (int again = 0; again < 2; again++) {
    pthread_barrier_init(&barrier, 0, 1);
    assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_barrier_destroy(&barrier);
  }
  return 0;
}
