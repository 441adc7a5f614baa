// Treiber's stack: N threads push a node each, one more thread pops once, all by compare-and-swap
// on the top, reading it again after each failure.
//
// Executions (--racy, gcc without optimisation): 2: 16, 3: 552, as counted by four techniques that
// agree; there is no simple formula. The links between nodes add nothing: a node is linked before
// it is published and read after. But an attempt to push that is in vain has written one, and makes
// another execution (docs/threads.md, waiting loops).
#include <assert.h>
#include <stdatomic.h>

#include "run.h"

#ifndef N
#define N 2
#endif

struct Node {
  struct Node* next;
};

struct Node nodes[N];
struct Node* _Atomic top;

static void push(struct Node* node) {
  struct Node* expected;
  do {
    expected = atomic_load(&top);
    node->next = expected;
  } while (!atomic_compare_exchange_strong(&top, &expected, node));
}

static struct Node* pop(void) {
  struct Node* expected;
  do {
    expected = atomic_load(&top);
    if (!expected) return 0;
  } while (!atomic_compare_exchange_strong(&top, &expected, expected->next));
  return expected;
}

static void* body(void* argument) {
  const int i = number(argument);
  if (i < N) {
    push(&nodes[i]);
  } else {
    pop();
  }
  return 0;
}

int main(void) {
  run_all(N + 1, body);
  int left = 0;
  for (struct Node* node = atomic_load(&top); node; node = node->next) left++;
  assert(left == N || left == N - 1);
  return 0;
}
