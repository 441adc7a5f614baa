// mazurka: verdict=error message="pthread_kill()"
// broken: verdict=error message="sigwait()"
//
// Signals come from outside the scheduler: sending one to a thread is refused, and (the second
// version) so is waiting for one.
#include <pthread.h>
#include <signal.h>

static void* body(void* unused) {
#ifdef BROKEN
  sigset_t set;
  int number = 0;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigwait(&set, &number);
#else
  pthread_kill(pthread_self(), SIGUSR1);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
  return 0;
}
