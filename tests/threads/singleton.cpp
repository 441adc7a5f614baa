// mazurka: verdict=verified traces=4
// broken: verdict=finding finding=data_race
//
// A singleton with double-checked locking. Broken: the pointer that is looked at first is a plain
// variable.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Config {
  int value = 42;
};

#ifdef BROKEN
Config* instance;
#else
std::atomic<Config*> instance;
#endif
std::mutex mutex;
int made;

Config& get() {
  Config* known = instance;
  if (known == nullptr) {
    std::lock_guard lock(mutex);
    known = instance;
    if (known == nullptr) {
      known = new Config;
      ++made;
      instance = known;
    }
  }
  return *known;
}

int main() {
  std::thread other([] { assert(get().value == 42); });
  assert(get().value == 42);
  other.join();
  assert(made == 1);
  delete static_cast<Config*>(instance);
}
