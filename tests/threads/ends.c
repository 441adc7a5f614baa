// mazurka: verdict=verified traces=1
// broken: verdict=finding finding=assertion
//
// Ends of all kinds: main ends by pthread_exit, a thread is detached, another one ends the program
// while the rest still runs: that comes last, so there is one trace. Broken: a handler at the end
// finds what it should not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int state;  // not static: clang leaves out what nobody in the file reads

static void at_end(void) {
#ifdef BROKEN
  assert(state != 1);
#endif
}

static void* finish(void* unused) {
  (void)unused;
  exit(3);
}

static void* work(void* unused) {
  state = 1;
  state = 2;
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(at_end);
  pthread_create(&thread, 0, work, 0);
  pthread_detach(thread);
  pthread_create(&thread, 0, finish, 0);
  pthread_exit(0);
}
