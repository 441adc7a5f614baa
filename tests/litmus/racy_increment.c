// mazurka: verdict=finding finding=assertion traces=4 options="--racy --keep-going" also=yes
// exhaustive=any
//
// Each thread reads, then writes. One after the other: 2 traces; both read first, then write in
// either order: 2 more, and these lose an update. The order of the two reads does not matter.
#include "litmus.h"

int counter;

static void* body(void* unused) {
  (void)unused;
  counter++;
  return 0;
}

int main(void) {
  RUN(body, body);
  assert(counter == 2);
  return 0;
}
