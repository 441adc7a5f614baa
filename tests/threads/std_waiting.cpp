// mazurka: verdict=verified traces=35 options="--memory sc"
// broken: verdict=finding finding=deadlock
//
// std::atomic::wait, std::counting_semaphore, std::latch and std::barrier. Broken: the latch is
// one short.
//
// The word and the semaphore are atomic numbers whose library counts who waits: 7 traces of the one
// (litmus/word_wait.cpp) times 5 of the other (litmus/std_meeting.cpp). The latch and the barrier
// have one.
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
