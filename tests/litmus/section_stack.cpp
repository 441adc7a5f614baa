// mazurka: verdict=verified traces=6 also=levels
//          techniques="optimal source sleep source-context optimal-context"
//          source-context=any optimal-context=any
//
// A section whose body keeps an array on its stack and calls functions that do the same. When the
// section was rehearsed all these frames are gone: taking back what was written to them would write
// over frames that are in use. Three increments that depend on each other: 3! traces.
#include <mazurka/mazurka.h>
#include <pthread.h>

#include <cassert>
#include <cstring>

static int total;

__attribute__((noinline)) static int sum(const int* numbers, int count) {
  int partial[48];
  int result = 0;
  for (int i = 0; i < count; ++i) {
    partial[i] = result + numbers[i];
    result = partial[i];
  }
  return result;
}

__attribute__((noinline)) static int deep(int depth, int value) {
  volatile int room[64];
  for (int i = 0; i < 64; ++i) room[i] = value;
  const int below = depth == 0 ? 0 : deep(depth - 1, value + 1);
  int result = 0;
  for (int i = 0; i < 64; ++i) result += room[i] - value;
  return result + below;
}

static void* body(void* unused) {
  mazurka::atomic([] {
    int numbers[48];
    for (int i = 0; i < 48; ++i) numbers[i] = total + i;
    total += sum(numbers, 48) - sum(numbers, 48) + deep(4, total) + 1;
  });
  return unused;
}

int main() {
  pthread_t threads[3];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, body, nullptr);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  mazurka_assert(total == 3);
}
