// mazurka: verdict=verified traces=3 also=yes exhaustive=any
//
// Each thread stores its own variable and loads the other's. Two orders per variable; both loads
// before both stores is a cycle. So under sequential consistency not both can read 0.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x, y;
int seen_x, seen_y;

static void* one(void* unused) {
  (void)unused;
  x = 1;
  seen_y = y;
  return 0;
}

static void* two(void* unused) {
  (void)unused;
  y = 1;
  seen_x = x;
  return 0;
}

int main(void) {
  RUN(one, two);
  assert(seen_x || seen_y);
  return 0;
}
