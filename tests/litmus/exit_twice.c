// mazurka: verdict=verified traces=2
//
// Both main and a thread are about to end the program: either may, with its exit code.
#include <stdlib.h>

#include "litmus.h"

static void* leave(void* unused) {
  (void)unused;
  exit(1);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, leave, 0);
  return 0;
}
