// orders: RAISE=seq_cst LOOK=seq_cst LOWER=release
// weakened: RAISE=release LOOK=acquire LOWER=relaxed
//
// Dekker's entry, tried once: who sees the other's flag gives up.
#include <atomic>
#include <thread>

namespace {

std::atomic<int> wants[2];
int inside;

void try_to_enter(int self) {
  wants[self].store(1, std::memory_order::RAISE);
  if (wants[1 - self].load(std::memory_order::LOOK) == 0) ++inside;
  wants[self].store(0, std::memory_order::LOWER);
}

}  // namespace

int main() {
  std::thread other([] { try_to_enter(1); });
  try_to_enter(0);
  other.join();
}
