// What the programs of this folder share. Each is two: with -DBROKEN the one with the defect.
#ifndef PAIR_H_
#define PAIR_H_

#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef BROKEN
#define EITHER(broken, correct) broken
#else
#define EITHER(broken, correct) correct
#endif

#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE

static int rank;
static int size;

static inline void start(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(WORLD, &rank);
  MPI_Comm_size(WORLD, &size);
}

static inline int finish(void) {
  MPI_Finalize();
  return 0;
}

#endif  // PAIR_H_
