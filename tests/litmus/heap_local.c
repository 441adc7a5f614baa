// mazurka: verdict=verified traces=1
//
// Every thread allocates, fills, grows and frees memory of its own: nothing depends on anything.
#include <stdlib.h>
#include <string.h>

#include "litmus.h"

static void* body(void* unused) {
  (void)unused;
  char* text = malloc(8);
  strcpy(text, "1234567");
  text = realloc(text, 4096);
  assert(strcmp(text, "1234567") == 0);
  int* zeros = calloc(100, sizeof *zeros);
  for (int i = 0; i < 100; i++) assert(zeros[i] == 0);
  zeros[99] = 1;
  free(text);
  free(zeros);
  return 0;
}

int main(void) {
  RUN(body, body, body);
  return 0;
}
