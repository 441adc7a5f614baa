// mazurka: verdict=verified traces=1
// broken: verdict=finding finding=crash message="stack overflow"
//
// What real programs do with a stack: arrays of a length known late, alloca, megabytes, setjmp,
// variable arguments, and the address of a local variable in another thread. Broken: no end.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

static int sum(int count, ...) {
  va_list numbers;
  va_start(numbers, count);
  int total = 0;
  while (count-- > 0) total += va_arg(numbers, int);
  va_end(numbers);
  return total;
}

static int descend(int depth) {
  volatile char room[512];
  room[0] = (char)depth;
  return descend(depth + 1) + room[0];
}

static void* body(void* argument) {
  int* result = argument;
  const int length = *result;
  int known_late[length];
  char large[2 << 20];
  char* more = alloca((size_t)length * 100);
  jmp_buf back;
  memset(large, 1, sizeof large);
  memset(more, 1, (size_t)length * 100);
  for (int at = 0; at < length; at++) known_late[at] = at;
  const int round = setjmp(back);
  if (round < 3) longjmp(back, round + 1);
  *result = sum(3, known_late[length - 1], large[sizeof large - 1], more[99]);
#ifdef BROKEN
  *result += descend(0);
#else
  (void)descend;
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  int result = 10;
  pthread_create(&thread, 0, body, &result);
  pthread_join(thread, 0);
  assert(result == 11);
  return 0;
}
