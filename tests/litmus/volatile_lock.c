// mazurka: verdict=verified traces=any options="--volatile atomic" also=yes
// broken: verdict=finding finding=data_race traces=any options="--volatile atomic"
//
// A lock out of a builtin, a volatile variable and full fences, as it was written before C11: the
// fences order what is done in it. Broken: the last one is missing.
#include <assert.h>
#include <pthread.h>

static volatile unsigned taken;
static int turns;

static void* take_turn(void* unused) {
  while (!__sync_bool_compare_and_swap(&taken, 0U, 1U)) {
  }
  __sync_synchronize();
  ++turns;
#ifndef BROKEN
  __sync_synchronize();
#endif
  taken = 0;
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, take_turn, 0);
  take_turn(0);
  pthread_join(other, 0);
  assert(turns == 2);
  return 0;
}
