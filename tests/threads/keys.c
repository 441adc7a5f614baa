// mazurka: verdict=verified traces=1
// broken: verdict=finding finding=assertion
//
// pthread_once and keys with destructors, clean-up handlers, detached threads. Broken: the
// destructor is not registered.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int destroyed, cleaned;

static void destroy(void* value) { destroyed += *(int*)value; }
static void clean(void* value) { cleaned += *(int*)value; }
static void make(void) {
#ifdef BROKEN
  pthread_key_create(&key, 0);
#else
  pthread_key_create(&key, destroy);
#endif
}

static void* body(void* argument) {
  pthread_once(&once, make);
  pthread_setspecific(key, argument);
  pthread_cleanup_push(clean, argument);
  pthread_exit(argument);
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  int five = 5;
  void* result = 0;
  pthread_create(&thread, 0, body, &five);
  pthread_join(thread, &result);
  assert(result == &five && cleaned == 5);
  assert(destroyed == 5);
  return 0;
}
