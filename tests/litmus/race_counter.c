// mazurka: verdict=finding finding=data_race traces=1 options="--keep-going" also=yes
//
// Two unprotected increments. Plain accesses are not scheduling points, so there is one execution,
// and it shows the race: nothing orders the two threads.
#include "litmus.h"

int counter;

static void* body(void* unused) {
  (void)unused;
  counter++;
  return 0;
}

int main(void) {
  RUN(body, body);
  return 0;
}
