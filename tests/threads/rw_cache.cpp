// mazurka: verdict=verified traces=4 reverse=14 graphs=14
// broken: verdict=finding finding=data_race
//
// A cache behind a readers-writer lock: look up with the lock shared, fill in with the lock alone
// and after another look. Either both look before one of them fills in, in whichever order, or one
// of the two looks later. Broken: it fills in while it only shares the lock.
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::map<int, int> cache;
int computed;

int look_up(int key) {
  {
    std::shared_lock lock(mutex);
    if (auto found = cache.find(key); found != cache.end()) return found->second;
#ifdef BROKEN
    ++computed;
    return cache[key] = key * key;
#endif
  }
  std::unique_lock lock(mutex);
  if (auto found = cache.find(key); found != cache.end()) return found->second;
  ++computed;
  return cache[key] = key * key;
}

int main() {
  std::thread other([] { assert(look_up(3) == 9); });
  assert(look_up(3) == 9);
  other.join();
  assert(computed == 1);
}
