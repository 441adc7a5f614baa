// mazurka: verdict=verified traces=4
// broken: verdict=finding finding=deadlock
//
// C11 <threads.h>: threads, mutexes, condition variables, once, thread-specific storage. Broken:
// the signal comes before anybody waits, and is lost.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int ready, initialised, destroyed;

static void initialise(void) { initialised++; }
static void destroy(void* value) { destroyed += *(int*)value; }

static int body(void* argument) {
  call_once(&once, initialise);
  tss_set(key, argument);
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  return 7;
}

int main(void) {
  thrd_t thread;
  int one = 1, result = 0;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  tss_create(&key, destroy);
  thrd_create(&thread, body, &one);
  call_once(&once, initialise);
  mtx_lock(&mutex);
#ifdef BROKEN
  cnd_wait(&changed, &mutex);
#else
  while (!ready) cnd_wait(&changed, &mutex);
#endif
  mtx_unlock(&mutex);
  thrd_join(thread, &result);
  assert(result == 7 && initialised == 1 && destroyed == 1);
  mtx_destroy(&mutex);
  cnd_destroy(&changed);
  return 0;
}
