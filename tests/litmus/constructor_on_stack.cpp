// mazurka: verdict=finding finding=assertion also=levels
//   techniques="optimal source sleep dpor optimal-observers source-context optimal-context"
//
// An array of atomic variables on main's stack, set to zero one by one by a constructor, as queues
// have it: that is no waiting loop, although every store leaves a zero where there was one. The
// second thread may come wholly before the first.
#include <atomic>
#include <cassert>
#include <thread>

struct Table {
  struct Slot {
    std::atomic<long> key;
  };
  Slot slots[32];
  std::atomic<int> used;
  Table() {
    used.store(0, std::memory_order_relaxed);
    for (Slot& slot : slots) slot.key.store(0, std::memory_order_relaxed);
  }
};

static void append(std::atomic<int>& order, int digit) {
  int seen = order.load();
  while (!order.compare_exchange_strong(seen, seen * 2 + digit)) {
  }
}

int main() {
  Table table;
  std::atomic<int> order{1};
  const auto body = [&](int digit) {
    append(order, digit);
    table.used.fetch_add(1);
    append(order, digit);
  };
  std::thread first(body, 0);
  std::thread second(body, 1);
  first.join();
  second.join();
  assert(table.used == 2 && order != 0b11100);
}
