// mazurka: verdict=error message="pipe()"
// broken: verdict=error message="standard input"
//
// Input that may have to be waited for would stop every thread: pipes are refused, and (the second
// version) so is reading from standard input.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void* body(void* unused) {
#ifdef BROKEN
  char buffer[8];
  if (read(0, buffer, sizeof buffer) < 0) return 0;
#else
  int ends[2];
  if (pipe(ends) != 0) return 0;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
  return 0;
}
