// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=assertion
//
// Polls until a point in time that is kept in whole seconds. Rounds within a second look the same,
// but time goes by: the loop ends in any case. Broken: it is taken for granted that it ends because
// of what the other thread does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int done;

static void* body(void* argument) {
  struct {
    void* before;
    time_t end;
    void* after;
  } own = {argument, time(0) + 1, &done};
  while (time(0) < own.end) {
    if (done) return own.after;
  }
#ifdef BROKEN
  assert(!"too late");
#endif
  return own.before;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, &done);
  done = 1;
  pthread_join(thread, 0);
  return 0;
}
