// The running example of the optimal context-sensitive paper.
//
//   p: y = 1; x = 1      q: x = 2      r: assert x < 3; assert x < 2
//
// 30 interleavings, 12 traces, 11 observed ones. The second assertion fails where q wrote last.
#include "run.hpp"

int x, y;

int main() {
  Process p, q, r;
  p.start(
      [](int) {
        y = 1;
        x = 1;
      },
      0);
  q.start([](int) { x = 2; }, 0);
  r.start(
      [](int) {
        mazurka_assert(x < 3);
        mazurka_assert(x < 2);
      },
      0);
  p.wait();
  q.wait();
  r.wait();
}
