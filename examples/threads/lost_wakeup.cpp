// The kitchen rings a bell when the meal is ready, the waiter sleeps until the bell rings. If the
// bell rings before the waiter is asleep, nobody ever wakes him: wait() needs to check `ready`.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable bell;
bool ready = false;

void kitchen() {
  std::lock_guard<std::mutex> lock(mutex);
  ready = true;
  bell.notify_one();
}

void waiter() {
  std::unique_lock<std::mutex> lock(mutex);
  bell.wait(lock);  // should be: bell.wait(lock, [] { return ready; });
}

int main() {
  std::thread one(waiter);
  std::thread two(kitchen);
  one.join();
  two.join();
}
