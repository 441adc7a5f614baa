// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=data_race traces=any
//
// Whoever initialises a mutex must be done before others use it. Broken: the flag that says so is
// relaxed.
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) memory_order_##order
#endif

static pthread_mutex_t guard;
static _Atomic int ready;

static void* set_up(void* unused) {
  pthread_mutex_init(&guard, 0);
  atomic_store_explicit(&ready, 1, ORDER(release));
  return unused;
}

static void* use(void* unused) {
  if (atomic_load_explicit(&ready, ORDER(acquire))) {
    pthread_mutex_lock(&guard);
    pthread_mutex_unlock(&guard);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, set_up, 0);
  pthread_create(&threads[1], 0, use, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
