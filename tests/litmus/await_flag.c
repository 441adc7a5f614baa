// mazurka: verdict=verified traces=1 exhaustive=any flags=-O1
//
// Waiting for a flag without a bound: the flag is seen set, or the thread that looks too early is
// taken out of that execution.
#include <stdatomic.h>

#include "litmus.h"

atomic_int flag;
int data;

static void* writer(void* unused) {
  data = 42;
  atomic_store(&flag, 1);
  return unused;
}

static void* reader(void* unused) {
  while (!atomic_load(&flag)) {
  }
  assert(data == 42);
  return unused;
}

int main(void) {
  RUN(reader, writer);
  return 0;
}
