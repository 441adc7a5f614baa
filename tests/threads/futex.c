// mazurka: verdict=verified traces=2 clang.O1.x86_64=any clang.O2.x86_64=any
// broken: verdict=finding finding=deadlock
//
// The system call itself, as a flag that one waits for. Broken: nobody is woken. (clang for x86-64
// peels the loop: its first look at the flag is at another place in the code than the later ones,
// and a round of it is not recognised as one. Then it is counted, too: 4.)
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
