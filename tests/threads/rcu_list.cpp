// mazurka: verdict=verified traces=3
// broken: verdict=finding
//
// Read, copy, update: a reader announces itself and follows a pointer; the writer publishes a new
// version, waits until no reader is left that may have the old one, and deletes it. Broken: it does
// not wait.
#include <atomic>
#include <cassert>
#include <thread>

struct Pair {
  int first, second;
};

std::atomic<Pair*> current{nullptr};
std::atomic<int> readers{0};

int main() {
  current = new Pair{1, 1};
  std::thread reader([] {
    ++readers;
    const Pair* seen = current;
    assert(seen->first == seen->second);
    --readers;
  });
  Pair* old = current.exchange(new Pair{2, 2});
#ifndef BROKEN
  while (readers != 0) {
  }
#endif
  delete old;
  reader.join();
  delete current.load();
}
