// mazurka: verdict=verified traces=2 also=yes exhaustive=any
//
// Plain data published through an atomic flag: the load comes before or after the store, and only
// in the second case the data is read. No data race.
#include <stdatomic.h>

#include "litmus.h"

int data;
_Atomic int ready;

static void* send(void* unused) {
  (void)unused;
  data = 42;
  ready = 1;
  return 0;
}

static void* receive(void* unused) {
  (void)unused;
  if (ready) assert(data == 42);
  return 0;
}

int main(void) {
  RUN(send, receive);
  return 0;
}
