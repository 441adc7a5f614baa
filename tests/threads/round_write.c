// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=data_race traces=any
//
// A waiting thread clears a variable in each round, which is 0 anyway: another one, to which it has
// told that it waits no longer, reads it. Broken: that tells the other one nothing else.
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) memory_order_##order
#endif

static atomic_int stop, stopped;
static volatile int tries;

static void* stopper(void* unused) {
  atomic_store_explicit(&stop, 1, memory_order_relaxed);
  return unused;
}

static void* clearer(void* unused) {
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) tries = 0;
  atomic_store_explicit(&stopped, 1, ORDER(release));
  return unused;
}

static void* reader(void* unused) {
  if (atomic_load_explicit(&stopped, ORDER(acquire)) && tries != 0) return &stop;
  return unused;
}

int main(void) {
  void* (*routines[])(void*) = {stopper, clearer, reader};
  pthread_t threads[3];
  for (int at = 0; at < 3; ++at) pthread_create(&threads[at], 0, routines[at], 0);
  for (int at = 0; at < 3; ++at) pthread_join(threads[at], 0);
  return 0;
}
