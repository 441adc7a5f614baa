// A client sends a request over a line that may lose it, and sends it again if so. What the line
// does is not up to the scheduler, so the program says so: mazurka_choose(2) is 0 or 1, and both
// are explored wherever it is called.
//
// The server counts requests, and a reply may be lost too: then the same request is counted twice.
#include <assert.h>
#include <mazurka/mazurka.h>
#include <pthread.h>

enum { attempts = 2 };

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counted[2];  // per client: how often the server has seen its request

static int lost(void) { return mazurka_choose(2); }

// Whether the client got a reply.
static int request(int client) {
  if (lost()) return 0;
  pthread_mutex_lock(&mutex);
  counted[client]++;
  pthread_mutex_unlock(&mutex);
  return !lost();
}

static void* client(void* argument) {
  const int self = *(const int*)argument;
  for (int i = 0; i < attempts; i++) {
    if (request(self)) break;
  }
  return 0;
}

int main(void) {
  static const int numbers[] = {0, 1};
  pthread_t one, two;
  pthread_create(&one, 0, client, (void*)&numbers[0]);
  pthread_create(&two, 0, client, (void*)&numbers[1]);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(counted[0] <= 1 && counted[1] <= 1);
  return 0;
}
