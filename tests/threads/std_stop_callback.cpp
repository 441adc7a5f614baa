// mazurka: verdict=verified traces=same graphs=no
// broken: verdict=finding finding=deadlock graphs=no
//
// std::condition_variable_any waiting with a stop token, which it does by a callback. Broken:
// nobody asks the thread to stop.
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

std::mutex mutex;
std::condition_variable_any changed;

int main() {
  std::jthread waiter([](std::stop_token stop) {
    std::unique_lock lock(mutex);
    changed.wait(lock, stop, [] { return false; });
  });
#ifdef BROKEN
  waiter.join();
#endif
}
