// mazurka: verdict=finding finding=deadlock traces=2 options="--keep-going" exhaustive=any
//
// Both threads lock, none unlocks: whoever is first ends, the other waits for ever. In either
// execution only one acquisition happens, so the other order can only be found by looking at the
// step that is still disabled at the end (docs/techniques.md, "Blocking").
#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* body(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  return 0;
}

int main(void) {
  RUN(body, body);
  return 0;
}
