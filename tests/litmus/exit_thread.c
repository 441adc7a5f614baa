// mazurka: verdict=verified traces=1
//
// pthread_exit carries a value to join, from a function deep inside; nothing is shared.
#include "litmus.h"

static void leave(void) { pthread_exit((void*)7); }

static void* body(void* unused) {
  (void)unused;
  leave();
  return 0;
}

int main(void) {
  pthread_t thread;
  void* result = 0;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, &result);
  assert(result == (void*)7);
  return 0;
}
