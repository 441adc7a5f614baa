// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=data_race traces=any flags=-O1
//
// A waiting thread looks into a node in each round; whoever has seen that it has stopped gives the
// node back. Broken: the thread may have looked into it afterwards, for all that is known.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) memory_order_##order
#endif

struct node {
  atomic_int value;
};
static struct node* node;
static atomic_int stop, stopped;
static int freed;

static void* stopper(void* unused) {
  atomic_store_explicit(&stop, 1, memory_order_relaxed);
  return unused;
}

static void* looker(void* unused) {
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    (void)atomic_load_explicit(&node->value, memory_order_relaxed);
  }
  atomic_store_explicit(&stopped, 1, ORDER(release));
  return unused;
}

static void* owner(void* unused) {
  if (atomic_load_explicit(&stopped, ORDER(acquire))) {
    free(node);
    freed = 1;
  }
  return unused;
}

int main(void) {
  node = calloc(1, sizeof *node);
  void* (*routines[])(void*) = {stopper, looker, owner};
  pthread_t threads[3];
  for (int at = 0; at < 3; ++at) pthread_create(&threads[at], 0, routines[at], 0);
  for (int at = 0; at < 3; ++at) pthread_join(threads[at], 0);
  if (!freed) free(node);
  return 0;
}
