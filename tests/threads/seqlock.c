// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=assertion
//
// A sequence lock: the reader tries again while the count is odd or has changed. Broken: it does
// not look at the count after it has read.
//
// The attempt that succeeds comes before all that the writer does, or after it: 2, and one more for
// each way to fail that leaves another value behind.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, first, second;

static void* writer(void* unused) {
  atomic_fetch_add(&sequence, 1);
  atomic_store(&first, 1);
  atomic_store(&second, 1);
  atomic_fetch_add(&sequence, 1);
  return unused;
}

static void* reader(void* unused) {
  int a, b;
  for (;;) {
    const int before = atomic_load(&sequence);
    if (before % 2 != 0) continue;
    a = atomic_load(&first);
    b = atomic_load(&second);
#ifdef BROKEN
    break;
#else
    if (atomic_load(&sequence) == before) break;
#endif
  }
  assert(a == b);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, writer, 0);
  pthread_create(&two, 0, reader, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
