// orders: RAISE=seq_cst LOOK=seq_cst GIVE=seq_cst LOWER=release
// weakened: RAISE=release LOOK=acquire GIVE=release LOWER=relaxed
//
// Peterson's lock for two threads: who wants to enter says so, gives the other the turn, and waits
// while the other wants to enter too and has the turn.
#include <atomic>
#include <thread>

namespace {

std::atomic<int> wants[2];
std::atomic<int> turn;
int inside;  // plain: whoever is inside is alone

void enter_and_leave(int self) {
  const int other = 1 - self;
  wants[self].store(1, std::memory_order::RAISE);
  turn.store(other, std::memory_order::GIVE);
  while (wants[other].load(std::memory_order::LOOK) == 1 &&
         turn.load(std::memory_order::acquire) == other) {
  }
  ++inside;
  wants[self].store(0, std::memory_order::LOWER);
}

}  // namespace

int main() {
  std::thread other([] { enter_and_leave(1); });
  enter_and_leave(0);
  other.join();
}
