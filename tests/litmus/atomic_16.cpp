// mazurka: verdict=verified traces=2
//
// A compare-and-swap of 16 bytes, as lock-free lists use it for a pointer and a counter: of two
// attempts from the same old value one succeeds; two orders.
#include <cassert>
#include <thread>

alignas(16) unsigned __int128 pair = 0;
bool done[2];

static void attempt(int i) {
  unsigned __int128 expected = 0;
  const unsigned __int128 wanted = (static_cast<unsigned __int128>(i + 1) << 64) | 5;
  done[i] = __atomic_compare_exchange_n(&pair, &expected, wanted, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST);
  assert(done[i] || static_cast<unsigned long>(expected) == 5);
}

int main() {
  std::thread one(attempt, 0), two(attempt, 1);
  one.join();
  two.join();
  assert(done[0] != done[1]);
}
