// mazurka: verdict=verified traces=4 exhaustive=any also=yes options="--memory sc"
// broken: verdict=finding finding=misuse traces=any options="--memory sc"
//
// main looks whether the latch is open, before or after each of the two that count down, whose
// order is nobody's business: four traces. If it is open, what they did can be seen. Broken: they
// count down more often than it was made for.
#include <cassert>
#include <latch>
#include <thread>

int done[2];

int main() {
  std::latch both(3);
  std::jthread one([&] {
    done[0] = 1;
#ifdef BROKEN
    both.count_down(3);
#else
    both.count_down(2);
#endif
  });
  std::jthread other([&] {
    done[1] = 1;
    both.count_down();
  });
  if (both.try_wait()) assert(done[0] + done[1] == 2);
}
