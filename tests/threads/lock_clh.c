// mazurka: verdict=verified traces=2
// broken: verdict=finding finding=data_race
//
// The queue lock of Craig, Landin and Hagersten: everybody waits on the flag of the one before.
// Broken: the flag is raised only after lining up.
//
// The order in which they line up decides all else, if nobody looks in vain: 2.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct {
  atomic_int busy;
} Node;

static Node nodes[3];  // the last one is where the queue begins
static _Atomic(Node*) tail = &nodes[2];
static int counter;

static void* body(void* number) {
  Node* self = &nodes[(intptr_t)number];
#ifndef BROKEN
  atomic_store(&self->busy, 1);
#endif
  Node* before = atomic_exchange(&tail, self);
#ifdef BROKEN
  atomic_store(&self->busy, 1);
#endif
  while (atomic_load(&before->busy)) {
  }
  counter++;
  atomic_store(&self->busy, 0);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], 0, body, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(counter == 2);
  return 0;
}
