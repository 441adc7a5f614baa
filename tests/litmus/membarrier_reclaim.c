// mazurka: verdict=verified traces=any techniques="optimal source dpor sleep"
// broken: verdict=finding finding=data_race traces=any techniques="optimal source dpor sleep"
//
// A reader says that it reads, without a fence of its own; who takes a node away has the system
// fence everybody, and gives the node back if nobody reads, after another such fence. Broken:
// without looking whether somebody reads.
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int* _Atomic published;
static atomic_int reading;
static int sum;

static void* reader(void* unused) {
  atomic_store_explicit(&reading, 1, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  int* node = atomic_load_explicit(&published, memory_order_relaxed);
  if (node != 0) sum = *node;
  atomic_signal_fence(memory_order_seq_cst);
  atomic_store_explicit(&reading, 0, memory_order_relaxed);
  return unused;
}

static int fence_everybody(void) {
  return (int)syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
}

int main(void) {
  int* node = calloc(1, sizeof *node);
  atomic_store(&published, node);
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) != 0) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  atomic_store_explicit(&published, 0, memory_order_relaxed);
  if (fence_everybody() != 0) return 1;
#ifdef BROKEN
  const int safe = 1;
#else
  const int safe = !atomic_load_explicit(&reading, memory_order_relaxed);
#endif
  if (fence_everybody() != 0) return 1;
  if (safe) free(node);
  pthread_join(thread, 0);
  if (!safe) free(node);
  return 0;
}
