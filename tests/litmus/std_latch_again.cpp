// mazurka: verdict=verified traces=26 exhaustive=any
//
// Two latches, one after the other in the same place. Beside them a thread writes twice; a thread
// of each latch reads after it has counted down, and so does main when it has passed the latch.
// Each of the four reads comes before, between or after the writes, and both of the first round not
// after those of the second. If the later of the first two comes before the writes (1 way), the
// others may come anywhere (9); if between them (3 ways), not before (4); if after them (5 ways),
// after (1): 9 + 12 + 5 = 26.
#include <atomic>
#include <latch>
#include <thread>

std::atomic<int> value{0};

int main() {
  std::jthread writer([] {
    value = 1;
    value = 2;
  });
  for (int round = 0; round < 2; ++round) {
    std::latch arrived(2);
    std::jthread reader([&] {
      arrived.count_down();
      (void)value.load();
    });
    arrived.arrive_and_wait();
    (void)value.load();
  }
}
