// mazurka: verdict=verified traces=3 options="--racy" exhaustive=any
//
// store_buffer.c with plain variables, which --racy makes visible.
#include "litmus.h"

volatile int x, y;

static void* one(void* unused) {
  (void)unused;
  x = 1;
  return (void*)(intptr_t)y;
}

static void* two(void* unused) {
  (void)unused;
  y = 1;
  return (void*)(intptr_t)x;
}

int main(void) {
  pthread_t first, second;
  void *seen_y, *seen_x;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, &seen_y);
  pthread_join(second, &seen_x);
  assert(seen_x || seen_y);
  return 0;
}
