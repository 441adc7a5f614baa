// mazurka: verdict=finding finding=data_race traces=any also=yes
// broken: verdict=finding finding=assertion traces=any options="--racy"
// techniques="optimal reverse source dpor sleep"
//
// The main thread's variable is its own only as long as no other thread has its address.
#include "litmus.h"

static _Thread_local int x;

static void* body(void* shared) {
  ++*(int*)shared;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, &x);
  ++x;
  pthread_join(thread, 0);
  assert(x == 2);
  return 0;
}
