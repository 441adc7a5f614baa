// mazurka: verdict=verified traces=3
// broken: verdict=finding finding=assertion
//
// Polls until a point in time that is kept as a number of milliseconds that may overflow: nothing
// on the stack shows that time goes by, and it does. The flag is seen at the first look, at the
// second (then rounds look the same, and ages pass), or never. Broken: relies on the flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

static atomic_int done;

static uint32_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint32_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

static void* body(void* unused) {
  const uint32_t end = milliseconds() + 100;
  while ((int32_t)(milliseconds() - end) < 0) {
    if (done) return unused;
  }
#ifdef BROKEN
  assert(!"too late");
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  done = 1;
  pthread_join(thread, 0);
  return 0;
}
