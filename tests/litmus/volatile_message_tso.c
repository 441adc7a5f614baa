// mazurka: verdict=verified traces=any options="--volatile atomic --memory tso" also=yes
// broken: verdict=finding finding=data_race traces=any options="--volatile atomic --memory tso"
//
// A message behind a volatile flag, with a fence on either side. Broken: the message is written
// behind the flag.
#include <assert.h>
#include <pthread.h>

static volatile int sent;
static int message;

static void* send(void* unused) {
#ifdef BROKEN
  sent = 1;
  message = 1;
#else
  message = 1;
  __sync_synchronize();
  sent = 1;
#endif
  return unused;
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, 0, send, 0);
  if (sent) {
    __sync_synchronize();
    assert(message == 1);
  }
  pthread_join(sender, 0);
  return 0;
}
