// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=livelock
//
// A thread sets a bit again and again until it sees a flag; another one sets the same bit, and then
// the flag. A round that sets what is set already changes nothing, in whichever order the two have
// set it. Broken: nobody sets the flag.
//
// How often the first thread looks at the flag before it is set does not count. But it has set the
// bit or not; and there may be more, for what unoptimised code leaves on the stack.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint bits;
static atomic_int flag;

static void* waits(void* unused) {
  while (atomic_load(&flag) == 0) atomic_fetch_or(&bits, 1);
  return unused;
}

static void* tells(void* unused) {
  atomic_fetch_or(&bits, 3);
#ifndef BROKEN
  atomic_store(&flag, 1);
#endif
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, waits, 0);
  pthread_create(&two, 0, tells, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(bits == 3);
  return 0;
}
