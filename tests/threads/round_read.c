// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=data_race traces=any
//
// A waiting thread looks at a message in each round, and tells when it has stopped; then another
// one writes a new message. Broken: it tells so with nothing behind it, and the two accesses race,
// if the thread has gone round at least once.
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) memory_order_##order
#endif

static atomic_int stop, stopped;
static volatile int message;

static void* stopper(void* unused) {
  atomic_store_explicit(&stop, 1, memory_order_relaxed);
  return unused;
}

static void* reader(void* unused) {
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) (void)message;
  atomic_store_explicit(&stopped, 1, ORDER(release));
  return unused;
}

static void* writer(void* unused) {
  if (atomic_load_explicit(&stopped, ORDER(acquire))) message = 1;
  return unused;
}

int main(void) {
  void* (*routines[])(void*) = {stopper, reader, writer};
  pthread_t threads[3];
  for (int at = 0; at < 3; ++at) pthread_create(&threads[at], 0, routines[at], 0);
  for (int at = 0; at < 3; ++at) pthread_join(threads[at], 0);
  return 0;
}
