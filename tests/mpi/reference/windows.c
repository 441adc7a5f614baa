// Performs an abstract program of one-sided operations (windows.py) that stands on its command
// line, rank r what is written for rank r, and tells what every rank has seen, as a failed
// assertion: each outcome is a finding of its own.
//
// There are two windows, both of rank 0. The first is open to all from beginning to end; the second
// is locked by whoever uses it.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { places = 4, max_results = 32, record_length = 40 };

static int atomics[places];
static int locked[places];
static MPI_Win first;
static MPI_Win second;
static int results[max_results];
static int result_count;
static int first_unseen;
static int operands[max_results][2];
static int operand_count;
static int record[record_length];

static void see(int value) { record[++record[0]] = value; }

static void see_results(void) {
  while (first_unseen < result_count) see(results[first_unseen++]);
}

static void perform(const char* kind, const int* w) {
  int* const own = operands[operand_count++];
  own[0] = w[1];
  own[1] = w[2];
  if (strcmp(kind, "add") == 0) {
    MPI_Accumulate(own, 1, MPI_INT, 0, w[0], 1, MPI_INT, MPI_SUM, first);
  } else if (strcmp(kind, "put") == 0) {
    MPI_Put(own, 1, MPI_INT, 0, w[0], 1, MPI_INT, second);
  } else if (strcmp(kind, "get") == 0) {
    MPI_Get(&results[result_count++], 1, MPI_INT, 0, w[0], 1, MPI_INT, second);
  } else if (strcmp(kind, "wput") == 0) {
    MPI_Put(own, 1, MPI_INT, 0, w[0], 1, MPI_INT, first);
  } else if (strcmp(kind, "wget") == 0) {
    MPI_Get(&results[result_count++], 1, MPI_INT, 0, w[0], 1, MPI_INT, first);
  } else if (strcmp(kind, "load") == 0) {
    see(atomics[w[0]]);
  } else if (strcmp(kind, "store") == 0) {
    atomics[w[0]] = w[1];
  } else if (strcmp(kind, "fadd") == 0) {
    MPI_Fetch_and_op(own, &results[result_count++], MPI_INT, 0, w[0], MPI_SUM, first);
  } else if (strcmp(kind, "swap") == 0) {
    MPI_Fetch_and_op(own, &results[result_count++], MPI_INT, 0, w[0], MPI_REPLACE, first);
  } else if (strcmp(kind, "read") == 0) {
    MPI_Fetch_and_op(NULL, &results[result_count++], MPI_INT, 0, w[0], MPI_NO_OP, first);
  } else if (strcmp(kind, "cas") == 0) {
    MPI_Compare_and_swap(&own[0], &own[1], &results[result_count++], MPI_INT, 0, w[0], first);
  } else if (strcmp(kind, "flush") == 0) {
    MPI_Win_flush(0, first);
    see_results();
  } else if (strcmp(kind, "lock") == 0) {
    MPI_Win_lock(w[0] ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 0, 0, second);
  } else if (strcmp(kind, "unlock") == 0) {
    MPI_Win_flush(0, first);
    MPI_Win_unlock(0, second);
    see_results();
  } else if (strcmp(kind, "send") == 0) {
    MPI_Send(NULL, 0, MPI_INT, w[0], 0, MPI_COMM_WORLD);
  } else if (strcmp(kind, "recv") == 0) {
    MPI_Recv(NULL, 0, MPI_INT, w[0], 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void perform_all(char* text, int rank) {
  char* own = strsep(&text, "/");
  while (rank-- > 0) own = strsep(&text, "/");
  while (own != NULL && *own != '\0') {
    char* words = strsep(&own, ",");
    const char* kind = strsep(&words, ".");
    int w[3] = {0, 0, 0};
    for (int i = 0; words != NULL; ++i) w[i] = atoi(strsep(&words, "."));
    perform(kind, w);
  }
}

static void tell(const int* records, int size) {
  static char text[4096];
  int at = 0;
  for (int rank = 0; rank < size; ++rank) {
    const int* own = records + rank * record_length;
    at += sprintf(text + at, rank == 0 ? "saw " : "/");
    for (int i = 1; i <= own[0]; ++i) at += sprintf(text + at, i == 1 ? "%d" : ".%d", own[i]);
  }
  __assert_fail(text, text, 0, "tell");
}

int main(int argc, char** argv) {
  static int records[8 * record_length];
  int rank;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_create(atomics, sizeof atomics, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &first);
  MPI_Win_create(locked, sizeof locked, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &second);
  MPI_Win_lock_all(0, first);
  perform_all(argv[1], rank);
  MPI_Win_unlock_all(first);
  see_results();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    for (int i = 0; i < places; ++i) see(atomics[i]);
    for (int i = 0; i < places; ++i) see(locked[i]);
  }
  MPI_Gather(record, record_length, MPI_INT, records, record_length, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) tell(records, size);
  MPI_Barrier(MPI_COMM_WORLD);  // nobody is at its end before that
  MPI_Finalize();
  return 0;
}
