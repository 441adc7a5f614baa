// Rank 0 hands out tasks, one at a time, to whoever has answered; the others square numbers.
//
// Who does which task is a matter of time, and all ways are explored. With -DHASTY the master tells
// a worker to stop as soon as no task is left, and believes that this was its last answer: the
// answers of the others are then in the way of the receive for the statistics.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

enum { tasks = 4 };
enum { task_tag, stop_tag, answer_tag, total_tag };

static void master(int workers) {
  int sum = 0;
  int sent = 0;
  for (int worker = 1; worker <= workers && sent < tasks; ++worker) {
    MPI_Send(&sent, 1, MPI_INT, worker, task_tag, MPI_COMM_WORLD);
    ++sent;
  }
  for (int answers = 0; answers < tasks; ++answers) {
    int square;
    MPI_Status status;
    MPI_Recv(&square, 1, MPI_INT, MPI_ANY_SOURCE, answer_tag, MPI_COMM_WORLD, &status);
    sum += square;
    if (sent < tasks) {
      MPI_Send(&sent, 1, MPI_INT, status.MPI_SOURCE, task_tag, MPI_COMM_WORLD);
      ++sent;
    }
#ifdef HASTY
    else {
      int done;
      MPI_Send(&sent, 0, MPI_INT, status.MPI_SOURCE, stop_tag, MPI_COMM_WORLD);
      MPI_Recv(&done, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      assert(status.MPI_TAG == total_tag);
    }
#endif
  }
  assert(sum == 0 + 1 + 4 + 9);
#ifndef HASTY
  int total = 0;
  for (int worker = 1; worker <= workers; ++worker) {
    int done;
    MPI_Send(&sent, 0, MPI_INT, worker, stop_tag, MPI_COMM_WORLD);
    MPI_Recv(&done, 1, MPI_INT, worker, total_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    total += done;
  }
  assert(total == tasks);
#endif
}

static void worker(void) {
  int done = 0;
  while (1) {
    int number;
    MPI_Status status;
    MPI_Recv(&number, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == stop_tag) break;
    number *= number;
    MPI_Send(&number, 1, MPI_INT, 0, answer_tag, MPI_COMM_WORLD);
    ++done;
  }
  MPI_Send(&done, 1, MPI_INT, 0, total_tag, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int rank;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    master(size - 1);
  } else {
    worker();
  }
  MPI_Finalize();
  return 0;
}
