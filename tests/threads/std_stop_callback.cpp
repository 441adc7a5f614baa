// mazurka: verdict=verified traces=32
//   gcc.O2=38
// broken: verdict=finding finding=deadlock
//
// std::condition_variable_any waiting with a stop token, which it does by a callback. Broken:
// nobody asks the thread to stop.
//
// With gcc -O2 there are 6 more: main comes to the same place with the same history and another
// stack, so the history does not tell its state there, and executions that differ only in a look in
// vain are told apart. What it is that differs on the stack is not known yet.
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
