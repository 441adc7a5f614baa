// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=livelock
//
// Dekker's lock. Broken: who leaves keeps the turn.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

// Not static: the compiler would see that the broken turn never changes, and loop for nothing.
atomic_int wants[2], turn;
static int counter;

static void* body(void* number) {
  const int self = (int)(intptr_t)number;
  atomic_store(&wants[self], 1);
  while (atomic_load(&wants[1 - self])) {
    if (atomic_load(&turn) != self) {
      atomic_store(&wants[self], 0);
      while (atomic_load(&turn) != self) {
      }
      atomic_store(&wants[self], 1);
    }
  }
  counter++;
#ifndef BROKEN
  atomic_store(&turn, 1 - self);
#endif
  atomic_store(&wants[self], 0);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], 0, body, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(counter == 2);
  return 0;
}
