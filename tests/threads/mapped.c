// mazurka: verdict=verified traces=1 clang.O0=2
// broken: verdict=finding finding=memory_error
//
// Memory from mmap that no file stands behind is fresh in every execution. Broken: used after it
// was given back.
//
// Two additions, and nobody looks at what was there before: 1. (Code of clang that is not optimised
// does look.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static atomic_int* counter;

static void* body(void* unused) {
  atomic_fetch_add(counter, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  counter = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&thread, 0, body, 0);
  atomic_fetch_add(counter, 1);
#ifdef BROKEN
  munmap(counter, 4096);
#endif
  pthread_join(thread, 0);
#ifndef BROKEN
  assert(*counter == 2);
#endif
  return 0;
}
