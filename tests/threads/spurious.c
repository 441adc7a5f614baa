// mazurka: verdict=verified traces=4 options="--spurious 1"
// broken: verdict=finding finding=assertion options="--spurious 1"
//
// A wait on a condition variable may end for no reason: the condition must be looked at again.
// Broken: it is not. Four traces: the signal comes before the wait, in time, after a wake-up
// without reason that has the mutex again, or after one that does not have it yet.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_mutex_lock(&mutex);
#ifdef BROKEN
  if (!ready) pthread_cond_wait(&changed, &mutex);
#else
  while (!ready) pthread_cond_wait(&changed, &mutex);
#endif
  assert(ready);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
