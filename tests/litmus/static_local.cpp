// mazurka: verdict=verified traces=4 also=yes exhaustive=any
//
// A function-local static is initialised once, whoever comes first; the others wait for it. Either
// thread may be the first to begin; the other looks at the guard before the end of the
// initialisation, and then waits for it, or after it: 2 * 2. Using the object is no data race.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> built{0};

struct Table {
  int value;
  Table() : value(7) { ++built; }
};

static Table& table() {
  static Table instance;
  return instance;
}

int main() {
  std::thread one([] { assert(table().value == 7); });
  std::thread two([] { assert(table().value == 7); });
  one.join();
  two.join();
  assert(built == 1);
}
