// mazurka: verdict=verified traces=6 techniques="optimal source"
// broken: verdict=finding finding=data_race techniques="optimal"
//
// Reclamation by epochs: who replaces an object frees the old one when nobody reads any more.
// The pointer is sequentially consistent, as the counters are: a reader that has announced itself
// and reads the old one would otherwise be overlooked. Broken: at once. That is the last thing it
// does, and must not get lost by optimisation.
#include <atomic>
#include <cassert>
#include <thread>

struct Pair {
  int first, second;
};

static std::atomic<Pair*> current;
static std::atomic<int> epoch, readers[2];

static void look() {
  const int mine = epoch.load() & 1;
  readers[mine].fetch_add(1);
  const Pair* pair = current.load();
  assert(pair->first == pair->second);
  readers[mine].fetch_sub(1);
}

static void replace() {
  Pair* old = current.load();
  current.store(new Pair{2, 2});
#ifndef BROKEN
  for (int phase = 0; phase < 2; ++phase) {
    const int last = epoch.fetch_add(1) & 1;
    while (readers[last].load() != 0) std::this_thread::yield();
  }
#endif
  delete old;
}

int main() {
  current = new Pair{1, 1};
  std::thread reader(look);
  std::thread writer(replace);
  reader.join();
  writer.join();
  delete current.load();
}
