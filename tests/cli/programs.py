"""The programs that the tests check."""

# Two processes add to one variable: with a mutex, or without.
COUNTER = """
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
int counter;
pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *argument) {
#ifndef RACE
  pthread_mutex_lock(&guard);
#endif
  counter++;
#ifndef RACE
  pthread_mutex_unlock(&guard);
#endif
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("counter is %d\\n", counter);
  assert(counter == 2);
  return 0;
}
"""

DEADLOCK = """
#include <mutex>
#include <thread>
std::mutex left, right;
int main() {
  std::thread other([] {
    std::lock_guard<std::mutex> first(right);
    std::lock_guard<std::mutex> second(left);
  });
  {
    std::lock_guard<std::mutex> first(left);
    std::lock_guard<std::mutex> second(right);
  }
  other.join();
}
"""

# Far too many interleavings to ever finish.
ENDLESS_SEARCH = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *work(void *argument) {
  for (int i = 0; i < 50; ++i)
    if (atomic_fetch_add(&x, i) < 0) break;
  return argument;
}
int main(void) {
  pthread_t t[6];
  for (int i = 0; i < 6; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 6; ++i) pthread_join(t[i], NULL);
  return 0;
}
"""

ENDLESS_LOOP = """
#include <pthread.h>
static void *spin(void *argument) {
  for (volatile unsigned i = 0;; ++i) {
  }
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, spin, NULL);
  pthread_join(t, NULL);
  return 0;
}
"""

# A number that the schedule does not fix decides what the process does next.
NONDETERMINISTIC = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int x, y[64];
static void *work(void *argument) {
  FILE *chance = fopen("/dev/urandom", "r");
  int random = chance == NULL ? 0 : fgetc(chance);
  if (chance != NULL) fclose(chance);
  atomic_store(&y[random % 64], 1);
  atomic_fetch_add(&x, 1);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""

# (n * steps)! / steps!^n traces.
RACERS = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *work(void *argument) {
  for (int i = 0; i < STEPS; ++i)
    if (atomic_fetch_add(&x, i) < 0) break;
  return argument;
}
int main(void) {
  pthread_t t[PROCESSES];
  for (int i = 0; i < PROCESSES; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < PROCESSES; ++i) pthread_join(t[i], NULL);
  return 0;
}
"""

# Needs much memory in some of its executions.
HUNGRY = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
atomic_int x;
static void *work(void *argument) {
  for (int i = 0; i < 3; ++i)
    if (atomic_fetch_add(&x, 1) < 0) break;
  return argument;
}
static void *look(void *argument) {
  if (atomic_load(&x) == 4) {
    char *much = malloc(300 << 20);
    memset(much, 1, 300 << 20);
    free(much);
  }
  return argument;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, work, NULL);
  pthread_create(&t[3], NULL, look, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], NULL);
  return 0;
}
"""

RAW_CALL = """
#include <sys/syscall.h>
/* Behind the runtime's back. */
static long raw_call(long number, long one, long two) {
#if defined(__aarch64__)
  register long x0 __asm__("x0") = one;
  register long x1 __asm__("x1") = two;
  register long x8 __asm__("x8") = number;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x8) : "memory");
  return x0;
#else
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(one), "S"(two)
                   : "rcx", "r11", "memory");
  return result;
#endif
}
"""

# Whoever sees the other's store first does what no handler survives.
SUICIDE = RAW_CALL + """
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>
atomic_int x, y;
static void *one(void *argument) {
  atomic_store(&x, 1);
  if (atomic_load(&y) == 1) raw_call(SYS_kill, raw_call(SYS_getpid, 0, 0), SIGKILL);
  return argument;
}
static void *two(void *argument) {
  atomic_store(&y, 1);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""

GLUTTON = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
atomic_int x;
static void *eat(void *argument) {
  if (atomic_fetch_add(&x, 1) == 1) {
    for (;;) {
      void *block = mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (block != MAP_FAILED) memset(block, 1, 1 << 24);
    }
  }
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, eat, NULL);
  atomic_fetch_add(&x, 1);
  pthread_join(a, NULL);
  return 0;
}
"""

# The assertion fails if the second process runs between the first one's two steps.
NARROW = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *add(void *argument) {
  for (int i = 0; i < 3; ++i) atomic_store(&x, atomic_load(&x) + 1);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(atomic_load(&x) == 6);
  return 0;
}
"""

CROSSED_LOCKS = """
#include <pthread.h>
pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *argument) {
  pthread_mutex_lock(&right);
  pthread_mutex_lock(&left);
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  pthread_join(t, NULL);
  return 0;
}
"""

# What the runtime learns on the way, or names, must be there for whoever goes on: places of waiting
# loops, crowded barriers, shared locals, heap blocks, thread-local variables, read-write locks.
LEARNED = {
    "spin": """
#include <pthread.h>
#include <stdatomic.h>
atomic_int lock, entered;
static void *work(void *argument) {
  int local = 0;
  while (atomic_exchange(&lock, 1)) {}
  for (int i = 0; i < 2; ++i) local += atomic_fetch_add(&entered, 1);
  atomic_store(&lock, 0);
  while (atomic_load(&entered) < 4) {}
  return argument;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  return 0;
}
""",
    "rwlock": """
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;
static void *reader(void *argument) {
  for (int i = 0; i < 2; ++i) {
    pthread_rwlock_rdlock(&lock);
    assert(value % 2 == 0);
    pthread_rwlock_unlock(&lock);
  }
  return argument;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, reader, NULL);
  for (int i = 0; i < 2; ++i) {
    pthread_rwlock_wrlock(&lock);
    value++;
    value++;
    pthread_rwlock_unlock(&lock);
  }
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return 0;
}
""",
    "heap": """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; atomic_int seen; };
_Atomic(struct node *) top;
static void *push(void *argument) {
  struct node *node = malloc(sizeof *node);
  atomic_init(&node->seen, 0);
  struct node *old = atomic_load(&top);
  do node->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, node));
  atomic_fetch_add(&node->seen, 1);
  if (old) atomic_fetch_add(&old->seen, 1);
  return argument;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, push, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  for (struct node *at = atomic_load(&top); at;) {
    struct node *next = at->next;
    free(at);
    at = next;
  }
  return 0;
}
""",
    "crowd": """
#include <pthread.h>
pthread_barrier_t barrier;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument) {
  pthread_barrier_wait(&barrier);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}
int main(void) {
  pthread_t t[4];
  pthread_barrier_init(&barrier, NULL, 2);
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], NULL);
  return 0;
}
""",
    "locals": """
#include <pthread.h>
#include <stdatomic.h>
static _Thread_local atomic_int own;
_Atomic(atomic_int *) shown[2];
static pthread_barrier_t ends;  /* nobody's variable goes before the other has done with it */
static void *work(void *argument) {
  long number = (long)argument;
  atomic_store(&shown[number], &own);
  atomic_int *other = atomic_load(&shown[1 - number]);
  if (!other || atomic_fetch_add(other, 1) < 9) {
    for (int i = 0; i < 2; ++i) {
      if (atomic_fetch_add(&own, 1) > 9) break;  /* the order of updates counts if one looks */
    }
  }
  pthread_barrier_wait(&ends);
  return NULL;
}
int main(void) {
  pthread_t t[2];
  atomic_int on_stack;
  atomic_init(&on_stack, 0);
  pthread_barrier_init(&ends, NULL, 2);
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, (void *)i);
  atomic_fetch_add(&on_stack, 1);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return 0;
}
""",
    "notes": """
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
atomic_int x;
static void *work(void *argument) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  atomic_fetch_add(&x, 1);
  return argument;
}
int main(void) {
  pthread_t t[2];
  if (__VERIFIER_nondet_int() < 0) atomic_store(&x, 7);
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, NULL);
  __VERIFIER_assume(atomic_load(&x) < 9);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return 0;
}
""",
}

# One thread ends the program behind the runtime's back, if it comes first.
RAW_EXIT = RAW_CALL + """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *one(void *argument) {
  if (atomic_fetch_add(&x, 1) == 0) raw_call(SYS_exit_group, 3, 0);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  atomic_fetch_add(&x, 1);
  pthread_join(t, NULL);
  return 0;
}
"""

# KIND says what the thread does if it comes first; the other order is harmless.
CRASHES = RAW_CALL + """
#include <atomic>
#include <cassert>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <pthread.h>
#include <stdexcept>
#include <unistd.h>
std::atomic<int> x;
volatile int zero;
int deep(int n) {
  volatile char room[4096];
  room[0] = static_cast<char>(n);
  return n < 0 ? 0 : deep(n + 1) + room[0];
}
void *one(void *argument) {
  if (x.fetch_add(1) == 0) {
#if KIND == 0
    *reinterpret_cast<volatile int *>(zero) = 1;
#elif KIND == 1
    deep(0);
#elif KIND == 2
    abort();
#elif KIND == 3
    throw std::runtime_error("thrown");
#elif KIND == 4
    raw_call(SYS_kill, raw_call(SYS_getpid, 0, 0), SIGFPE);
#elif KIND == 5
    __builtin_trap();
#elif KIND == 6
    raw_call(SYS_kill, raw_call(SYS_getpid, 0, 0), SIGKILL);
#elif KIND == 7
    std::terminate();
#elif KIND == 8
    reinterpret_cast<void (*)()>(16)();
#elif KIND == 9
    raw_call(SYS_kill, raw_call(SYS_getpid, 0, 0), SIGTERM);
#endif
  }
  return argument;
}
int main() {
  pthread_t t;
  pthread_create(&t, nullptr, one, nullptr);
  x.fetch_add(1);
  pthread_join(t, nullptr);
}
"""

# What is shared lies on the stack of main.
LOCALS = """
#include <cassert>
#include <mutex>
#include <thread>
struct Account { std::mutex guard; int balances[2] = {0, 0}; };
int main() {
  Account account;
  std::thread other([&] {
    const std::lock_guard<std::mutex> guard(account.guard);
    account.balances[1] = 1;
  });
  {
    const std::lock_guard<std::mutex> guard(account.guard);
    assert(account.balances[1] == 0);
  }
  other.join();
}
"""

# What the first process looks for is done by the last one, after a hundred thousand ways to do less.
LARGE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int work, done;
static void *add(void *number) {
  if (number == 0) assert(atomic_load(&done) == 0);
  for (int i = 0; i < 12; i++)
    if (atomic_fetch_add(&work, 1) < 0) break;
  if (number != 0) atomic_store(&done, 1);
  return number;
}
int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, (void *)(i / 2));
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
"""

# More and more threads.
CROWD = """
#include <pthread.h>
static void *nothing(void *argument) { return argument; }
int main(void) {
  for (;;) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
  }
}
"""
