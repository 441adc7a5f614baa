// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=assertion traces=any
// message="with atomic_thread_fence in its place this does not happen"
//
// Two threads that each say that they want something, and then look whether the other one does: a
// full fence between the two. Broken: fences for signal handlers, of which the report tells.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define FENCE atomic_signal_fence
#else
#define FENCE atomic_thread_fence
#endif

static atomic_int wants[2];
static int saw[2];

static void* look(void* own) {
  const int self = own != 0;
  atomic_store_explicit(&wants[self], 1, memory_order_relaxed);
  FENCE(memory_order_seq_cst);
  saw[self] = atomic_load_explicit(&wants[1 - self], memory_order_relaxed);
  return own;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, look, &other);
  look(0);
  pthread_join(other, 0);
  assert(saw[0] || saw[1]);
  return 0;
}
