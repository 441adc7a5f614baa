// OpenMP for programs that are checked: the functions that gcc calls for its directives, made of
// threads, mutexes and barriers that the checker explores.
//
// It is linked into the program in the place of libgomp, so that every rank of an MPI program has
// its own. It is not instrumented: between two calls that the checker knows no other thread runs,
// so what threads share here needs no lock. But where it matters who comes first (single, sections,
// loops that are handed out) they count in a relaxed atomic variable: every order is explored, and
// none of them orders anything else, since OpenMP does not promise that.
//
// A parallel region makes its threads and joins them. Regions inside of others have one thread, as
// by default. What is not there is refused when it is called: tasks, and asking for more threads in
// such regions.
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { max_threads = 64, default_threads = 2, max_locks = 1024, max_names = 64 };

/// A loop as it is handed out: so many rounds, and how many at a time.
struct loop {
  unsigned long long begin;
  unsigned long long step;  // is added; downwards it wraps
  unsigned long long rounds;
  unsigned long long chunk;
  bool guided;
};

struct team {
  int size;
  int level;
  unsigned first_counter;
  unsigned counters;  // that its threads have come to
  pthread_barrier_t barrier;
  struct loop loop;  // of a region that is a loop
  void* copied;      // by a single block, for the others
  void (*function)(void*);
  void* data;
};

struct member {
  struct team* team;
  int number;
  unsigned counters;  // so many it has come to
  struct loop loop;   // the latest
  unsigned alone_at;  // in a team of one: the counter it was at the last time
  unsigned alone;     // and how often
};

static __thread struct member self;
static int wanted_threads;

static int threads_by_default(void) {
  if (wanted_threads > 0) return wanted_threads;
  const char* const given = getenv("OMP_NUM_THREADS");
  const int number = given == NULL ? 0 : atoi(given);
  return number > 0 ? number : default_threads;
}

static int team_size(void) { return self.team == NULL ? 1 : self.team->size; }
static int team_level(void) { return self.team == NULL ? 0 : self.team->level; }

// --- parallel regions ----------------------------------------------------------------------------

struct start {
  struct team* team;
  int number;
};

static void* run_member(void* argument) {
  const struct start* const start = argument;
  self = (struct member){.team = start->team, .number = start->number, .loop = start->team->loop};
  start->team->function(start->team->data);
  return NULL;
}

static unsigned counters_used;

static void run_team(struct team* team, unsigned threads) {
  int size = threads == 0 ? threads_by_default() : (int)threads;
  if (size > max_threads) size = max_threads;
  if (team_level() > 0 || size < 1) size = 1;
  const struct member before = self;
  pthread_t members[max_threads];
  struct start starts[max_threads];
  team->size = size;
  team->level = team_level() + 1;
  team->first_counter = counters_used;
  if (size > 1) pthread_barrier_init(&team->barrier, NULL, (unsigned)size);
  self = (struct member){.team = team, .loop = team->loop};
  for (int number = 1; number < size; ++number) {
    starts[number] = (struct start){team, number};
    if (pthread_create(&members[number], NULL, run_member, &starts[number]) != 0) abort();
  }
  team->function(team->data);
  for (int number = 1; number < size; ++number) pthread_join(members[number], NULL);
  self = before;
  counters_used = team->first_counter + team->counters + 1;
  if (size > 1) pthread_barrier_destroy(&team->barrier);
}

void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags) {
  (void)flags;
  struct team team = {.function = function, .data = data};
  run_team(&team, threads);
}

// Puts another value where the result of the function before was: nobody uses that one, so it does
// not matter who is the last to come to a barrier.
static __attribute__((noinline)) void forget_result(int value) {
  __asm__ volatile("" : : "r"(value));
}

void GOMP_barrier(void) {
  if (team_size() == 1) return;
  pthread_barrier_wait(&self.team->barrier);
  forget_result(0);
}

// --- critical sections ---------------------------------------------------------------------------

static pthread_mutex_t unnamed = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t atomics = PTHREAD_MUTEX_INITIALIZER;

struct named {
  void** name;
  pthread_mutex_t mutex;
};
static struct named named[max_names];

static pthread_mutex_t* mutex_of(void** name) {
  for (int place = 0; place < max_names; ++place) {
    if (named[place].name == NULL) named[place].name = name;
    if (named[place].name == name) return &named[place].mutex;  // that is all zeros: ready
  }
  abort();
}

void GOMP_critical_start(void) { pthread_mutex_lock(&unnamed); }
void GOMP_critical_end(void) { pthread_mutex_unlock(&unnamed); }
void GOMP_critical_name_start(void** name) { pthread_mutex_lock(mutex_of(name)); }
void GOMP_critical_name_end(void** name) { pthread_mutex_unlock(mutex_of(name)); }
void GOMP_atomic_start(void) { pthread_mutex_lock(&atomics); }
void GOMP_atomic_end(void) { pthread_mutex_unlock(&atomics); }

// --- what is handed out --------------------------------------------------------------------------

/// As instrumented code calls it.
extern unsigned __tsan_atomic32_fetch_add(volatile unsigned* variable, unsigned value, int order);

enum { max_counters = 1 << 16 };
static volatile unsigned counters[max_counters];  // each is used for one thing only

/// How often somebody of the team was here before; `nth`: which of the team's counters.
static unsigned count_at(unsigned nth) {
  if (team_size() == 1) {
    if (self.alone_at != nth) self.alone = 0;
    self.alone_at = nth;
    return self.alone++;
  }
  struct team* const team = self.team;
  if (team->counters < nth) team->counters = nth;
  const unsigned place = team->first_counter + nth;
  if (place >= max_counters) abort();
  return __tsan_atomic32_fetch_add(&counters[place], 1, __ATOMIC_RELAXED);
}

bool GOMP_single_start(void) { return count_at(++self.counters) == 0; }

void* GOMP_single_copy_start(void) {
  if (GOMP_single_start()) return NULL;
  GOMP_barrier();
  return self.team->copied;
}
void GOMP_single_copy_end(void* data) {
  if (self.team != NULL) self.team->copied = data;
  GOMP_barrier();
}

static unsigned long long rounds_of(const struct loop* loop, unsigned long long done) {
  unsigned long long count = loop->chunk;
  const unsigned long long left = loop->rounds - done;
  const unsigned long long share = left / (unsigned)team_size();
  if (loop->guided && share > count) count = share;
  return count < left ? count : left;
}

static bool next_of_loop(unsigned long long* from, unsigned long long* to) {
  const struct loop* const loop = &self.loop;
  const unsigned before = count_at(self.counters);
  unsigned long long done = 0;
  for (unsigned nth = 0; nth < before && done < loop->rounds; ++nth) done += rounds_of(loop, done);
  if (done >= loop->rounds) return false;
  *from = loop->begin + done * loop->step;
  *to = *from + rounds_of(loop, done) * loop->step;
  return true;
}

static struct loop loop_of(bool upwards, unsigned long long begin, unsigned long long end,
                           unsigned long long step, unsigned long long chunk, bool guided) {
  const unsigned long long by = upwards ? step : 0 - step;
  const bool any = upwards ? begin < end : begin > end;
  const unsigned long long far = upwards ? end - begin : begin - end;
  return (struct loop){begin, step, any ? (far + by - 1) / by : 0, chunk == 0 ? 1 : chunk, guided};
}

static bool start_loop(struct loop loop, unsigned long long* from, unsigned long long* to) {
  ++self.counters;
  self.loop = loop;
  return next_of_loop(from, to);
}

void GOMP_loop_end(void) { GOMP_barrier(); }
void GOMP_loop_end_nowait(void) {}

// Signed loops are counted from their smallest number, so that they can be compared as unsigned
// ones.
static const unsigned long long shift = 1ULL << 63U;

static struct loop signed_loop(long begin, long end, long step, long chunk, bool guided) {
  return loop_of(step > 0, (unsigned long long)begin + shift, (unsigned long long)end + shift,
                 (unsigned long long)step, (unsigned long long)chunk, guided);
}
static bool start_signed(long begin, long end, long step, long chunk, bool guided, long* from,
                         long* to) {
  unsigned long long first;
  unsigned long long last;
  if (!start_loop(signed_loop(begin, end, step, chunk, guided), &first, &last)) return false;
  *from = (long)(first - shift);
  *to = (long)(last - shift);
  return true;
}
static bool next_signed(long* from, long* to) {
  unsigned long long first;
  unsigned long long last;
  if (!next_of_loop(&first, &last)) return false;
  *from = (long)(first - shift);
  *to = (long)(last - shift);
  return true;
}

static void parallel_loop(void (*function)(void*), void* data, unsigned threads, long begin,
                          long end, long step, long chunk, bool guided) {
  struct team team = {.function = function, .data = data};
  team.loop = signed_loop(begin, end, step, chunk, guided);
  run_team(&team, threads);
}

// `dynamic`, and what may be: they differ in promises that handing out in order keeps.
#define LOOP(kind, is_guided)                                                                   \
  bool GOMP_loop_##kind##_start(long begin, long end, long step, long chunk, long* from,        \
                                long* to) {                                                     \
    return start_signed(begin, end, step, chunk, is_guided, from, to);                          \
  }                                                                                             \
  bool GOMP_loop_##kind##_next(long* from, long* to) { return next_signed(from, to); }          \
  bool GOMP_loop_ull_##kind##_start(                                                            \
      bool upwards, unsigned long long begin, unsigned long long end, unsigned long long step,  \
      unsigned long long chunk, unsigned long long* from, unsigned long long* to) {             \
    return start_loop(loop_of(upwards, begin, end, step, chunk, is_guided), from, to);          \
  }                                                                                             \
  bool GOMP_loop_ull_##kind##_next(unsigned long long* from, unsigned long long* to) {          \
    return next_of_loop(from, to);                                                              \
  }                                                                                             \
  void GOMP_parallel_loop_##kind(void (*function)(void*), void* data, unsigned threads,         \
                                 long begin, long end, long step, long chunk, unsigned flags) { \
    (void)flags;                                                                                \
    parallel_loop(function, data, threads, begin, end, step, chunk, is_guided);                 \
  }
LOOP(dynamic, false)
LOOP(guided, true)
LOOP(nonmonotonic_dynamic, false)
LOOP(nonmonotonic_guided, true)

// schedule(runtime): as if it were dynamic.
#define RUNTIME_LOOP(kind)                                                               \
  bool GOMP_loop_##kind##_start(long begin, long end, long step, long* from, long* to) { \
    return start_signed(begin, end, step, 1, false, from, to);                           \
  }                                                                                      \
  bool GOMP_loop_##kind##_next(long* from, long* to) { return next_signed(from, to); }   \
  void GOMP_parallel_loop_##kind(void (*function)(void*), void* data, unsigned threads,  \
                                 long begin, long end, long step, unsigned flags) {      \
    (void)flags;                                                                         \
    parallel_loop(function, data, threads, begin, end, step, 1, false);                  \
  }
RUNTIME_LOOP(runtime)
RUNTIME_LOOP(nonmonotonic_runtime)
RUNTIME_LOOP(maybe_nonmonotonic_runtime)

// Sections are a loop over their numbers, from 1; 0 is the end.
unsigned GOMP_sections_start(unsigned count) {
  long from;
  long to;
  return start_signed(1, (long)count + 1, 1, 1, false, &from, &to) ? (unsigned)from : 0;
}
unsigned GOMP_sections_next(void) {
  long from;
  long to;
  return next_signed(&from, &to) ? (unsigned)from : 0;
}
void GOMP_sections_end(void) { GOMP_barrier(); }
void GOMP_sections_end_nowait(void) {}
void GOMP_parallel_sections(void (*function)(void*), void* data, unsigned threads, unsigned count,
                            unsigned flags) {
  (void)flags;
  parallel_loop(function, data, threads, 1, (long)count + 1, 1, 1, false);
}

// --- what programs ask, and locks ----------------------------------------------------------------

int omp_get_thread_num(void) { return self.number; }
int omp_get_num_threads(void) { return team_size(); }
int omp_get_max_threads(void) { return threads_by_default(); }
void omp_set_num_threads(int number) { wanted_threads = number > 0 ? number : 1; }
int omp_get_num_procs(void) { return threads_by_default(); }
int omp_in_parallel(void) { return team_size() > 1; }
int omp_get_level(void) { return team_level(); }
int omp_get_active_level(void) { return team_size() > 1 ? 1 : 0; }
int omp_get_thread_limit(void) { return max_threads; }
int omp_get_dynamic(void) { return 0; }
void omp_set_dynamic(int is_dynamic) { (void)is_dynamic; }
int omp_get_nested(void) { return 0; }
int omp_get_max_active_levels(void) { return 1; }
double omp_get_wtick(void) { return 1e-9; }

double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A lock of OpenMP has four bytes, a nested one sixteen: room for a number.
static pthread_mutex_t locks[max_locks];
static int locks_made;

static void make_lock(int* lock, int kind) {
  if (locks_made == max_locks) abort();
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  pthread_mutex_init(&locks[locks_made], &attributes);
  pthread_mutexattr_destroy(&attributes);
  *lock = locks_made++;
}

struct nest_lock {
  int number;
  int depth;
};

void omp_init_lock(int* lock) { make_lock(lock, PTHREAD_MUTEX_NORMAL); }
void omp_destroy_lock(int* lock) { pthread_mutex_destroy(&locks[*lock]); }
void omp_set_lock(int* lock) { pthread_mutex_lock(&locks[*lock]); }
void omp_unset_lock(int* lock) { pthread_mutex_unlock(&locks[*lock]); }
int omp_test_lock(int* lock) { return pthread_mutex_trylock(&locks[*lock]) == 0; }
void omp_init_nest_lock(struct nest_lock* lock) {
  make_lock(&lock->number, PTHREAD_MUTEX_RECURSIVE);
  lock->depth = 0;
}
void omp_destroy_nest_lock(struct nest_lock* lock) { pthread_mutex_destroy(&locks[lock->number]); }
void omp_set_nest_lock(struct nest_lock* lock) {
  pthread_mutex_lock(&locks[lock->number]);
  ++lock->depth;
}
void omp_unset_nest_lock(struct nest_lock* lock) {
  --lock->depth;
  pthread_mutex_unlock(&locks[lock->number]);
}
int omp_test_nest_lock(struct nest_lock* lock) {
  return pthread_mutex_trylock(&locks[lock->number]) == 0 ? ++lock->depth : 0;
}
