// mazurka: verdict=finding finding=deadlock traces=1 options="--keep-going"
//
// main waits for its child, the child for main.
#include "litmus.h"

pthread_t main_thread;

static void* body(void* unused) {
  (void)unused;
  pthread_join(main_thread, 0);
  return 0;
}

int main(void) {
  main_thread = pthread_self();
  RUN(body);
  return 0;
}
