// mazurka: verdict=verified traces=2 techniques="optimal source"
// broken: verdict=finding finding=deadlock techniques="optimal"
//
// Broken: the flag is set without the mutex, between the look at it and the wait.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static std::atomic<bool> ready;

int main() {
  std::thread thread([] {
#ifndef BROKEN
    const std::lock_guard<std::mutex> guard(mutex);
#endif
    ready = true;
    changed.notify_one();
  });
  std::unique_lock<std::mutex> lock(mutex);
  while (!ready) changed.wait(lock);
  lock.unlock();
  thread.join();
}
