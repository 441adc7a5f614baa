// Ticket lock, bounded: each of N threads draws a ticket, looks at most twice whether it is its
// turn, and if so calls the next number; who looks in vain gives up.
//
// Executions (--racy): N! orders of drawing, times the ways to look. If the first m tickets are
// served: ticket t < m fails in one of t ways or not at all, t + 1; ticket m reads two numbers
// below m, not descending, C(m+1, 2); each later one two numbers up to m, C(m+2, 2). Summed over m:
// 2: 6, 3: 90, 4: 2520, 5: 115560.
#include <stdatomic.h>

#include "run.h"

#ifndef N
#define N 3
#endif

enum { looks = 2 };

_Atomic int next_ticket, now_serving;

static void* body(void* unused) {
  (void)unused;
  const int ticket = atomic_fetch_add(&next_ticket, 1);
  for (int i = 0; i < looks; i++) {
    if (atomic_load(&now_serving) == ticket) {
      atomic_store(&now_serving, ticket + 1);
      break;
    }
  }
  return 0;
}

int main(void) {
  run_all(N, body);
  return 0;
}
