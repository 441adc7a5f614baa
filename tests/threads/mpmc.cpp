// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=data_race
//
// A bounded queue for many producers and consumers: each slot has a sequence number that says whose
// turn it is. Broken: the slot is handed over before its value is written.
#include <atomic>
#include <cassert>
#include <thread>

struct Slot {
  std::atomic<unsigned> sequence;
  int value;
};

constexpr unsigned size = 2;
Slot slots[size];
std::atomic<unsigned> head{0}, tail{0};

bool put(int value) {
  unsigned at = tail;
  for (;;) {
    Slot& slot = slots[at % size];
    const unsigned sequence = slot.sequence;
    if (sequence == at) {
      if (tail.compare_exchange_strong(at, at + 1)) {
#ifdef BROKEN
        slot.sequence = at + 1;
        slot.value = value;
#else
        slot.value = value;
        slot.sequence = at + 1;
#endif
        return true;
      }
    } else if (sequence < at) {
      return false;
    } else {
      at = tail;
    }
  }
}

bool take(int& value) {
  unsigned at = head;
  for (;;) {
    Slot& slot = slots[at % size];
    const unsigned sequence = slot.sequence;
    if (sequence == at + 1) {
      if (head.compare_exchange_strong(at, at + 1)) {
        value = slot.value;
        slot.sequence = at + size;
        return true;
      }
    } else if (sequence < at + 1) {
      return false;
    } else {
      at = head;
    }
  }
}

int main() {
  for (unsigned i = 0; i < size; ++i) slots[i].sequence = i;
  std::thread producer([] { assert(put(7)); });
  std::thread other([] { assert(put(7)); });
  int value = 7;
  take(value);
  assert(value == 7);
  producer.join();
  other.join();
}
