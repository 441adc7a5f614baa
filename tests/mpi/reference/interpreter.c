// Performs an abstract MPI program (program.py) that stands on its command line, rank r what is
// written for rank r, and tells what every rank has seen: as a failed assertion, so that each
// outcome is a finding of its own; with another MPI on stdout.
//
// Of several programs, with semicolons between them, the checker chooses each in turn; what is told
// begins with the number of the program then. Before a program, and an equals sign, there may be
// numbers: outcomes whose text has one of these as its hash are not told, but only counted, as
// executions that an assumption has ended.
//
// Each operation has a line of its own below (BEGIN_OF_OPERATIONS + 1 + its index): where a rank
// waits in a deadlock says which of its operations it is at.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef MAZURKA_MPI_HEADER
#include <mazurka/mazurka.h>
void __VERIFIER_assume(int condition);
#endif

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
static int is_cancelled[max_operations];
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
static void complete(int index, const MPI_Status* status) {
  int cancelled = 0;
  if (is_cancelled[index]) MPI_Test_cancelled(status, &cancelled);
  if (is_receive[index]) see(cancelled ? 77 : received[index]);
  is_receive[index] = 0;
}

// Of these requests some are complete.
static void complete_some(const int* indices, int count, MPI_Request* chosen, int done,
                          const int* places, const MPI_Status* statuses) {
  int bits = 0;
  if (done == MPI_UNDEFINED) {
    see(99);
    return;
  }
  for (int i = 0; i < done; ++i) bits |= 1 << places[i];
  see(bits);
  for (int i = 0; i < count; ++i) {
    requests[indices[i]] = chosen[i];
    for (int nth = 0; nth < done; ++nth) {
      if (places[nth] == i) complete(indices[i], &statuses[nth]);
    }
  }
}

static int is_asking(const Operation* one) {
  return strncmp(one->kind, "wait", 4) == 0 || strncmp(one->kind, "test", 4) == 0;
}

#define IS(name) (strcmp(one->kind, name) == 0)
#define ENVELOPE(to) 1, MPI_INT, w[1 + (to)], tag_of(w[2 + (to)]), comm_of(w[2 + (to)])
#define PERFORM(n)                                                                               \
  case n: {                                                                                      \
    const Operation* one = &operations[n];                                                       \
    const int* w = one->words;                                                                   \
    int flag = 0;                                                                                \
    int index = 0;                                                                               \
    int places[max_words];                                                                       \
    MPI_Status status;                                                                           \
    MPI_Status statuses[max_words];                                                              \
    MPI_Request chosen[max_words];                                                               \
    for (int i = 0; i < one->count && is_asking(one); ++i) chosen[i] = requests[w[i]];           \
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
      if (one->count == 1) MPI_Wait(&chosen[0], &statuses[0]);                                   \
      if (one->count != 1) MPI_Waitall(one->count, chosen, statuses);                            \
      for (int i = 0; i < one->count; ++i) requests[w[i]] = chosen[i];                           \
      for (int i = 0; i < one->count; ++i) complete(w[i], &statuses[i]);                         \
    } else if (IS("testall")) {                                                                  \
      MPI_Testall(one->count, chosen, &flag, statuses);                                          \
      see(flag != 0);                                                                            \
      for (int i = 0; i < one->count && flag; ++i) requests[w[i]] = chosen[i];                   \
      for (int i = 0; i < one->count && flag; ++i) complete(w[i], &statuses[i]);                 \
    } else if (IS("waitany") || IS("testany")) {                                                 \
      flag = 1;                                                                                  \
      if (IS("waitany")) MPI_Waitany(one->count, chosen, &index, &status);                       \
      if (IS("testany")) MPI_Testany(one->count, chosen, &index, &flag, &status);                \
      see(!flag ? 98 : index == MPI_UNDEFINED ? 99 : index);                                     \
      if (flag && index != MPI_UNDEFINED) {                                                      \
        requests[w[index]] = chosen[index];                                                      \
        complete(w[index], &status);                                                             \
      }                                                                                          \
    } else if (IS("waitsome")) {                                                                 \
      MPI_Waitsome(one->count, chosen, &index, places, statuses);                                \
      complete_some(w, one->count, chosen, index, places, statuses);                             \
    } else if (IS("testsome")) {                                                                 \
      MPI_Testsome(one->count, chosen, &index, places, statuses);                                \
      complete_some(w, one->count, chosen, index, places, statuses);                             \
    } else if (IS("cancel")) {                                                                   \
      is_cancelled[w[0]] = 1;                                                                    \
      if (requests[w[0]] != MPI_REQUEST_NULL) MPI_Cancel(&requests[w[0]]);                       \
    } else if (IS("test")) {                                                                     \
      MPI_Test(&requests[w[0]], &flag, &status);                                                 \
      see(flag != 0);                                                                            \
      if (flag) complete(w[0], &status);                                                         \
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

// The program that this run is about.
static char* chosen_program(char* text, int rank, int* which) {
  int count = 1;
  for (const char* at = text; *at != 0; ++at) count += *at == ';';
  *which = -1;
  if (count == 1) return text;
#ifdef MAZURKA_MPI_HEADER
  if (rank == 0) *which = mazurka_choose(count);
#endif
  MPI_Bcast(which, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < *which; ++i) strsep(&text, ";");
  return strsep(&text, ";");
}

static unsigned hash_of(const char* text) {
  unsigned hash = 2166136261U;  // FNV-1a
  for (; *text != 0; ++text) hash = (hash ^ (unsigned char)*text) * 16777619U;
  return hash;
}

static int is_expected(const char* text, const char* hashes) {
  const unsigned hash = hash_of(text);
  char* rest = (char*)hashes;
  while (rest != NULL && *rest >= '0' && *rest <= '9') {
    if (strtoul(rest, &rest, 10) == hash) return 1;
    if (*rest++ == '=') return 0;
  }
  return 0;
}

static void tell(const int* records, int size, int which, const char* program) {
  static char text[4096];
  int at = 0;
  if (which >= 0) at += sprintf(text, "%d ", which);
  const char* const outcome = text + at;
  for (int rank = 0; rank < size; ++rank) {
    const int* own = records + rank * record_length;
    at += sprintf(text + at, rank == 0 ? "saw " : "/");
    for (int i = 1; i <= own[0]; ++i) at += sprintf(text + at, i == 1 ? "%d" : ".%d", own[i]);
  }
#ifdef MAZURKA_MPI_HEADER
  __VERIFIER_assume(!is_expected(outcome, program));
  __assert_fail(text, text, 0, "tell");
#else
  (void)outcome;
  (void)is_expected;
  (void)program;
  printf("%s\n", text);
#endif
}

int main(int argc, char** argv) {
  static int records[16 * record_length];
  int rank;
  int size;
  int which;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < max_operations; ++i) requests[i] = MPI_REQUEST_NULL;
  char* program = chosen_program(argv[1], rank, &which);
  if (strstr(program, ".buf.") != NULL) MPI_Buffer_attach(bsend_buffer, sizeof bsend_buffer);
  if (strstr(program, ".100") != NULL || strstr(program, ".-2") != NULL) {
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
  }
  char* const after_hashes = strchr(program, '=');
  read_program(after_hashes == NULL ? program : after_hashes + 1, rank);
  perform(rank);
  MPI_Gather(record, record_length, MPI_INT, records, record_length, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) tell(records, size, which, program);
  MPI_Barrier(MPI_COMM_WORLD);  // nobody is at its end before that
  MPI_Finalize();
  return 0;
}
