// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=data_race traces=any
// message="with atomic_thread_fence in its place this does not happen"
//
// A message behind a relaxed flag, with a fence on either side. Broken: one of them is for signal
// handlers only.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define FENCE atomic_signal_fence
#else
#define FENCE atomic_thread_fence
#endif

static atomic_int sent;
static int message;

static void* send(void* unused) {
  message = 1;
  FENCE(memory_order_release);
  atomic_store_explicit(&sent, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, 0, send, 0);
  if (atomic_load_explicit(&sent, memory_order_relaxed)) {
    atomic_thread_fence(memory_order_acquire);
    assert(message == 1);
  }
  pthread_join(sender, 0);
  return 0;
}
