// Executions whose length can be chosen: two threads with about so many events between them as the
// second argument says. The first one is their shape. In `first`, `last`, `spread` and `objects`
// most events are on objects of their own, and what varies is where the few races are, and how many
// objects there are. In `writes`, `adds` and `locks` all of them are on one, as in `barriers`,
// `semaphores`, `conditions` and `readers` (of a read-write lock), where the threads mostly wait
// for each other.
//
// Executions, of the techniques that explore each trace once: `first`, `last` and `objects` 2 (the
// order of two writes), `spread` 8 (three such pairs). Of the others only a few are ever performed.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { pairs = 3 };

static const char* shape;
static int size;
static atomic_int contested[pairs];
static atomic_int* own[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t together;
static sem_t given[2];
static int turn;

static int is(const char* name) { return strcmp(shape, name) == 0; }

static void alone(int thread, int steps) {
  const int stride = is("objects");
  for (int i = 0; i < steps; i++) atomic_store(&own[thread][i * stride], i);
}

static void write_all(int thread) {
  for (int i = 0; i < size / 2; i++) atomic_store(&contested[0], thread);
}

// Not plain reads: a loop that only looks at an object might be waiting for somebody.
static void write_and_add(int thread) {
  for (int i = 0; i < size / 4; i++) {
    atomic_store(&contested[0], thread);
    atomic_fetch_add(&contested[0], 1);
  }
}

static void lock_and_unlock(void) {
  for (int i = 0; i < size / 4; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

static void meet(void) {
  for (int i = 0; i < size / 4; i++) pthread_barrier_wait(&together);
}

static void pass_on(int thread) {
  for (int i = 0; i < size / 4; i++) {
    sem_post(&given[1 - thread]);
    sem_wait(&given[thread]);
  }
}

static void take_turns(int thread) {
  for (int i = 0; i < size / 10; i++) {
    pthread_mutex_lock(&mutex);
    while (turn != thread) pthread_cond_wait(&turned, &mutex);
    turn = 1 - thread;
    pthread_cond_signal(&turned);
    pthread_mutex_unlock(&mutex);
  }
}

static void share(int thread) {
  for (int i = 0; i < size / 4; i++) {
    const int writes = thread == 0 && i == size / 8;
    if (writes) {
      pthread_rwlock_wrlock(&shared);
    } else {
      pthread_rwlock_rdlock(&shared);
    }
    pthread_rwlock_unlock(&shared);
  }
}

static void spread(int thread) {
  const int part = size / 2 / (pairs + 1);
  alone(thread, part);
  for (int pair = 0; pair < pairs; pair++) {
    atomic_store(&contested[pair], thread);
    alone(thread, part);
  }
}

static void run(int thread) {
  if (is("writes")) {
    write_all(thread);
  } else if (is("adds")) {
    write_and_add(thread);
  } else if (is("locks")) {
    lock_and_unlock();
  } else if (is("barriers")) {
    meet();
  } else if (is("semaphores")) {
    pass_on(thread);
  } else if (is("conditions")) {
    take_turns(thread);
  } else if (is("readers")) {
    share(thread);
  } else if (is("spread")) {
    spread(thread);
  } else {
    if (is("last")) alone(thread, size / 2);
    atomic_store(&contested[0], thread);
    if (!is("last")) alone(thread, size / 2);
  }
}

static void* other(void* unused) {
  run(1);
  return unused;
}

int main(int count, char** arguments) {
  if (count != 3) return 2;
  shape = arguments[1];
  size = atoi(arguments[2]);
  for (int i = 0; i < 2; i++) own[i] = calloc(is("objects") ? size / 2 + 1 : 1, sizeof(atomic_int));
  pthread_barrier_init(&together, 0, 2);
  for (int i = 0; i < 2; i++) sem_init(&given[i], 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  run(0);
  pthread_join(thread, 0);
  for (int i = 0; i < 2; i++) free(own[i]);
  return atomic_load(&contested[0]) < 0;
}
