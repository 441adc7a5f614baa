// mazurka: verdict=verified traces=2
// broken: verdict=finding finding=data_race
//
// What the C library's functions on strings read and write counts as the program's accesses.
// Broken: one of them does not hold the mutex.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char* text;

static void* body(void* unused) {
#ifndef BROKEN
  pthread_mutex_lock(&mutex);
#endif
  snprintf(text, 8, "%d", 42);
#ifndef BROKEN
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  text = strdup("a text");
  pthread_create(&thread, 0, body, 0);
  pthread_mutex_lock(&mutex);
  assert(strlen(text) == 6 || strcmp(text, "42") == 0);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  free(text);
  return 0;
}
