// mazurka: verdict=verified traces=6
// broken: verdict=finding finding=assertion
//
// Rounds of loops that may not be left out, though nothing changes in them that others can see: one
// thread looks twice at the most and tells how often it looked in vain, the other waits and tells
// whether it had to. Broken: it claims that it never has to.
//
// The first looks in vain never, once or twice, the second waits or not, and neither notices the
// other: 3 * 2 traces.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag{0}, tries_told{0}, wait_told{0};

int main() {
  std::thread patient([] {
    bool waited = false;
    while (flag == 0) waited = true;
#ifdef BROKEN
    assert(!waited);
#endif
    wait_told = waited ? 2 : 1;
  });
  std::thread setter([] { flag = 1; });
  int tries = 0;
  while (tries < 2 && flag == 0) ++tries;
  tries_told = tries;
  patient.join();
  setter.join();
}
