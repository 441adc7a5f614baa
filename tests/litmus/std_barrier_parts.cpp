// mazurka: verdict=verified traces=1 also=levels
// techniques="optimal graphs dpor sleep optimal-context source-context:chains optimal-observers"
// broken: verdict=finding finding=data_race traces=any
//
// Arriving and waiting apart, and one that is expected only once: whoever has waited knows what all
// others did before they arrived. Still nobody can tell who came first: one trace. Broken: what is
// read between arriving and waiting may not be there yet.
#include <barrier>
#include <cassert>
#include <thread>
#include <utility>

int mine[3];
int next[2];

int main() {
  std::barrier together(3);
  std::jthread leaves([&] {
    mine[2] = 1;
    together.arrive_and_drop();
  });
  std::jthread stays([&] {
    mine[1] = 1;
    auto arrived = together.arrive();
#ifdef BROKEN
    assert(mine[0] < 2);
#endif
    together.wait(std::move(arrived));
    assert(mine[0] + mine[1] + mine[2] == 3);
    next[1] = 2;
    arrived = together.arrive();
    together.wait(std::move(arrived));
    assert(next[0] == 2);
  });
  mine[0] = 1;
  together.arrive_and_wait();
  assert(mine[0] + mine[1] + mine[2] == 3);
  next[0] = 2;
  together.arrive_and_wait();
  assert(next[1] == 2);
}
