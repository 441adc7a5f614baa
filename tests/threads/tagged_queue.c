// mazurka: verdict=verified traces=same techniques="optimal"
// broken: verdict=finding finding=assertion
//
// A Michael-Scott queue of indices with counters in the same word. Broken: the tail is not moved
// on, so that what was enqueued is not found.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef unsigned long long Tagged;
static struct {
  atomic_uint value;
  _Atomic Tagged next;
} nodes[8];
static _Atomic Tagged head, tail;
static unsigned free_node[2] = {2, 4}, taken[2];

static Tagged tagged(unsigned node, unsigned count) { return (Tagged)count << 32 | node; }
static unsigned node_of(Tagged word) { return (unsigned)word; }
static unsigned count_of(Tagged word) { return (unsigned)(word >> 32); }

static void enqueue(unsigned node, unsigned value) {
  atomic_store(&nodes[node].value, value);
  atomic_store(&nodes[node].next, tagged(0, 1));
  for (;;) {
    Tagged last = atomic_load(&tail);
    Tagged next = atomic_load(&nodes[node_of(last)].next);
    if (node_of(next) != 0) {
#ifndef BROKEN
      atomic_compare_exchange_strong(&tail, &last, tagged(node_of(next), count_of(last) + 1));
#else
      return;
#endif
    } else if (atomic_compare_exchange_strong(&nodes[node_of(last)].next, &next,
                                              tagged(node, count_of(next) + 1))) {
      atomic_compare_exchange_strong(&tail, &last, tagged(node, count_of(last) + 1));
      return;
    }
  }
}

static int dequeue(unsigned* value) {
  for (;;) {
    Tagged first = atomic_load(&head);
    Tagged last = atomic_load(&tail);
    const Tagged next = atomic_load(&nodes[node_of(first)].next);
    if (node_of(next) == 0) return 0;
    if (node_of(first) == node_of(last)) {
      atomic_compare_exchange_strong(&tail, &last, tagged(node_of(next), count_of(last) + 1));
    } else {
      *value = atomic_load(&nodes[node_of(next)].value);
      if (atomic_compare_exchange_strong(&head, &first, tagged(node_of(next), count_of(first) + 1)))
        return 1;
    }
  }
}

static void* body(void* argument) {
  const long me = (long)argument;
  enqueue(free_node[me], 100U + (unsigned)me);
  assert(dequeue(&taken[me]));
  return 0;
}

int main(void) {
  pthread_t thread;
  head = tail = tagged(1, 0);
  pthread_create(&thread, 0, body, (void*)1);
  body(0);
  pthread_join(thread, 0);
  assert(taken[0] + taken[1] == 201);
  return 0;
}
