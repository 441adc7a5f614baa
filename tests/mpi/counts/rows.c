#include "rows.h"

#define MOST 16
static int values[MOST * MOST];

/* N senders, and rank 0 receives from anywhere. */
static void anywhere(void) {
  for (int nth = 1; rank == 0 && nth < size; ++nth) receive_from(ANY);
  if (rank != 0) send_to(0);
}

/* The same, with all receives posted first. */
static void anywhere_posted_first(void) {
  MPI_Request requests[MOST];
  if (rank != 0) {
    send_to(0);
    return;
  }
  for (int nth = 0; nth + 1 < size; ++nth) {
    MPI_Irecv(&values[nth], 1, MPI_INT, ANY, 0, MPI_COMM_WORLD, &requests[nth]);
  }
  MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
}

/* The same, with a probe before each. */
static void probed(void) {
  for (int nth = 1; rank == 0 && nth < size; ++nth) {
    MPI_Status status;
    MPI_Probe(ANY, 0, MPI_COMM_WORLD, &status);
    receive_from(status.MPI_SOURCE);
  }
  if (rank != 0) send_to(0);
}

/* Named receives, and whichever is complete first. */
static void waitany(void) {
  MPI_Request requests[MOST];
  if (rank != 0) {
    send_to(0);
    return;
  }
  for (int nth = 0; nth + 1 < size; ++nth) {
    MPI_Irecv(&values[nth], 1, MPI_INT, nth + 1, 0, MPI_COMM_WORLD, &requests[nth]);
  }
  for (int nth = 0; nth + 1 < size; ++nth) {
    int which = 0;
    MPI_Waitany(size - 1, requests, &which, MPI_STATUS_IGNORE);
  }
}

static void named(void) {
  for (int nth = 1; rank == 0 && nth < size; ++nth) receive_from(nth);
  if (rank != 0) send_to(0);
}

static void alltoall(void) {
  MPI_Alltoall(values, 1, MPI_INT, values + MOST, 1, MPI_INT, MPI_COMM_WORLD);
}

static void alltoall_by_hand(void) {
  MPI_Request requests[2 * MOST];
  int count = 0;
  for (int other = 0; other < size; ++other) {
    MPI_Irecv(&values[other], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[count++]);
    MPI_Isend(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void any_tag(void) {
  MPI_Request requests[2];
  if (rank == 1) {
    MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  } else if (rank == 0) {
    MPI_Irecv(&values[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&values[1], 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
}

/* MESSAGES of each sender. */
static void several(void) {
#ifdef MESSAGES
  for (int nth = 0; rank == 0 && nth < MESSAGES * (size - 1); ++nth) receive_from(ANY);
  for (int nth = 0; rank != 0 && nth < MESSAGES; ++nth) send_to(0);
#endif
}

/* TASKS: the next one goes to whoever has answered. */
static void master_and_workers(void) {
#ifdef TASKS
  const int done = -1;
  if (rank == 0) {
    int given = 0;
    for (; given + 1 < size; ++given) {
      MPI_Send(&given, 1, MPI_INT, given + 1, 0, MPI_COMM_WORLD);
    }
    for (int answered = 0; answered < TASKS; ++answered) {
      const int worker = receive_from(ANY);
      const int* next = given < TASKS ? &given : &done;
      MPI_Send(next, 1, MPI_INT, worker, 0, MPI_COMM_WORLD);
      if (given < TASKS) ++given;
    }
  } else {
    for (receive_from(0); value != done; receive_from(0)) send_to(0);
  }
#endif
}

static void wildcard_steals(void) {
  if (rank == 0) {
    receive_from(ANY);
    receive_from(1);
  } else {
    send_to(0);
  }
}

static void posted_early(void) {
  MPI_Request request;
  if (rank == 0) {
    MPI_Irecv(&values[0], 1, MPI_INT, ANY, 0, MPI_COMM_WORLD, &request);
    receive_from(2);
    send_to(2);
    receive_from(ANY);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    send_to(0);
  } else {
    send_to(0);
    receive_from(0);
    send_to(0);
  }
}

static void head_to_head(void) {
  send_to(1 - rank);
  receive_from(1 - rank);
}

static void head_to_head_synchronous(void) {
  MPI_Ssend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  receive_from(1 - rank);
}

static void through_a_third(void) {
  if (rank == 0) {
    receive_from(ANY);
    receive_from(ANY);
  } else if (rank == 1) {
    send_to(0);
    send_to(2);
  } else {
    receive_from(1);
    send_to(0);
  }
}

static void broadcast_between(void) {
  if (rank == 0) receive_from(ANY);
  if (rank == 2) send_to(0);
  MPI_Bcast(values, 1, MPI_INT, 1, MPI_COMM_WORLD);
  if (rank == 1) send_to(0);
  if (rank == 0) receive_from(ANY);
}

static void tested_once(void) {
  MPI_Request request;
  int done = 0;
  if (rank == 1) {
    send_to(0);
    return;
  }
  MPI_Irecv(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  if (!done) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void two_receivers(void) {
  if (rank < 2) {
    receive_from(ANY);
    receive_from(ANY);
  } else {
    send_to(0);
    send_to(1);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  ROW();
  MPI_Finalize();
  return 0;
  /* All of them are used, whichever is chosen. */
  anywhere(), anywhere_posted_first(), probed(), waitany(), named(), alltoall(), alltoall_by_hand();
  any_tag(), several(), master_and_workers(), wildcard_steals(), posted_early(), head_to_head();
  head_to_head_synchronous(), through_a_third(), broadcast_between(), tested_once();
  two_receivers();
}
