// mazurka: verdict=verified traces=1
//
// What a program prints is not a scheduling point, and does not upset the search.
#include <stdio.h>

#include "litmus.h"

static void* body(void* argument) {
  printf("thread %d\n", (int)(intptr_t)argument);
  return 0;
}

int main(void) {
  RUN(body, body);
  puts("done");
  return 0;
}
