// mazurka: verdict=verified traces=1 also=yes
//
// Four threads write four bytes of one word, and two write halves of another: different memory
// locations, so no data race.
#include "litmus.h"

char bytes[4];
uint16_t halves[2];

static void* write_byte(void* argument) {
  bytes[(intptr_t)argument] = 1;
  return 0;
}

static void* write_half(void* argument) {
  halves[(intptr_t)argument - 4] = 1;
  return 0;
}

int main(void) {
  RUN(write_byte, write_byte, write_byte, write_byte, write_half, write_half);
  assert(bytes[0] + bytes[1] + bytes[2] + bytes[3] + halves[0] + halves[1] == 6);
  return 0;
}
