// mazurka: verdict=finding finding=data_race also=levels
//
// Both threads write d, one before and one after it has added to x. The additions synchronise, but
// only if they come in this order: nobody sees in which. In the other one the writes race.
#include <stdatomic.h>

#include "litmus.h"

static _Atomic int x;
static volatile int d;

static void* before(void* unused) {
  d = 1;
  atomic_fetch_add(&x, 1);
  return unused;
}
static void* after(void* unused) {
  atomic_fetch_add(&x, 1);
  d = 2;
  return unused;
}

int main(void) {
  RUN(before, after);
  return 0;
}
