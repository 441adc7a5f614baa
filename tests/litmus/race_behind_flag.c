// mazurka: verdict=finding finding=data_race options="--memory sc"
//          techniques="optimal source-context source-context:chains optimal-context"
//
// As race_behind_sections.c, where a relaxed flag tells that d was written, and orders nothing.
#include <stdatomic.h>

#include "litmus.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int written;
static int d;

static void* write_first(void* unused) {
  d = 1;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  atomic_store_explicit(&written, 1, memory_order_relaxed);
  return unused;
}

static void* read_later(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  if (atomic_load_explicit(&written, memory_order_relaxed) == 0) return unused;
  volatile int seen = d;
  (void)seen;
  return unused;
}

int main(void) {
  RUN(write_first, read_later);
  return 0;
}
