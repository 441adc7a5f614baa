// mazurka: verdict=inconclusive traces=any techniques=optimal options="--max-time 1s"
//   message="goes on and on"
// broken: verdict=finding finding=assertion traces=any techniques="optimal source dpor"
//
// Two threads that never end and change something in every round. That can not be explored to its
// end, and the checker says so instead of going on for ever itself. Broken: a bug that needs one
// switch early on, and that a search which goes deep first would not come to for ever.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static unsigned rounds;
static int inside;

static void* work(void* unused) {
  for (;;) {
    pthread_mutex_lock(&guard);
    rounds++;
    inside = 1;
#ifdef BROKEN
    pthread_mutex_unlock(&guard);
    pthread_mutex_lock(&guard);
#endif
    assert(inside == 1);
    inside = 0;
    pthread_mutex_unlock(&guard);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, work, 0);
  pthread_create(&threads[1], 0, work, 0);
  pthread_join(threads[0], 0);
  return 0;
}
