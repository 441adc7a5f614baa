// mazurka: verdict=verified traces=9
//
// Two threads choose one of three each, and nothing else: 3 * 3.
#include <mazurka/mazurka.h>

#include "litmus.h"

static void* body(void* unused) {
  (void)unused;
  const int chosen = mazurka_choose(3);
  assert(chosen >= 0 && chosen < 3);
  return 0;
}

int main(void) {
  RUN(body, body);
  return 0;
}
