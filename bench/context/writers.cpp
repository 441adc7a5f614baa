// N processes write each of VARIABLES variables; main reads them all at the end. lastwrite has one
// variable, abs two, lastwrite-2phases three, abs-2phases four. DIF: each process writes a value of
// its own, so that no two writes commute.
//
// Optimal (--racy): (N!)^VARIABLES; observers: N^VARIABLES; one execution is enough without DIF.
#include "run.hpp"

#ifndef N
#define N 4
#endif
#ifndef VARIABLES
#define VARIABLES 1
#endif
#ifdef DIF
#define VALUE(i) ((i) + 1)
#else
#define VALUE(i) ((void)(i), 1)
#endif

int a;
#if VARIABLES > 1
int b;
#endif
#if VARIABLES > 2
int c;
#endif
#if VARIABLES > 3
int d;
#endif

int main() {
  run_all(N, [](int i) {
    a = VALUE(i);
#if VARIABLES > 1
    b = VALUE(i);
#endif
#if VARIABLES > 2
    c = VALUE(i);
#endif
#if VARIABLES > 3
    d = VALUE(i);
#endif
  });
  int sum = a;
#if VARIABLES > 1
  sum += b;
#endif
#if VARIABLES > 2
  sum += c;
#endif
#if VARIABLES > 3
  sum += d;
#endif
  return sum == 0;
}
