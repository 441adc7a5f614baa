// A configuration that is loaded when it is first needed, with the famous "double-checked locking":
// look without the lock first, for speed. The first look is a data race: nothing orders it after
// the other thread's writes, so it may see the pointer and not yet what it points to.
//
// With -DFIXED the pointer is atomic and the program is correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct Config {
  int port;
};

#ifdef FIXED
_Atomic(struct Config*) config;
#else
struct Config* config;
#endif
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct Config* get_config(void) {
  if (!config) {
    pthread_mutex_lock(&mutex);
    if (!config) {
      struct Config* fresh = malloc(sizeof *fresh);
      fresh->port = 8080;
      config = fresh;
    }
    pthread_mutex_unlock(&mutex);
  }
  return config;
}

static void* serve(void* unused) {
  (void)unused;
  assert(get_config()->port == 8080);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, serve, 0);
  pthread_create(&two, 0, serve, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  free(config);
  return 0;
}
