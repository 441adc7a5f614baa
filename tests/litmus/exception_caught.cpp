// mazurka: verdict=verified traces=6 also=yes
//
// Each thread throws out of its critical section and catches: unwinding unlocks, and the exception
// in flight is each thread's own while it waits for the other. Each has a second section in its
// handler: C(4, 2) orders.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

std::mutex mutex;
int counter;

static void body(int self) {
  try {
    std::lock_guard<std::mutex> lock(mutex);
    ++counter;
    throw std::runtime_error("thrown by " + std::to_string(self));
  } catch (const std::runtime_error& error) {
    std::lock_guard<std::mutex> lock(mutex);
    ++counter;
    assert(error.what() == "thrown by " + std::to_string(self));
  }
}

int main() {
  std::thread one(body, 1), two(body, 2);
  one.join();
  two.join();
  assert(counter == 4);
}
