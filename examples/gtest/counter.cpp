#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> counter{0};
  std::thread one([&] { counter += 1; });
  std::thread two([&] { counter += 2; });
  one.join();
  two.join();
  assert(counter == 3);
}
