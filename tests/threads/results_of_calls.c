// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=data_race
//
// Functions that leave their result where they are told write there, like the program itself.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* block;
static struct timespec now;

static int ask(void* which) {
#ifndef BROKEN
  pthread_mutex_lock(&mutex);
#endif
  if (which == 0) {
    assert(posix_memalign(&block, 3, 8) == EINVAL);
    assert(posix_memalign(&block, 64, 8) == 0);
    free(block);
  } else {
    block = 0;
    now.tv_sec = 0;
  }
  timespec_get(&now, TIME_UTC);
#ifndef BROKEN
  pthread_mutex_unlock(&mutex);
#endif
  return 0;
}

int main(void) {
  thrd_t threads[2];
  static int one;
  thrd_create(&threads[0], ask, 0);
  thrd_create(&threads[1], ask, &one);
  for (int i = 0; i < 2; ++i) thrd_join(threads[i], 0);
}
