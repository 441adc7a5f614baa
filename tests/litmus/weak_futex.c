// mazurka: verdict=verified traces=5 options="--memory rc11"
//   techniques="optimal source dpor sleep graphs"
// broken: verdict=finding finding=deadlock options="--memory rc11" techniques="optimal graphs"
//
// Whoever sets the flag wakes somebody only if somebody has said that it waits. A fence is needed
// between the two, on both sides. Broken: the waker has none. Its look at who waits may come before
// its write is seen: then nobody is woken, and the other one waits for ever.
//
// Traces: the flag is seen at once, and its writer finds nobody who waits, or somebody, whom it
// would wake; or it is not seen (then the writer finds somebody), and the system looks at it before
// it is written, or after that and before the wake, or after the wake.
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint flag;
static atomic_uint waiting;

static void* waiter(void* unused) {
  atomic_fetch_add_explicit(&waiting, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  while (atomic_load_explicit(&flag, memory_order_relaxed) == 0) {
    syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#ifndef BROKEN
  atomic_thread_fence(memory_order_seq_cst);
#endif
  if (atomic_load_explicit(&waiting, memory_order_relaxed) != 0) {
    syscall(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
  }
  pthread_join(thread, NULL);
  return 0;
}
