// mazurka: verdict=verified traces=6
//
// main starts a child and stores; the child starts a grandchild and stores; the grandchild stores.
// Each store comes after its thread was created, but no store orders another: 3! orders.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x;

static void* grandchild(void* unused) {
  (void)unused;
  x = 3;
  return 0;
}

static void* child(void* unused) {
  (void)unused;
  pthread_t thread;
  pthread_create(&thread, 0, grandchild, 0);
  x = 2;
  pthread_join(thread, 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, child, 0);
  x = 1;
  pthread_join(thread, 0);
  return 0;
}
