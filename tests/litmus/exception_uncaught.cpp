// mazurka: verdict=finding finding=uncaught_exception traces=2 options="--keep-going"
//
// One thread throws if it sees the other's store, and nobody catches: two orders, one of them
// fails.
#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<int> x{0};

int main() {
  std::thread one([] { x = 1; });
  std::thread two([] {
    if (x == 1) throw std::runtime_error("too late");
  });
  one.join();
  two.join();
}
