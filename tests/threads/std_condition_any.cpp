// mazurka: verdict=verified traces=2
// broken: verdict=finding finding=deadlock
//
// std::condition_variable_any with a shared mutex. Broken: the condition is not looked at before
// waiting, and the signal may have come before.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::condition_variable_any changed;
bool ready;

int main() {
  std::thread other([] {
    {
      std::unique_lock lock(mutex);
      ready = true;
    }
    changed.notify_all();
  });
  {
    std::shared_lock lock(mutex);
#ifdef BROKEN
    changed.wait(lock);
#else
    changed.wait(lock, [] { return ready; });
#endif
    assert(ready);
  }
  other.join();
}
