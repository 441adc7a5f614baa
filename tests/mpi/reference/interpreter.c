// Performs an abstract MPI program (program.hpp) that stands on its command line, rank r what is
// written for rank r, and tells what every rank has seen: as a failed assertion, so that each
// outcome is a finding of its own; with another MPI on stdout.
//
// Of several programs, with semicolons between them, the checker chooses each in turn; what is told
// begins with the number of the program then. There is one more rank than programs have, which
// waits at a line that belongs to the program (BEGIN_OF_WATCHES + 1 + its number): deadlocks of two
// programs are two findings.
//
// Before a program, and an equals sign, there may be pairs HASH*WEIGHT with dots between them:
// outcomes whose text has such a hash are not told, but only counted, as so many executions that an
// assumption has ended.
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
  max_ranks = 4,
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
static int sent[max_operations][max_ranks];
static int received[max_operations][max_ranks];
static int is_receive[max_operations];
static int is_collective[max_operations];
static int is_cancelled[max_operations];
static int record[record_length];  // how many values were seen, and these
static int last;
static int own_rank;
static int size;
static int probed_source = -1;
static int probed_tag = -1;
static MPI_Message message = MPI_MESSAGE_NULL;
static MPI_Comm work = MPI_COMM_NULL;   // of those that perform the program
static MPI_Comm other = MPI_COMM_NULL;  // a copy of it
static char bsend_buffer[max_operations * (MPI_BSEND_OVERHEAD + 64)];

// Words are compared and taken apart here: what the library does to a string is something that the
// checker watches and records, and it is most of what there would be to watch.
static int same(const char* one, const char* other) {
  while (*one != 0 && *one == *other) ++one, ++other;
  return *one == *other;
}
static int begins_with(const char* word, const char* with) {
  while (*with != 0 && *word == *with) ++word, ++with;
  return *with == 0;
}
static char* find(char* text, char what) {
  while (*text != 0 && *text != what) ++text;
  return *text == 0 ? NULL : text;
}
// As strsep does, with one separator.
static char* next_part(char** rest, char separator) {
  char* const part = *rest;
  if (part == NULL) return NULL;
  char* const end = find(part, separator);
  *rest = end == NULL ? NULL : end + 1;
  if (end != NULL) *end = 0;
  return part;
}
static unsigned read_number(char** text) {
  unsigned number = 0;
  for (; **text >= '0' && **text <= '9'; ++*text) number = number * 10 + (unsigned)(**text - '0');
  return number;
}

static void see(int value) {
  last = value;
  if (record[0] < max_log) record[++record[0]] = value;
}

static int number_of(const char* word) {
  static const char* const modes[] = {"std", "sync", "buf"};
  for (int mode = 0; mode < 3; ++mode) {
    if (same(word, modes[mode])) return mode;
  }
  const int negative = *word == '-';
  char* digits = (char*)word + negative;
  const int number = (int)read_number(&digits);
  return negative ? -number : number;
}

static void read_operation(char* text) {
  Operation* one = &operations[operation_count++];
  char* rest = text;
  const char* const kind = next_part(&rest, '.');
  for (int i = 0; kind[i] != 0; ++i) one->kind[i] = kind[i];
  while (rest != NULL) one->words[one->count++] = number_of(next_part(&rest, '.'));
}

static void read_program(char* text, int rank) {
  char* own = next_part(&text, '/');
  while (rank-- > 0) own = next_part(&text, '/');
  if (own == NULL || same(own, "none")) return;
  while (own != NULL) read_operation(next_part(&own, ','));
}

static int source_of(int word) { return word < 0 ? MPI_ANY_SOURCE : word; }
static int tag_of(int word) { return word < 0 ? MPI_ANY_TAG : word % first_other_tag; }
static int is_other(int word) { return word >= first_other_tag || word == -2; }
static MPI_Comm comm_of(int word) { return is_other(word) ? other : work; }
static int word_of(int tag, MPI_Comm comm) { return comm == other ? tag + first_other_tag : tag; }

// --- collectives ---------------------------------------------------------------------------------

static const char* shape_of(const Operation* one) {
  static const char* const nonblocking[] = {"ibarrier",   "ibcast",  "ireduce",
                                            "iallreduce", "igather", "iscatter",
                                            "iscan",      "iexscan", "ialltoall"};
  for (int i = 0; i < 9; ++i) {
    if (same(one->kind, nonblocking[i])) return one->kind + 1;
  }
  return one->kind;
}

static int is_rooted(const char* shape) {
  return same(shape, "bcast") || same(shape, "reduce") || same(shape, "gather") ||
         same(shape, "scatter");
}

static MPI_Comm comm_of_collective(const Operation* one) {
  const int place = is_rooted(shape_of(one)) ? 1 : 0;
  return one->count > place && one->words[place] == 1 ? other : work;
}

static void bring(int n) {
  const char* shape = shape_of(&operations[n]);
  for (int i = 0; i < size; ++i) {
    sent[n][i] = last;
    if (same(shape, "scatter")) sent[n][i] += i;
    if (same(shape, "alltoall")) sent[n][i] = last * (1 + own_rank) + (own_rank ? 0 : i);
  }
  received[n][0] = last;  // of a broadcast
}

static void see_result(int n) {
  const char* shape = shape_of(&operations[n]);
  int sum = 0;
  int weighted = 0;
  for (int i = 0; i < size; ++i) sum += received[n][i];
  for (int i = 0; i < size; ++i) weighted += received[n][i] * (1 + i);
  const int is_root = own_rank == operations[n].words[0];
  if (same(shape, "barrier")) return;
  if (same(shape, "reduce") && !is_root) return;
  if (same(shape, "gather") && !is_root) return;
  if (same(shape, "exscan") && own_rank == 0) return;
  if (same(shape, "gather")) {
    see(weighted);
  } else if (same(shape, "alltoall")) {
    see(sum);
  } else {
    see(received[n][0]);
  }
}

// A nonblocking one begins.
static int begin_collective(int n) {
  const Operation* one = &operations[n];
  const char* shape = shape_of(one);
  const MPI_Comm comm = comm_of_collective(one);
  const int root = one->words[0];
  if (shape == one->kind) return 0;
  bring(n);
  if (same(shape, "barrier")) MPI_Ibarrier(comm, &requests[n]);
  if (same(shape, "bcast")) MPI_Ibcast(received[n], 1, MPI_INT, root, comm, &requests[n]);
  if (same(shape, "reduce")) {
    MPI_Ireduce(sent[n], received[n], 1, MPI_INT, MPI_SUM, root, comm, &requests[n]);
  } else if (same(shape, "allreduce")) {
    MPI_Iallreduce(sent[n], received[n], 1, MPI_INT, MPI_SUM, comm, &requests[n]);
  } else if (same(shape, "gather")) {
    MPI_Igather(sent[n], 1, MPI_INT, received[n], 1, MPI_INT, root, comm, &requests[n]);
  } else if (same(shape, "scatter")) {
    MPI_Iscatter(sent[n], 1, MPI_INT, received[n], 1, MPI_INT, root, comm, &requests[n]);
  } else if (same(shape, "scan")) {
    MPI_Iscan(sent[n], received[n], 1, MPI_INT, MPI_SUM, comm, &requests[n]);
  } else if (same(shape, "exscan")) {
    MPI_Iexscan(sent[n], received[n], 1, MPI_INT, MPI_SUM, comm, &requests[n]);
  } else if (same(shape, "alltoall")) {
    MPI_Ialltoall(sent[n], 1, MPI_INT, received[n], 1, MPI_INT, comm, &requests[n]);
  }
  is_collective[n] = 1;
  return 1;
}

// --- requests ------------------------------------------------------------------------------------

// A request that was found complete.
static void complete(int index, const MPI_Status* status) {
  int cancelled = 0;
  if (is_cancelled[index]) MPI_Test_cancelled(status, &cancelled);
  if (is_receive[index]) see(cancelled ? 77 : received[index][0]);
  if (is_collective[index]) see_result(index);
  is_receive[index] = 0;
  is_collective[index] = 0;
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

static void complete_all(const Operation* one, MPI_Request* chosen, const MPI_Status* statuses) {
  for (int i = 0; i < one->count; ++i) requests[one->words[i]] = chosen[i];
  for (int i = 0; i < one->count; ++i) complete(one->words[i], &statuses[i]);
}

static void complete_one(const Operation* one, MPI_Request* chosen, int index,
                         const MPI_Status* status) {
  see(index == MPI_UNDEFINED ? 99 : index);
  if (index == MPI_UNDEFINED) return;
  requests[one->words[index]] = chosen[index];
  complete(one->words[index], status);
}

#define IS(name) same(one->kind, name)

static int is_asking(const Operation* one) {
  return begins_with(one->kind, "wait") || begins_with(one->kind, "test");
}

static void test(const Operation* one, MPI_Request* chosen) {
  const int* w = one->words;
  int flag = 0;
  int index = 0;
  int places[max_words];
  MPI_Status status;
  MPI_Status statuses[max_words];
  if (IS("test")) {
    MPI_Test(&requests[w[0]], &flag, &status);
    see(flag != 0);
    if (flag) complete(w[0], &status);
  } else if (IS("testall")) {
    MPI_Testall(one->count, chosen, &flag, statuses);
    see(flag != 0);
    if (flag) complete_all(one, chosen, statuses);
  } else if (IS("testany")) {
    MPI_Testany(one->count, chosen, &index, &flag, &status);
    if (flag) complete_one(one, chosen, index, &status);
    if (!flag) see(98);
  } else if (IS("testsome")) {
    MPI_Testsome(one->count, chosen, &index, places, statuses);
    complete_some(w, one->count, chosen, index, places, statuses);
  }
}

// --- operations that do not wait -----------------------------------------------------------------

static void see_found(int flag, const MPI_Status* status, int word) {
  see(flag != 0);
  if (!flag) return;
  see(status->MPI_SOURCE);
  see(word_of(status->MPI_TAG, comm_of(word)));
}

static void look(const Operation* one) {
  const int* w = one->words;
  int flag = 0;
  MPI_Status status;
  if (IS("iprobe")) {
    MPI_Iprobe(source_of(w[0]), tag_of(w[1]), comm_of(w[1]), &flag, &status);
    see_found(flag, &status, w[1]);
  } else if (IS("improbe")) {
    MPI_Improbe(source_of(w[0]), tag_of(w[1]), comm_of(w[1]), &flag, &message, &status);
    see_found(flag, &status, w[1]);
  }
}

#define TO 1, MPI_INT, w[1], tag_of(w[2]), comm_of(w[2])
#define FROM 1, MPI_INT, source_of(w[0]), tag_of(w[1]), comm_of(w[1])

static void prepare(int n) {
  const Operation* one = &operations[n];
  const int* w = one->words;
  if (IS("sendinit") && w[0] == 0) MPI_Send_init(sent[n], TO, &requests[n]);
  if (IS("sendinit") && w[0] == 1) MPI_Ssend_init(sent[n], TO, &requests[n]);
  if (IS("sendinit") && w[0] == 2) MPI_Bsend_init(sent[n], TO, &requests[n]);
  if (IS("recvinit")) MPI_Recv_init(received[n], FROM, &requests[n]);
  if (IS("start")) {
    sent[w[1]][0] = w[0];
    is_receive[w[1]] = same(operations[w[1]].kind, "recvinit");
    MPI_Start(&requests[w[1]]);
  }
}

static void perform_at_once(int n) {
  const Operation* one = &operations[n];
  const int* w = one->words;
  if (IS("send") || IS("isend")) sent[n][0] = w[3];
  if (IS("sendrecv")) sent[n][0] = w[2];
  if (IS("send") && w[0] == 2) MPI_Bsend(sent[n], TO);
  if (IS("isend") && w[0] == 0) MPI_Isend(sent[n], TO, &requests[n]);
  if (IS("isend") && w[0] == 1) MPI_Issend(sent[n], TO, &requests[n]);
  if (IS("isend") && w[0] == 2) MPI_Ibsend(sent[n], TO, &requests[n]);
  if (IS("irecv")) {
    is_receive[n] = 1;
    MPI_Irecv(received[n], FROM, &requests[n]);
  } else if (IS("cancel")) {
    is_cancelled[w[0]] = 1;
    if (requests[w[0]] != MPI_REQUEST_NULL) MPI_Cancel(&requests[w[0]]);
  } else if (IS("free")) {
    if (requests[w[0]] != MPI_REQUEST_NULL) MPI_Request_free(&requests[w[0]]);
  } else if (IS("mrecv") && message != MPI_MESSAGE_NULL) {
    MPI_Mrecv(received[n], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    see(received[n][0]);
  } else if (IS("imrecv") && message != MPI_MESSAGE_NULL) {
    is_receive[n] = 1;
    MPI_Imrecv(received[n], 1, MPI_INT, &message, &requests[n]);
  }
  prepare(n);
  look(one);
}

// --- operations that may wait --------------------------------------------------------------------

#define PERFORM(n)                                                                     \
  case n: {                                                                            \
    const Operation* one = &operations[n];                                             \
    const int* w = one->words;                                                         \
    int index = 0;                                                                     \
    int places[max_words];                                                             \
    MPI_Status status;                                                                 \
    MPI_Status statuses[max_words];                                                    \
    MPI_Request chosen[max_words];                                                     \
    for (int i = 0; i < one->count && is_asking(one); ++i) chosen[i] = requests[w[i]]; \
    ++at;                                                                              \
    perform_at_once(n);                                                                \
    if (begins_with(one->kind, "test")) test(one, chosen);                             \
    if (IS("send") && w[0] == 0) MPI_Send(sent[n], TO);                                \
    if (IS("send") && w[0] == 1) MPI_Ssend(sent[n], TO);                               \
    if (IS("recv")) {                                                                  \
      MPI_Recv(received[n], FROM, &status);                                            \
      see(received[n][0]);                                                             \
    } else if (IS("take")) {                                                           \
      MPI_Recv(received[n], 1, MPI_INT, source_of(probed_source), tag_of(probed_tag),  \
               comm_of(probed_tag), &status);                                          \
      see(received[n][0]);                                                             \
    } else if (IS("sendrecv")) {                                                       \
      MPI_Sendrecv(sent[n], 1, MPI_INT, w[0], tag_of(w[1]), received[n], 1, MPI_INT,   \
                   source_of(w[3]), tag_of(w[4]), comm_of(w[4]), &status);             \
      see(received[n][0]);                                                             \
    } else if (IS("wait")) {                                                           \
      if (one->count == 1) MPI_Wait(&chosen[0], &statuses[0]);                         \
      if (one->count != 1) MPI_Waitall(one->count, chosen, statuses);                  \
      complete_all(one, chosen, statuses);                                             \
    } else if (IS("waitany")) {                                                        \
      MPI_Waitany(one->count, chosen, &index, &status);                                \
      complete_one(one, chosen, index, &status);                                       \
    } else if (IS("waitsome")) {                                                       \
      MPI_Waitsome(one->count, chosen, &index, places, statuses);                      \
      complete_some(w, one->count, chosen, index, places, statuses);                   \
    } else if (IS("probe")) {                                                          \
      MPI_Probe(source_of(w[0]), tag_of(w[1]), comm_of(w[1]), &status);                \
      see(probed_source = status.MPI_SOURCE);                                          \
      see(probed_tag = word_of(status.MPI_TAG, comm_of(w[1])));                        \
    } else if (IS("mprobe")) {                                                         \
      MPI_Mprobe(source_of(w[0]), tag_of(w[1]), comm_of(w[1]), &message, &status);     \
      see(status.MPI_SOURCE);                                                          \
      see(word_of(status.MPI_TAG, comm_of(w[1])));                                     \
    } else if (IS("skip")) {                                                           \
      if (last % w[0] == w[1]) at += w[2];                                             \
    } else if (!begin_collective(n)) {                                                 \
      const MPI_Comm comm = comm_of_collective(one);                                   \
      bring(n);                                                                        \
      index = 1;                                                                       \
      if (IS("barrier")) {                                                             \
        MPI_Barrier(comm);                                                             \
      } else if (IS("bcast")) {                                                        \
        MPI_Bcast(received[n], 1, MPI_INT, w[0], comm);                                \
      } else if (IS("reduce")) {                                                       \
        MPI_Reduce(sent[n], received[n], 1, MPI_INT, MPI_SUM, w[0], comm);             \
      } else if (IS("allreduce")) {                                                    \
        MPI_Allreduce(sent[n], received[n], 1, MPI_INT, MPI_SUM, comm);                \
      } else if (IS("gather")) {                                                       \
        MPI_Gather(sent[n], 1, MPI_INT, received[n], 1, MPI_INT, w[0], comm);          \
      } else if (IS("scatter")) {                                                      \
        MPI_Scatter(sent[n], 1, MPI_INT, received[n], 1, MPI_INT, w[0], comm);         \
      } else if (IS("scan")) {                                                         \
        MPI_Scan(sent[n], received[n], 1, MPI_INT, MPI_SUM, comm);                     \
      } else if (IS("exscan")) {                                                       \
        MPI_Exscan(sent[n], received[n], 1, MPI_INT, MPI_SUM, comm);                   \
      } else if (IS("alltoall")) {                                                     \
        MPI_Alltoall(sent[n], 1, MPI_INT, received[n], 1, MPI_INT, comm);              \
      } else {                                                                         \
        index = 0;                                                                     \
      }                                                                                \
      if (index) see_result(n);                                                        \
    }                                                                                  \
    break;                                                                             \
  }

// clang-format off
static void perform(void) {
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

#define WATCH(n) case n: MPI_Recv(&never, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); break;

static void watch(int which) {
  int never = 0;
  switch (which) {  // BEGIN_OF_WATCHES
    WATCH(0)
    WATCH(1)
    WATCH(2)
    WATCH(3)
    WATCH(4)
    WATCH(5)
    WATCH(6)
    WATCH(7)
    WATCH(8)
    WATCH(9)
    WATCH(10)
    WATCH(11)
    WATCH(12)
    WATCH(13)
    WATCH(14)
    WATCH(15)
    WATCH(16)
    WATCH(17)
    WATCH(18)
    WATCH(19)
    WATCH(20)
    WATCH(21)
    WATCH(22)
    WATCH(23)
    WATCH(24)
    WATCH(25)
    WATCH(26)
    WATCH(27)
    WATCH(28)
    WATCH(29)
    WATCH(30)
    WATCH(31)
    WATCH(32)
    WATCH(33)
    WATCH(34)
    WATCH(35)
    WATCH(36)
    WATCH(37)
    WATCH(38)
    WATCH(39)
  }
}
// clang-format on

static int count_programs(const char* text) {
  int count = 1;
  for (const char* at = text; *at != 0; ++at) count += *at == ';';
  return count;
}

// The program that this run is about.
static char* chosen_program(char* text, int* which) {
  const int count = count_programs(text);
  *which = -1;
  if (count == 1) return text;
#ifdef MAZURKA_MPI_HEADER
  if (own_rank == 0) *which = mazurka_choose(count);
#endif
  MPI_Bcast(which, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < *which; ++i) next_part(&text, ';');
  return next_part(&text, ';');
}

// --- what is told --------------------------------------------------------------------------------

static unsigned hash_of(const char* text) {
  unsigned hash = 2166136261U;  // FNV-1a
  for (; *text != 0; ++text) hash = (hash ^ (unsigned char)*text) * 16777619U;
  return hash;
}

// Of an outcome that is only counted; else 0.
static int weight_of(const char* text, const char* pairs) {
  const unsigned hash = hash_of(text);
  char* rest = (char*)pairs;
  if (find(rest, '=') == NULL) return 0;
  while (*rest >= '0' && *rest <= '9') {
    const unsigned own = read_number(&rest);
    ++rest;
    const int weight = (int)read_number(&rest);
    if (own == hash) return weight;
    if (*rest++ == '=') return 0;
  }
  return 0;
}

static void tell(const int* records, int which, const char* program) {
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
  const int weight = weight_of(outcome, program);
  if (weight > 1) mazurka_choose(weight);
  __VERIFIER_assume(weight == 0);
  __assert_fail(text, text, 0, "tell");
#else
  (void)outcome;
  (void)weight_of;
  (void)program;
  printf("%s\n", text);
#endif
}

int main(int argc, char** argv) {
  static int records[max_ranks * record_length];
  int which;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < max_operations; ++i) requests[i] = MPI_REQUEST_NULL;
  work = MPI_COMM_WORLD;
  int watches = 0;
  if (count_programs(argv[1]) > 1) {
    watches = own_rank == --size;
    MPI_Comm_split(MPI_COMM_WORLD, watches ? MPI_UNDEFINED : 0, 0, &work);
  }
  char* program = chosen_program(argv[1], &which);
  if (watches) watch(which);
  if (strstr(program, ".buf.") != NULL) MPI_Buffer_attach(bsend_buffer, sizeof bsend_buffer);
  MPI_Comm_dup(work, &other);
  char* const after_pairs = find(program, '=');
  read_program(after_pairs == NULL ? program : after_pairs + 1, own_rank);
  perform();
  MPI_Gather(record, record_length, MPI_INT, records, record_length, MPI_INT, 0, work);
  if (own_rank == 0) tell(records, which, program);
  MPI_Barrier(work);  // nobody is at its end before that
  MPI_Finalize();
  return 0;
}
