// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=data_race
//
// Lamport's bakery for two. Broken: nobody says that it is choosing its number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int choosing[2], number[2];
static int counter;

static void* body(void* argument) {
  const int self = (int)(intptr_t)argument, other = 1 - self;
#ifndef BROKEN
  atomic_store(&choosing[self], 1);
#endif
  atomic_store(&number[self], atomic_load(&number[other]) + 1);
  atomic_store(&choosing[self], 0);
  while (atomic_load(&choosing[other])) {
  }
  for (;;) {
    const int theirs = atomic_load(&number[other]);
    const int mine = atomic_load(&number[self]);
    if (theirs == 0 || mine < theirs || (mine == theirs && self < other)) break;
  }
  counter++;
  atomic_store(&number[self], 0);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], 0, body, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(counter == 2);
  return 0;
}
