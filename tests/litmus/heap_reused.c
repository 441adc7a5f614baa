// mazurka: verdict=verified traces=6
//
// A list under a mutex, nodes allocated by one thread and freed by another: memory that is used
// again is no data race. Two sections each in two threads: C(4, 2) orders.
#include <stdlib.h>

#include "litmus.h"

struct Node {
  struct Node* next;
  int value;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct Node* head;

static void* body(void* argument) {
  struct Node* node = malloc(sizeof *node);
  node->value = (int)(intptr_t)argument;
  pthread_mutex_lock(&mutex);
  node->next = head;
  head = node;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  node = head;
  head = node->next;
  pthread_mutex_unlock(&mutex);
  free(node);
  return 0;
}

int main(void) {
  RUN(body, body);
  assert(!head);
  return 0;
}
