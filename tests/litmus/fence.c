// mazurka: verdict=verified traces=3
//
// store_buffer.c with relaxed accesses and fences. Everything is sequentially consistent here, so a
// fence orders nothing more, and two fences do not depend on each other.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x, y;
int seen_x, seen_y;

static void* one(void* unused) {
  (void)unused;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  seen_y = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}

static void* two(void* unused) {
  (void)unused;
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  seen_x = atomic_load_explicit(&x, memory_order_relaxed);
  return 0;
}

int main(void) {
  RUN(one, two);
  assert(seen_x || seen_y);
  return 0;
}
