// orders: CHECK=acquire PUBLISH=release
// weakened: CHECK=relaxed PUBLISH=relaxed
//
// Double-checked locking: whoever sees the pointer sees what it points to, without the lock.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

struct Settings {
  int value = 1;
};
Settings place;
std::atomic<Settings*> settings;
std::mutex mutex;

const Settings& instance() {
  Settings* known = settings.load(std::memory_order::CHECK);
  if (known == nullptr) {
    const std::lock_guard guard(mutex);
    known = settings.load(std::memory_order::relaxed);
    if (known == nullptr) {
      place.value = 2;
      known = &place;
      settings.store(known, std::memory_order::PUBLISH);
    }
  }
  return *known;
}

}  // namespace

int main() {
  std::thread other([] { assert(instance().value == 2); });
  assert(instance().value == 2);
  other.join();
}
