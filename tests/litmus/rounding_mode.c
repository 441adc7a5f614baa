// mazurka: verdict=verified traces=2 also=yes flags="-frounding-math -lm"
//
// How a thread rounds, and which floating-point exceptions it has met, is its own business; a new
// thread takes over how its creator rounds. The mutex is locked in two orders.
#include <assert.h>
#include <fenv.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static volatile double one = 1.0, three = 3.0, zero = 0.0, infinite;
static volatile long double long_one = 1.0L, long_three = 3.0L;

static void* downwards(void* unused) {
  assert(fegetround() == FE_UPWARD);  // the creator's
  fesetround(FE_DOWNWARD);
  feclearexcept(FE_ALL_EXCEPT);
  const double before = one / three;
  const long double long_before = long_one / long_three;
  pthread_mutex_lock(&mutex);
  assert(fegetround() == FE_DOWNWARD);
  assert(!fetestexcept(FE_DIVBYZERO));
  assert(one / three == before && long_one / long_three == long_before);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(fegetround() == FE_TONEAREST);  // not what the execution before has left
  assert(!fetestexcept(FE_DIVBYZERO));
  fesetround(FE_UPWARD);
  const double before = one / three;
  const long double long_before = long_one / long_three;
  pthread_create(&thread, 0, downwards, 0);
  assert(fegetround() == FE_UPWARD);
  infinite = one / zero;
  pthread_mutex_lock(&mutex);
  assert(fegetround() == FE_UPWARD);
  assert(fetestexcept(FE_DIVBYZERO));
  assert(one / three == before && long_one / long_three == long_before);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  assert(fegetround() == FE_UPWARD);
  return 0;
}
