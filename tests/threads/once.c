// mazurka: verdict=verified traces=2
// broken: verdict=finding finding=data_race
//
// pthread_once by two threads: one of the two runs the routine. Broken: a flag of one's own.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
int initialised, times;

static void initialise(void) {
  times++;
  initialised = 1;
}

static void* body(void* unused) {
#ifdef BROKEN
  if (!initialised) initialise();
#else
  pthread_once(&once, initialise);
#endif
  assert(initialised == 1 && times == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  body(0);
  pthread_join(thread, 0);
  return 0;
}
