// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=data_race traces=any flags=-O1
//
// A waiting thread looks at a counter in each round, and says when it needs it no longer: then it
// is set anew, by an ordinary write. Broken: nothing orders that after the last look.
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) memory_order_##order
#endif

static atomic_int stop, stopped, counter;

static void* stopper(void* unused) {
  atomic_store_explicit(&stop, 1, memory_order_relaxed);
  return unused;
}

static void* looker(void* unused) {
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    (void)atomic_load_explicit(&counter, memory_order_relaxed);
  }
  atomic_store_explicit(&stopped, 1, ORDER(release));
  return unused;
}

static void* setter(void* unused) {
  if (atomic_load_explicit(&stopped, ORDER(acquire))) *(volatile int*)&counter = 3;
  return unused;
}

int main(void) {
  void* (*routines[])(void*) = {stopper, looker, setter};
  pthread_t threads[3];
  for (int at = 0; at < 3; ++at) pthread_create(&threads[at], 0, routines[at], 0);
  for (int at = 0; at < 3; ++at) pthread_join(threads[at], 0);
  return 0;
}
