// mazurka: verdict=verified traces=3 techniques="optimal source"
// broken: verdict=finding finding=assertion techniques="optimal"
//
// Looks at a flag now and then until a time that was fixed before, kept on the heap: the loop ends
// by itself, the flag set or not. Looked at once, twice (then rounds look the same, and ages pass),
// or never seen. Broken: relies on the flag.
#include <atomic>
#include <cassert>
#include <chrono>
#include <memory>
#include <thread>

using Clock = std::chrono::steady_clock;

int main() {
  std::atomic<bool> flag{false};
  const auto end =
      std::make_unique<Clock::time_point>(Clock::now() + std::chrono::milliseconds(20));
  std::thread thread([&] { flag = true; });
  bool seen = false;
  while (!seen && Clock::now() < *end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    seen = flag;
  }
#ifdef BROKEN
  assert(seen);
#endif
  thread.join();
}
