// mazurka: verdict=verified traces=15120 gcc.O2=13860 clang.O2=11655 graphs=no
// options="--memory sc"
// broken: verdict=finding finding=deadlock graphs=no
//
// std::atomic::wait, std::counting_semaphore, std::latch and std::barrier. Broken: the latch is
// one short.
//
// The library counts who waits, and does not look at what was there before: in optimised code these
// updates are in no order. Sequentially consistent, because that is enough to count: with what the
// library's orders allow there are five times as many behaviours.
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

std::atomic<int> flag{0};
std::counting_semaphore<4> tokens{0};
#ifdef BROKEN
std::latch latch{2};
#else
std::latch latch{1};
#endif
std::barrier meeting{2};
int a, b, c, d;

int main() {
  std::thread other([] {
    a = 1;
    flag = 1;
    flag.notify_one();
    b = 1;
    tokens.release();
    c = 1;
    latch.count_down();
    d = 1;
    meeting.arrive_and_wait();
  });
  flag.wait(0);
  assert(a == 1);
  tokens.acquire();
  assert(b == 1);
  latch.wait();
  assert(c == 1);
  meeting.arrive_and_wait();
  assert(d == 1);
  other.join();
}
