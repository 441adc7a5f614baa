// mazurka: verdict=verified traces=4
// broken: verdict=finding finding=data_race
//
// A test-and-test-and-set spin lock around a plain counter. Broken: test and set are two steps.
//
// Two orders; in each, the second finds the lock free before the first takes it, or after that has
// given it back, and takes it then: 4.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void acquire(void) {
#ifdef BROKEN
  while (atomic_load(&lock) != 0) {
  }
  atomic_store(&lock, 1);
#else
  for (;;) {
    while (atomic_load(&lock) != 0) {
    }
    if (atomic_exchange(&lock, 1) == 0) return;
  }
#endif
}

static void* body(void* unused) {
  acquire();
  counter++;
  atomic_store(&lock, 0);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, body, 0);
  pthread_create(&two, 0, body, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(counter == 2);
  return 0;
}
