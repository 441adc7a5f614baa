// mazurka: verdict=verified traces=12
// broken: verdict=finding finding=assertion
//
// The work-stealing deque of Chase and Lev, without growth: the owner takes at the bottom, a thief
// steals at the top, and about the last element they compete. Broken: they do not.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<long> top{0}, bottom{0};
std::atomic<int> ring[4];
std::atomic<int> taken[3];

void push(int value) {
  const long b = bottom;
  ring[b % 4] = value;
  bottom = b + 1;
}

int take() {
  const long b = bottom - 1;
  bottom = b;
  long t = top;
  if (t > b) {
    bottom = b + 1;
    return 0;
  }
  const int value = ring[b % 4];
  if (t < b) return value;
#ifdef BROKEN
  bottom = b + 1;
  top = t + 1;
  return value;
#else
  const bool won = top.compare_exchange_strong(t, t + 1);
  bottom = b + 1;
  return won ? value : 0;
#endif
}

int steal() {
  long t = top;
  const long b = bottom;
  if (t >= b) return 0;
  const int value = ring[t % 4];
  return top.compare_exchange_strong(t, t + 1) ? value : 0;
}

void own(int value) {
  if (value != 0) assert(taken[value].fetch_add(1) == 0);
}

int main() {
  push(1);
  push(2);
  std::thread thief([] { own(steal()); });
  own(take());
  own(take());
  thief.join();
}
