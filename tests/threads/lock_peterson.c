// mazurka: verdict=verified traces=4
// broken: verdict=finding finding=data_race
//
// Peterson's lock, waiting as long as it takes. Broken: it gives way before it says that it wants
// to enter.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int wants[2], turn;
static int counter;

static void* body(void* number) {
  const int self = (int)(intptr_t)number;
#ifdef BROKEN
  atomic_store(&turn, 1 - self);
  atomic_store(&wants[self], 1);
#else
  atomic_store(&wants[self], 1);
  atomic_store(&turn, 1 - self);
#endif
  while (atomic_load(&wants[1 - self]) && atomic_load(&turn) == 1 - self) {
  }
  counter++;
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
