// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=data_race traces=any
//
// A variable is read plainly, then atomically, and then written atomically by another process. The
// write goes well with the atomic read, whatever orders them; the plain one must come before it.
// Broken: nothing says so, for the flag between them is relaxed.
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) memory_order_##order
#endif

static _Atomic int shared, passed;

static void* reader(void* unused) {
  int seen = *(int*)&shared;
  seen += atomic_load_explicit(&shared, memory_order_relaxed);
  atomic_store_explicit(&passed, 1, ORDER(release));
  return seen == 7 ? &shared : unused;
}

static void* writer(void* unused) {
  while (atomic_load_explicit(&passed, ORDER(acquire)) == 0) {
  }
  atomic_store_explicit(&shared, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, writer, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
