// mazurka: verdict=verified traces=2 options="--memory sc"
// broken: verdict=finding finding=assertion traces=any
//
// Who looks whether a latch is open reads an atomic number: of a thread that it does not
// synchronise with it may see what was written later, and the number as it was before. Not where
// memory is sequentially consistent: the thread looks or has nothing to look for, two traces.
// (Broken: nothing is said of memory.)
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>

std::latch opened(1);
std::atomic<bool> told{false};

int main() {
  const std::jthread opener([] {
    opened.count_down();
    told.store(true, std::memory_order_relaxed);
  });
  if (told.load(std::memory_order_relaxed)) assert(opened.try_wait());
}
