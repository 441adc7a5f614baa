// mazurka: verdict=verified traces=any options="--memory sc"
// broken: verdict=finding finding=data_race traces=any flags=-O1 options="--memory sc"
//
// A waiting thread writes to a flag the value that it has just read there. That changes nothing,
// and yet whoever acquires from the flag may then miss what was released with it: there is no data
// race as long as the thread says what it has learnt. Broken: it writes it with nothing behind it,
// and the message is an ordinary variable: that is a data race also if memory is sequentially
// consistent.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) memory_order_##order
#endif

static int message;
static atomic_int ready, stop, stopped;

static void* sender(void* unused) {
  message = 1;
  atomic_store_explicit(&ready, 1, memory_order_release);
  atomic_store_explicit(&stop, 1, memory_order_relaxed);
  return unused;
}

static void* refresher(void* unused) {
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    if (atomic_load_explicit(&ready, ORDER(acquire)) == 1) {
      atomic_store_explicit(&ready, 1, ORDER(release));
    }
  }
  atomic_store_explicit(&stopped, 1, memory_order_relaxed);
  return unused;
}

static void* receiver(void* unused) {
  if (atomic_load_explicit(&stopped, memory_order_relaxed) &&
      atomic_load_explicit(&ready, memory_order_acquire) == 1) {
    assert(message == 1);
  }
  return unused;
}

int main(void) {
  void* (*routines[])(void*) = {sender, refresher, receiver};
  pthread_t threads[3];
  for (int at = 0; at < 3; ++at) pthread_create(&threads[at], 0, routines[at], 0);
  for (int at = 0; at < 3; ++at) pthread_join(threads[at], 0);
  return 0;
}
