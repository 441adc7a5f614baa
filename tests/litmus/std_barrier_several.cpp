// mazurka: verdict=verified traces=2 exhaustive=any
//
// One arrives for two, and the other for itself: first one, or first the other.
#include <barrier>
#include <cassert>
#include <thread>

int mine[2];

int main() {
  std::barrier together(3);
  std::jthread other([&] {
    mine[1] = 1;
    together.wait(together.arrive(2));
    assert(mine[0] == 1);
  });
  mine[0] = 1;
  together.arrive_and_wait();
  assert(mine[1] == 1);
}
