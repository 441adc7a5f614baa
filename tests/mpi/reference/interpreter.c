// Performs an abstract MPI program (program.py) that stands on its command line, rank r what is
// written for rank r, and tells what every rank has seen: as a failed assertion, so that each
// outcome is a finding of its own; with another MPI on stdout.
//
// Each operation has a line of its own below (BEGIN_OF_OPERATIONS + 1 + its index): where a rank
// waits in a deadlock says which of its operations it is at.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  max_operations = 24,
  max_words = 16,
  max_log = 62,
  record_length = 64,
  first_other_tag = 1000
};

typedef struct {
  char kind[16];
  int words[max_words];
  int count;
} Operation;

static Operation operations[max_operations];
static int operation_count;
static MPI_Request requests[max_operations];
static int sent[max_operations];
static int received[max_operations];
static int is_receive[max_operations];
static int record[record_length];  // how many values were seen, and these
static int last;
static int probed_source = -1;
static int probed_tag = -1;
static MPI_Comm other = MPI_COMM_NULL;
static char bsend_buffer[max_operations * (MPI_BSEND_OVERHEAD + 64)];

static void see(int value) {
  last = value;
  if (record[0] < max_log) record[++record[0]] = value;
}

static int number_of(const char* word) {
  static const char* const modes[] = {"std", "sync", "buf"};
  for (int mode = 0; mode < 3; ++mode) {
    if (strcmp(word, modes[mode]) == 0) return mode;
  }
  return atoi(word);
}

static void read_operation(char* text) {
  Operation* one = &operations[operation_count++];
  char* rest = text;
  strcpy(one->kind, strsep(&rest, "."));
  while (rest != NULL) one->words[one->count++] = number_of(strsep(&rest, "."));
}

static void read_program(char* text, int rank) {
  char* own = strsep(&text, "/");
  while (rank-- > 0) own = strsep(&text, "/");
  if (own == NULL || strcmp(own, "none") == 0) return;
  while (own != NULL) read_operation(strsep(&own, ","));
}

static int source_of(int word) { return word < 0 ? MPI_ANY_SOURCE : word; }
static int tag_of(int word) { return word < 0 ? MPI_ANY_TAG : word % first_other_tag; }
static int is_other(int word) { return word >= first_other_tag || word == -2; }
static MPI_Comm comm_of(int word) { return is_other(word) ? other : MPI_COMM_WORLD; }
static int word_of(int tag, MPI_Comm comm) { return comm == other ? tag + first_other_tag : tag; }

// A request that was found complete.
static void complete(int index) {
  if (is_receive[index]) see(received[index]);
  is_receive[index] = 0;
}

#define IS(name) (strcmp(one->kind, name) == 0)
#define ENVELOPE(to) 1, MPI_INT, w[1 + (to)], tag_of(w[2 + (to)]), comm_of(w[2 + (to)])
#define PERFORM(n)                                                                               \
  case n: {                                                                                      \
    const Operation* one = &operations[n];                                                       \
    const int* w = one->words;                                                                   \
    int flag = 0;                                                                                \
    int index = 0;                                                                               \
    MPI_Status status;                                                                           \
    ++at;                                                                                        \
    if (IS("send") || IS("isend")) sent[n] = w[3];                                               \
    if (IS("send") && w[0] == 0) MPI_Send(&sent[n], ENVELOPE(0));                                \
    if (IS("send") && w[0] == 1) MPI_Ssend(&sent[n], ENVELOPE(0));                               \
    if (IS("send") && w[0] == 2) MPI_Bsend(&sent[n], ENVELOPE(0));                               \
    if (IS("isend") && w[0] == 0) MPI_Isend(&sent[n], ENVELOPE(0), &requests[n]);                \
    if (IS("isend") && w[0] == 1) MPI_Issend(&sent[n], ENVELOPE(0), &requests[n]);               \
    if (IS("isend") && w[0] == 2) MPI_Ibsend(&sent[n], ENVELOPE(0), &requests[n]);               \
    if (IS("recv")) {                                                                            \
      MPI_Recv(&received[n], 1, MPI_INT, source_of(w[0]), tag_of(w[1]), comm_of(w[1]), &status); \
      see(received[n]);                                                                          \
    } else if (IS("irecv")) {                                                                    \
      is_receive[n] = 1;                                                                         \
      MPI_Irecv(&received[n], 1, MPI_INT, source_of(w[0]), tag_of(w[1]), comm_of(w[1]),          \
                &requests[n]);                                                                   \
    } else if (IS("take")) {                                                                     \
      MPI_Recv(&received[n], 1, MPI_INT, source_of(probed_source), tag_of(probed_tag),           \
               comm_of(probed_tag), &status);                                                    \
      see(received[n]);                                                                          \
    } else if (IS("sendrecv")) {                                                                 \
      sent[n] = w[2];                                                                            \
      MPI_Sendrecv(&sent[n], 1, MPI_INT, w[0], tag_of(w[1]), &received[n], 1, MPI_INT,           \
                   source_of(w[3]), tag_of(w[4]), comm_of(w[4]), &status);                       \
      see(received[n]);                                                                          \
    } else if (IS("wait")) {                                                                     \
      MPI_Request chosen[max_words];                                                             \
      for (int i = 0; i < one->count; ++i) chosen[i] = requests[w[i]];                           \
      if (one->count == 1) MPI_Wait(&chosen[0], &status);                                        \
      if (one->count != 1) MPI_Waitall(one->count, chosen, MPI_STATUSES_IGNORE);                 \
      for (int i = 0; i < one->count; ++i) requests[w[i]] = chosen[i];                           \
      for (int i = 0; i < one->count; ++i) complete(w[i]);                                       \
    } else if (IS("waitany")) {                                                                  \
      MPI_Request chosen[max_words];                                                             \
      for (int i = 0; i < one->count; ++i) chosen[i] = requests[w[i]];                           \
      MPI_Waitany(one->count, chosen, &index, &status);                                          \
      see(index == MPI_UNDEFINED ? 99 : index);                                                  \
      if (index != MPI_UNDEFINED) {                                                              \
        requests[w[index]] = chosen[index];                                                      \
        complete(w[index]);                                                                      \
      }                                                                                          \
    } else if (IS("test")) {                                                                     \
      MPI_Test(&requests[w[0]], &flag, &status);                                                 \
      see(flag != 0);                                                                            \
      if (flag) complete(w[0]);                                                                  \
    } else if (IS("probe")) {                                                                    \
      MPI_Probe(source_of(w[0]), tag_of(w[1]), comm_of(w[1]), &status);                          \
      see(probed_source = status.MPI_SOURCE);                                                    \
      see(probed_tag = word_of(status.MPI_TAG, comm_of(w[1])));                                  \
    } else if (IS("iprobe")) {                                                                   \
      MPI_Iprobe(source_of(w[0]), tag_of(w[1]), comm_of(w[1]), &flag, &status);                  \
      see(flag != 0);                                                                            \
      if (flag) see(status.MPI_SOURCE);                                                          \
      if (flag) see(word_of(status.MPI_TAG, comm_of(w[1])));                                     \
    } else if (IS("barrier")) {                                                                  \
      MPI_Barrier(MPI_COMM_WORLD);                                                               \
    } else if (IS("ibarrier")) {                                                                 \
      MPI_Ibarrier(MPI_COMM_WORLD, &requests[n]);                                                \
    } else if (IS("bcast")) {                                                                    \
      received[n] = last;                                                                        \
      MPI_Bcast(&received[n], 1, MPI_INT, w[0], MPI_COMM_WORLD);                                 \
      see(received[n]);                                                                          \
    } else if (IS("reduce")) {                                                                   \
      sent[n] = last;                                                                            \
      MPI_Reduce(&sent[n], &received[n], 1, MPI_INT, MPI_SUM, w[0], MPI_COMM_WORLD);             \
      if (rank == w[0]) see(received[n]);                                                        \
    } else if (IS("allreduce")) {                                                                \
      sent[n] = last;                                                                            \
      MPI_Allreduce(&sent[n], &received[n], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);                \
      see(received[n]);                                                                          \
    } else if (IS("skip")) {                                                                     \
      if (last % w[0] == w[1]) at += w[2];                                                       \
    }                                                                                            \
    break;                                                                                       \
  }

// clang-format off
static void perform(int rank) {
  int at = 0;
  while (at < operation_count) {
    switch (at) {  // BEGIN_OF_OPERATIONS
      PERFORM(0)
      PERFORM(1)
      PERFORM(2)
      PERFORM(3)
      PERFORM(4)
      PERFORM(5)
      PERFORM(6)
      PERFORM(7)
      PERFORM(8)
      PERFORM(9)
      PERFORM(10)
      PERFORM(11)
      PERFORM(12)
      PERFORM(13)
      PERFORM(14)
      PERFORM(15)
      PERFORM(16)
      PERFORM(17)
      PERFORM(18)
      PERFORM(19)
      PERFORM(20)
      PERFORM(21)
      PERFORM(22)
      PERFORM(23)
    }
  }
}
// clang-format on

static void tell(const int* records, int size) {
  static char text[4096];
  int at = 0;
  for (int rank = 0; rank < size; ++rank) {
    const int* own = records + rank * record_length;
    at += sprintf(text + at, rank == 0 ? "saw " : "/");
    for (int i = 1; i <= own[0]; ++i) at += sprintf(text + at, i == 1 ? "%d" : ".%d", own[i]);
  }
#ifdef MAZURKA_MPI_HEADER
  __assert_fail(text, text, 0, "tell");
#else
  printf("%s\n", text);
#endif
}

int main(int argc, char** argv) {
  static int records[16 * record_length];
  int rank;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < max_operations; ++i) requests[i] = MPI_REQUEST_NULL;
  if (strstr(argv[1], ".buf.") != NULL) MPI_Buffer_attach(bsend_buffer, sizeof bsend_buffer);
  if (strstr(argv[1], ".100") != NULL || strstr(argv[1], ".-2") != NULL) {
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
  }
  read_program(argv[1], rank);
  perform(rank);
  MPI_Gather(record, record_length, MPI_INT, records, record_length, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) tell(records, size);
  MPI_Barrier(MPI_COMM_WORLD);  // nobody is at its end before that
  MPI_Finalize();
  return 0;
}
