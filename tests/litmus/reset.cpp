// mazurka: verdict=verified traces=6
//
// Every execution begins with the memory that the first one had: globals, statics, heap, and the
// standard library's own state. Three updates in 3! orders, so that there are several executions.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>

int initialised = 3;
int zero;
std::map<std::string, int> seen{{"before main", 1}};
std::atomic<int> x{0};

static int calls() {
  static int count = 0;
  return ++count;
}

int main() {
  assert(initialised++ == 3 && zero++ == 0 && calls() == 1);
  assert(seen.size() == 1);
  seen["a key that is too long to be stored in place"] = 2;
  std::srand(1);
  const int random = std::rand();
  std::srand(1);
  assert(std::rand() == random);
  std::thread threads[3];
  for (std::thread& thread : threads) thread = std::thread([] { ++x; });
  for (std::thread& thread : threads) thread.join();
  assert(x == 3);
}
