// orders: CHOOSE=seq_cst TAKE=seq_cst NUMBER=seq_cst CHOSEN=seq_cst LOOK=seq_cst LEAVE=release
// weakened: CHOOSE=release NUMBER=acquire TAKE=release CHOSEN=relaxed LOOK=acquire LEAVE=relaxed
//
// Lamport's bakery for two threads: each takes a number above all others' and waits for the smaller
// ones.
#include <atomic>
#include <thread>

namespace {

std::atomic<int> choosing[2];
std::atomic<int> number[2];
int inside;

void enter_and_leave(int self) {
  const int other = 1 - self;
  choosing[self].store(1, std::memory_order::CHOOSE);
  const int mine = number[other].load(std::memory_order::NUMBER) + 1;
  number[self].store(mine, std::memory_order::TAKE);
  choosing[self].store(0, std::memory_order::CHOSEN);
  while (choosing[other].load(std::memory_order::LOOK) == 1) {
  }
  for (;;) {
    const int theirs = number[other].load(std::memory_order::LOOK);
    if (theirs == 0 || mine < theirs || (mine == theirs && self < other)) break;
  }
  ++inside;
  number[self].store(0, std::memory_order::LEAVE);
}

}  // namespace

int main() {
  std::thread other([] { enter_and_leave(1); });
  enter_and_leave(0);
  other.join();
}
