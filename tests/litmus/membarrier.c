// mazurka: verdict=verified traces=any graphs=no techniques="optimal source dpor sleep"
// broken: verdict=finding finding=assertion traces=any techniques="optimal source dpor sleep"
//
// Of two threads each says that it wants something, and looks whether the other one does. The
// second makes the system fence both, so the first need only tell the compiler. Broken: it does
// not.
#include <assert.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int first_wants, second_wants;
static int first_saw, second_saw;

static void* first(void* unused) {
  atomic_store_explicit(&first_wants, 1, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  first_saw = atomic_load_explicit(&second_wants, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) != 0) return 1;
  pthread_create(&thread, 0, first, 0);
  atomic_store_explicit(&second_wants, 1, memory_order_relaxed);
#ifndef BROKEN
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) != 0) return 1;
#endif
  second_saw = atomic_load_explicit(&first_wants, memory_order_relaxed);
  pthread_join(thread, 0);
  assert(first_saw || second_saw);
  return 0;
}
