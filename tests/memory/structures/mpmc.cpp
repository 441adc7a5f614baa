// orders: FREE=acquire FILLED=release FULL=acquire EMPTIED=release
// weakened: FREE=relaxed FILLED=relaxed FULL=relaxed EMPTIED=relaxed
//
// Vyukov's bounded queue of many producers and consumers: each cell has a number that says whose
// turn it is. One cell, so that it is filled again after it was emptied.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Cell {
  std::atomic<unsigned> turn{0};
  int value = 0;
};
Cell cell;
std::atomic<unsigned> head;
std::atomic<unsigned> tail;

bool put(int value) {
  unsigned at = tail.load(std::memory_order::relaxed);
  if (cell.turn.load(std::memory_order::FREE) != 2 * at) return false;
  if (!tail.compare_exchange_strong(at, at + 1, std::memory_order::relaxed)) return false;
  cell.value = value;
  cell.turn.store(2 * at + 1, std::memory_order::FILLED);
  return true;
}

int get() {
  unsigned at = head.load(std::memory_order::relaxed);
  if (cell.turn.load(std::memory_order::FULL) != 2 * at + 1) return 0;
  if (!head.compare_exchange_strong(at, at + 1, std::memory_order::relaxed)) return 0;
  const int value = cell.value;
  cell.turn.store(2 * (at + 1), std::memory_order::EMPTIED);
  return value;
}

}  // namespace

int main() {
  std::thread producer([] { put(2); });
  std::thread consumer([] { assert(get() < 3); });
  put(1);
  producer.join();
  consumer.join();
}
