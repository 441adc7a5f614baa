// mazurka: verdict=verified traces=1 also=levels
// techniques="optimal graphs dpor sleep optimal-context source-context:chains optimal-observers"
// broken: verdict=finding finding=deadlock traces=any
//
// Four threads count down, two of them wait, as does main: who counts first does not matter, and
// who waits sees nothing but that all have: one trace, where everybody knows what all have done.
// The latch of the main program is initialised before it begins. Broken: one is missing.
#include <cassert>
#include <latch>
#include <thread>
#include <vector>

#ifdef BROKEN
std::latch all{5};
#else
std::latch all{4};
#endif
int done[4];

int main() {
  std::vector<std::jthread> threads;
  for (int own = 0; own < 4; ++own) {
    threads.emplace_back([own] {
      done[own] = 1;
      if (own < 2) {
        all.count_down();
      } else {
        all.arrive_and_wait();
        for (const int one : done) assert(one == 1);
      }
    });
  }
  all.wait();
  for (const int one : done) assert(one == 1);
}
