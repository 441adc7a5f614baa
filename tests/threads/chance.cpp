// mazurka: verdict=verified traces=1
// broken: verdict=finding finding=assertion
//
// Clocks, random numbers, process numbers and hashes are the same in every execution. Broken: the
// order of two increments is taken for granted.
#include <unistd.h>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <random>
#include <thread>
#include <unordered_map>

std::atomic<int> steps;

int main() {
  std::random_device device;
  std::mt19937 generator(device());
  srand(static_cast<unsigned>(time(nullptr)));
  const auto begin = std::chrono::steady_clock::now();
  const int rounds = 1 + static_cast<int>((generator() + static_cast<unsigned>(rand())) % 2);
  std::thread other([rounds] {
    for (int i = 0; i < rounds; ++i) steps += i == 0 ? 1 : getpid() % 1;
    std::this_thread::sleep_for(std::chrono::hours(1));
  });
#ifdef BROKEN
  assert(steps == 0);
#endif
  std::unordered_map<std::thread::id, int> names{{other.get_id(), 1}};
  other.join();
  assert(std::chrono::steady_clock::now() - begin >= std::chrono::hours(1));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::hours(24);
  while (std::chrono::steady_clock::now() < deadline) {
  }
}
