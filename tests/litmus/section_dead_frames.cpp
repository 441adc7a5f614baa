// mazurka: verdict=finding finding=assertion options="--racy --keep-going" also=levels
//          techniques="source-context" source-context=6
//
// The running example of the context-sensitive papers. What the assertions' functions leave on the
// stack is no part of the state: as many executions at every level of optimisation, though the
// compilers differ in what they keep there.
#include <mazurka/mazurka.h>
#include <pthread.h>

int x, y;

static void* p(void* unused) {
  y = 1;
  x = 1;
  return unused;
}
static void* q(void* unused) {
  x = 2;
  return unused;
}
static void* r(void* unused) {
  mazurka_assert(x < 3);
  mazurka_assert(x < 2);
  return unused;
}

int main() {
  pthread_t threads[3];
  void* (*const bodies[])(void*) = {p, q, r};
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], nullptr, bodies[i], nullptr);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}
