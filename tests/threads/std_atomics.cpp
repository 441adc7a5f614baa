// mazurka: verdict=verified traces=4
// broken: verdict=finding finding=assertion
//
// std::atomic_ref and atomics of 16 bytes: the two increments come in either order, and so do the
// wide write and read. Broken: an increment by load and store.
#include <atomic>
#include <cassert>
#include <thread>

struct Pair {
  long a, b;
};

int plain;
std::atomic<Pair> pair{Pair{0, 0}};

void body() {
  std::atomic_ref<int> counter(plain);
#ifdef BROKEN
  counter.store(counter.load() + 1);
#else
  ++counter;
#endif
}

int main() {
  std::thread other([] {
    body();
    pair = Pair{1, 1};
  });
  body();
  const Pair seen = pair;
  assert(seen.a == seen.b);
  other.join();
  assert(plain == 2);
}
