// mazurka: verdict=verified traces=1 also=yes
//
// Creation and join order accesses: what main writes before and reads after is no race.
#include "litmus.h"

int data;

static void* body(void* unused) {
  (void)unused;
  assert(data == 1);
  data = 2;
  return 0;
}

int main(void) {
  data = 1;
  RUN(body);
  assert(data == 2);
  return 0;
}
