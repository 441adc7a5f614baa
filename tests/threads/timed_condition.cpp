// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=livelock
//
// A condition that is waited for in pieces of a second, over and over. Broken: it never comes true.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread other([&] {
    const std::lock_guard lock(mutex);
#ifndef BROKEN
    ready = true;
#endif
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    while (!ready) changed.wait_for(lock, std::chrono::seconds(1));
  }
  other.join();
}
