// mazurka: verdict=finding finding=assertion
//          techniques="optimal source-context:chains optimal-context optimal-context-observers"
//
// One section writes 1 and then 0 again, the other one 1: the one that comes last decides. What the
// first one wrote on the way does not belong to the state after it: else both orders would seem to
// end in the same state.
#include "litmus.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void* there_and_back(void* unused) {
  pthread_mutex_lock(&mutex);
  x = 1;
  x = 0;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* there(void* unused) {
  pthread_mutex_lock(&mutex);
  x = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  RUN(there_and_back, there);
  assert(x == 1);
  return 0;
}
