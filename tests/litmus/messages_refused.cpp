// mazurka: verdict=error techniques="unfolding" message="stay enabled until they are performed"
//
// A classical lock can be disabled by another thread: the technique unfolding says so.
#include <mutex>
#include <thread>

std::mutex mutex;

int main() {
  const auto both = [] { const std::lock_guard guard(mutex); };
  std::thread one(both);
  std::thread other(both);
  one.join();
  other.join();
}
