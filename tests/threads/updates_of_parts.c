// mazurka: verdict=verified traces=2 graphs=no
// broken: verdict=finding finding=assertion graphs=no
//
// One thread adds to a number, another to the lowest byte of it, and nobody looks at what was there
// before. The carry makes the order matter: 255 becomes 0 and then 1, or 256 and then 257. Broken:
// expects that it is as with two additions to the number.
#include <assert.h>
#include <pthread.h>

static unsigned x = 255;

static void* add(void* unused) {
  __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
  return unused;
}

static void* add_to_byte(void* unused) {
  __atomic_fetch_add((unsigned char*)&x, 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, add, 0);
  pthread_create(&two, 0, add_to_byte, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
#ifdef BROKEN
  assert(x == 257);
#else
  assert(x == 1 || x == 257);
#endif
  return 0;
}
