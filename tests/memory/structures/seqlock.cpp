// orders: CHANGE=release END=release FIRST=acquire READ=acquire
// weakened: CHANGE=relaxed END=relaxed FIRST=relaxed READ=relaxed
//
// A sequence lock: the count is odd while the writer is at it, and a reader whose count has
// changed, or was odd, has read nothing.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<unsigned> count;
std::atomic<int> one;
std::atomic<int> two;

void write_both(int value) {
  count.fetch_add(1, std::memory_order::relaxed);
  one.store(value, std::memory_order::CHANGE);
  two.store(value, std::memory_order::CHANGE);
  count.fetch_add(1, std::memory_order::END);
}

void read_both() {
  const unsigned before = count.load(std::memory_order::FIRST);
  const int first = one.load(std::memory_order::READ);
  const int second = two.load(std::memory_order::READ);
  const unsigned after = count.load(std::memory_order::relaxed);
  if (before == after && before % 2 == 0) assert(first == second);
}

}  // namespace

int main() {
  std::thread reader(read_both);
  write_both(1);
  write_both(2);
  reader.join();
}
