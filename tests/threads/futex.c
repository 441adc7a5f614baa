// mazurka: verdict=verified traces=2
// broken: verdict=finding finding=deadlock
//
// The system call itself, as a flag that one waits for. Broken: nobody is woken.
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int flag;
static int data;

static void* body(void* unused) {
  data = 42;
  atomic_store(&flag, 1);
#ifndef BROKEN
  syscall(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  while (atomic_load(&flag) == 0) syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  assert(data == 42);
  pthread_join(thread, 0);
  return 0;
}
