// mazurka: verdict=verified traces=6
// broken: verdict=finding finding=livelock
//
// A ticket lock, three threads. Broken: whoever leaves calls its own number again.
//
// The order in which they draw their tickets decides all else, if nobody looks in vain: 3!.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

// Not static: the compiler would see that broken tickets are never called, and loop for nothing.
atomic_int next_ticket, serving;
static int counter;

static void* body(void* unused) {
  const int ticket = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load(&serving) != ticket) {
  }
  counter++;
#ifdef BROKEN
  atomic_store(&serving, ticket);
#else
  atomic_store(&serving, ticket + 1);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, body, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(counter == 3);
  return 0;
}
