// mazurka: verdict=error message="pthread_kill()"
// broken: verdict=error message="sigwait()"
//
// A signal that another thread has a handler for could come between any two of its instructions:
// that is refused, and (the second version) so is waiting for one that nobody has sent.
#include <pthread.h>
#include <signal.h>

static pthread_t first;
static void handle(int number) { (void)number; }

static void* body(void* unused) {
#ifdef BROKEN
  sigset_t set;
  int number = 0;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigwait(&set, &number);
#else
  pthread_kill(first, SIGUSR1);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  first = pthread_self();
  signal(SIGUSR1, handle);
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
  return 0;
}
