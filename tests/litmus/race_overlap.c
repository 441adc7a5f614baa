// mazurka: verdict=finding finding=data_race traces=1 options="--keep-going"
//
// A byte inside a word that another thread writes as a whole: the accesses overlap, a data race.
#include <string.h>

#include "litmus.h"

union {
  uint32_t word;
  char bytes[4];
} shared;

static void* write_word(void* unused) {
  (void)unused;
  shared.word = 1;
  return 0;
}

static void* write_byte(void* unused) {
  (void)unused;
  shared.bytes[2] = 1;
  return 0;
}

int main(void) {
  RUN(write_word, write_byte);
  return 0;
}
