// mazurka: verdict=verified traces=3 options="--racy" techniques="optimal source"
// broken: verdict=finding finding=assertion options="--racy" techniques="optimal source"
//
// The verification competition's atomic blocks are indivisible for accesses outside of them too.
// Broken: the same without a block.
#include <assert.h>
#include <pthread.h>

#ifdef BROKEN
#define __VERIFIER_atomic_begin()
#define __VERIFIER_atomic_end()
#else
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#endif

static volatile int number, flag;  // volatile: the compiler leaves no access out

static void* add(void* unused) {
  __VERIFIER_atomic_begin();
  flag = 1;
  number = number + 1;
  flag = 0;
  __VERIFIER_atomic_end();
  return unused;
}

static void* set(void* unused) {
  number = 10;
  assert(flag == 0);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, add, 0);
  pthread_create(&threads[1], 0, set, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(number == 10 || number == 11);
  return 0;
}
