// mazurka: verdict=error message="fork()"
// broken: verdict=error message="sem_open()"
//
// Another process is out of reach: fork is refused, and (the second version) so are semaphores
// with a name, which are there to be shared with one.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static void* body(void* unused) {
#ifdef BROKEN
  sem_open("/mazurka-test", O_CREAT, 0600, 1);
#else
  if (fork() == 0) _exit(0);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
  return 0;
}
