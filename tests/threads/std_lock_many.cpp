// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=deadlock
//
// std::scoped_lock and std::lock take two mutexes in both orders, trying and giving way. Broken:
// they are locked one by one.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex one, two;
int counter;

void body(std::mutex& first, std::mutex& second) {
#ifdef BROKEN
  std::lock_guard a(first);
  std::lock_guard b(second);
#else
  std::scoped_lock both(first, second);
#endif
  ++counter;
}

int main() {
  std::thread other([] { body(two, one); });
  body(one, two);
  other.join();
  assert(counter == 2);
}
