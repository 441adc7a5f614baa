// mazurka: verdict=verified traces=any options="--memory rc11" graphs=7
//   techniques="optimal source dpor sleep graphs"
// broken: verdict=finding finding=assertion options="--memory rc11" techniques="optimal graphs"
//
// A seq_cst store, a section, and in another thread a section after it and a seq_cst load of
// another variable. The lock orders the two, so they are in the one order of all seq_cst operations
// (C++20: the store strongly happens before the load), and what is store buffering with one more
// thread can not happen. Broken: the store is only a release, and in no such order.
//
// Graphs: either section first; y is read before or after it is written, x too. That b comes second
// and both are read before they are written is forbidden: 2 * 4 - 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ORDER memory_order_release
#else
#define ORDER memory_order_seq_cst
#endif

static atomic_int x, y;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int first, second, seen_x, seen_y;

static void* a(void* unused) {
  atomic_store_explicit(&x, 1, ORDER);
  pthread_mutex_lock(&mutex);
  first = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* b(void* unused) {
  pthread_mutex_lock(&mutex);
  second = first;
  pthread_mutex_unlock(&mutex);
  seen_y = atomic_load(&y);
  return unused;
}

static void* c(void* unused) {
  atomic_store(&y, 1);
  seen_x = atomic_load(&x);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, a, 0);
  pthread_create(&threads[1], 0, b, 0);
  pthread_create(&threads[2], 0, c, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(!(second && !seen_y && !seen_x));
  return 0;
}
