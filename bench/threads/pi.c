// Pi: each of N threads integrates its part of 4 / (1 + x^2) and adds it to a common sum, which a
// mutex protects.
//
// Executions (--racy): N!, the orders of the N critical sections. 4: 24, 8: 40320.
#include "run.h"

#ifndef N
#define N 4
#endif

enum { intervals = 64 };

double sum;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* integrate(void* argument) {
  const double width = 1.0 / intervals;
  double part = 0;
  for (int i = number(argument); i < intervals; i += N) {
    const double x = (i + 0.5) * width;
    part += width * 4 / (1 + x * x);
  }
  pthread_mutex_lock(&mutex);
  sum += part;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  run_all(N, integrate);
  return sum > 3.14 && sum < 3.15 ? 0 : 1;
}
