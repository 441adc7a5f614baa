// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=assertion
//
// Each rank has its own of the memory in which the C library answers; what the next call of the
// same rank answers takes its place.
#include <time.h>

#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const time_t day = 86400;
  const time_t moment = rank * day;
  const time_t other = 5 * day;
  const struct tm* const date = gmtime(&moment);
  if (EITHER(1, 0)) gmtime(&other);
  MPI_Barrier(WORLD);
  assert(date->tm_mday == 1 + rank);
  const char* const words = asctime(date);
  MPI_Barrier(WORLD);
  assert(strncmp(words, rank == 0 ? "Thu Jan  1" : "Fri Jan  2", 10) == 0);
  return finish();
}
