// Performs a small random program, each rank of which has one thread or two, and tells what they
// have seen as the text of an assertion that fails, so that every outcome is a finding of its own.
//
// The program is its argument: ranks are divided by '/', threads by '|', operations by ','. An
// operation is a letter, a rank (-1: any) and a tag (-1: any); compare.py has the list.
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_seen = 16, max_threads = 2, max_ranks = 4 };

struct thread {
  char* operations;
  int number;
  int seen[max_seen + 1];  // the first says how many
};

static MPI_Comm own_world;

static int source_of(int number) { return number < 0 ? MPI_ANY_SOURCE : number; }
static int tag_of(int number) { return number < 0 ? MPI_ANY_TAG : number; }

static void see(struct thread* self, int value) { self->seen[++self->seen[0]] = value; }

static void take_message(struct thread* self, MPI_Message* message) {
  int value = 0;
  MPI_Mrecv(&value, 1, MPI_INT, message, MPI_STATUS_IGNORE);
  see(self, value);
}

static void perform(struct thread* self, char kind, int rank, int tag, int value) {
  MPI_Status status;
  MPI_Message message;
  MPI_Request request;
  int found = 0;
  int result = 0;
  switch (kind) {
    case 's': MPI_Send(&value, 1, MPI_INT, rank, tag, MPI_COMM_WORLD); break;
    case 'S': MPI_Ssend(&value, 1, MPI_INT, rank, tag, MPI_COMM_WORLD); break;
    case 'r':
      MPI_Recv(&result, 1, MPI_INT, source_of(rank), tag_of(tag), MPI_COMM_WORLD, &status);
      see(self, result);
      break;
    case 't':
      MPI_Irecv(&result, 1, MPI_INT, source_of(rank), tag_of(tag), MPI_COMM_WORLD, &request);
      MPI_Test(&request, &found, MPI_STATUS_IGNORE);
      see(self, found);
      if (!found) MPI_Wait(&request, MPI_STATUS_IGNORE);
      see(self, result);
      break;
    case 'p':
      MPI_Probe(source_of(rank), tag_of(tag), MPI_COMM_WORLD, &status);
      see(self, 10 * status.MPI_SOURCE + status.MPI_TAG);
      break;
    case 'q':
      MPI_Iprobe(source_of(rank), tag_of(tag), MPI_COMM_WORLD, &found, &status);
      see(self, found ? 10 * status.MPI_SOURCE + status.MPI_TAG : -1);
      break;
    case 'm':
      MPI_Improbe(source_of(rank), tag_of(tag), MPI_COMM_WORLD, &found, &message, &status);
      see(self, found);
      if (found) take_message(self, &message);
      break;
    case 'M':
      MPI_Mprobe(source_of(rank), tag_of(tag), MPI_COMM_WORLD, &message, &status);
      take_message(self, &message);
      break;
    case 'b':
      MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
      see(self, value);
      break;
    case 'a':
      MPI_Allreduce(&value, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      see(self, result);
      break;
    default: abort();
  }
}

static void* run(void* argument) {
  struct thread* self = argument;
  char* rest = self->operations;
  int nth = 0;
  for (char* one = strsep(&rest, ","); one != NULL && *one != 0; one = strsep(&rest, ",")) {
    char* end;
    const int rank = (int)strtol(one + 1, &end, 10);
    const int tag = *end == '.' ? (int)strtol(end + 1, &end, 10) : 0;
    perform(self, *one, rank, tag, 100 * self->number + ++nth);
  }
  return NULL;
}

static void tell(const int* seen, int ranks) {
  static char text[2048];
  int at = sprintf(text, "saw ");
  for (int thread = 0; thread < ranks * max_threads; ++thread) {
    const int* own = seen + thread * (max_seen + 1);
    at += sprintf(text + at, thread % max_threads != 0 ? "|" : thread == 0 ? "" : "/");
    for (int nth = 1; nth <= own[0]; ++nth) {
      at += sprintf(text + at, nth == 1 ? "%d" : ".%d", own[nth]);
    }
  }
  __assert_fail(text, text, 0, "tell");
}

int main(int argc, char** argv) {
  int level;
  int rank;
  int ranks;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_dup(MPI_COMM_WORLD, &own_world);
  char* rest = argv[1];
  char* text = strsep(&rest, "/");
  for (int before = 0; before < rank; ++before) text = strsep(&rest, "/");
  struct thread first = {strsep(&text, "|"), 2 * rank + 1, {0}};
  struct thread second = {text, 2 * rank + 2, {0}};
  pthread_t other;
  if (text != NULL) pthread_create(&other, NULL, run, &second);
  run(&first);
  if (text != NULL) pthread_join(other, NULL);
  int seen[max_threads * (max_seen + 1)];
  int all[max_ranks * max_threads * (max_seen + 1)];
  memcpy(seen, first.seen, sizeof first.seen);
  memcpy(seen + max_seen + 1, second.seen, sizeof second.seen);
  const int count = max_threads * (max_seen + 1);
  MPI_Gather(seen, count, MPI_INT, all, count, MPI_INT, 0, own_world);
  if (rank == 0) tell(all, ranks);
  MPI_Barrier(own_world);  // nobody is at its end before that
  return 0;
}
