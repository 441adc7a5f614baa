// orders: PUBLISH=release TAKE=seq_cst STEAL=seq_cst LAST=seq_cst WIN=seq_cst BOTTOM=acquire
// weakened: PUBLISH=relaxed TAKE=acq_rel STEAL=acq_rel BOTTOM=relaxed
// spare: LAST WIN
//
// The deque of Chase and Lev, with the orders of Lê, Pop, Cohen and Zappa Nardelli: its owner puts
// and takes at the bottom, a thief steals from the top. Nobody gets what another one has got.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

constexpr long capacity = 4;
std::atomic<long> top;
std::atomic<long> bottom;
std::atomic<int*> items[capacity];
int values[2];
std::atomic<int> taken[2];

void put(int* item) {
  const long at = bottom.load(std::memory_order::relaxed);
  items[at % capacity].store(item, std::memory_order::relaxed);
  std::atomic_thread_fence(std::memory_order::PUBLISH);
  bottom.store(at + 1, std::memory_order::relaxed);
}

int* take() {
  const long at = bottom.load(std::memory_order::relaxed) - 1;
  bottom.store(at, std::memory_order::relaxed);
  std::atomic_thread_fence(std::memory_order::TAKE);
  long first = top.load(std::memory_order::relaxed);
  if (first > at) {
    bottom.store(at + 1, std::memory_order::relaxed);
    return nullptr;
  }
  int* item = items[at % capacity].load(std::memory_order::relaxed);
  if (first == at) {
    if (!top.compare_exchange_strong(first, first + 1, std::memory_order::LAST,
                                     std::memory_order::relaxed)) {
      item = nullptr;
    }
    bottom.store(at + 1, std::memory_order::relaxed);
  }
  return item;
}

int* steal() {
  long first = top.load(std::memory_order::acquire);
  std::atomic_thread_fence(std::memory_order::STEAL);
  const long end = bottom.load(std::memory_order::BOTTOM);
  if (first >= end) return nullptr;
  int* item = items[first % capacity].load(std::memory_order::relaxed);
  if (!top.compare_exchange_strong(first, first + 1, std::memory_order::WIN,
                                   std::memory_order::relaxed)) {
    return nullptr;
  }
  return item;
}

void count(const int* item) {
  if (item == nullptr) return;
  assert(*item == 1);
  assert(taken[item - values].fetch_add(1, std::memory_order::relaxed) == 0);
}

void fill(int& value) {
  value = 1;
  put(&value);
}

}  // namespace

int main() {
  std::thread thief([] {
    count(steal());
    count(steal());
  });
  fill(values[0]);
  fill(values[1]);
  count(take());
  count(take());
  thief.join();
}
