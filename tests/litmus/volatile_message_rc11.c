// mazurka: verdict=verified traces=any options="--volatile atomic --memory rc11" also=yes
// broken: verdict=finding finding=data_race traces=any options="--volatile atomic --memory rc11"
//
// A message behind a volatile flag, with a fence on either side. Broken: the reader has none.
#include <assert.h>
#include <pthread.h>

static volatile int sent;
static int message;

static void* send(void* unused) {
  message = 1;
  __sync_synchronize();
  sent = 1;
  return unused;
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, 0, send, 0);
  if (sent) {
#ifndef BROKEN
    __sync_synchronize();
#endif
    assert(message == 1);
  }
  pthread_join(sender, 0);
  return 0;
}
