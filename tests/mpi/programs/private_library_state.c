// mazurka: ranks=3 verdict=verified executions=4
//
// What the C library remembers (where strtok and getopt are, what rand has drawn) is every rank's
// own.
#include <stdio.h>
#include <unistd.h>

#include "pair.h"

static void parse(void) {
  char program[] = "program";
  char option[] = "-n";
  char value[2] = {(char)('1' + rank), 0};
  char* words[] = {program, option, value, NULL};
  int found = 0;
  int one;
  while ((one = getopt(3, words, "n:")) != -1) {
    assert(one == 'n');
    found = atoi(optarg);
  }
  assert(found == rank + 1 && optind == 3);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  char text[16];
  srand(7);
  const int drawn = rand();
  sprintf(text, "%d,%d,%d", rank, rank + 1, rank + 2);
  assert(atoi(strtok(text, ",")) == rank);
  MPI_Barrier(WORLD);
  assert(atoi(strtok(NULL, ",")) == rank + 1);
  parse();
  if (rank == 0) {
    for (int i = 1; i < size; ++i) MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
  } else {
    for (int i = 0; i < 1; ++i) MPI_Send(NULL, 0, MPI_INT, 0, 0, WORLD);
  }
  assert(atoi(strtok(NULL, ",")) == rank + 2 && strtok(NULL, ",") == NULL);
  srand(7);
  assert(rand() == drawn);
  return finish();
}
