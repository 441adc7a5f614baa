// mazurka: verdict=verified traces=5 also=levels options="--memory sc"
//
// What C++20 has for meeting and for counting, used by threads that join by themselves: nobody
// leaves before all have come, and what one gives the other gets. The latch and the barrier leave
// nothing open. The semaphore is an atomic number with a word to wait at: who takes may find it
// given at once, or else announces that it waits, and looks again. Who gives may look whether
// somebody waits before, between or after that: five.
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

int main() {
  std::latch started(1);
  std::barrier together(2);
  std::counting_semaphore<2> given(0);
  int before[2] = {0, 0};
  int gift = 0;
  {
    const auto body = [&](int own) {
      started.wait();
      before[own] = 1;
      together.arrive_and_wait();
      assert(before[1 - own] == 1);
      if (own == 0) {
        gift = 7;
        given.release();
      } else {
        given.acquire();
        assert(gift == 7);
      }
    };
    const std::jthread first(body, 0);
    const std::jthread second(body, 1);
    started.count_down();
  }
  assert(before[0] + before[1] == 2);
}
