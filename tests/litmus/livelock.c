// mazurka: verdict=finding finding=livelock message="waits in a loop"
//
// A flag that nobody sets: not a deadlock, since the thread keeps running.
#include <stdatomic.h>

#include "litmus.h"

atomic_int flag;

static void* reader(void* unused) {
  while (!atomic_load(&flag)) {
  }
  return unused;
}

static void* writer(void* unused) {
  atomic_store(&flag, 0);
  return unused;
}

int main(void) {
  RUN(reader, writer);
  return 0;
}
