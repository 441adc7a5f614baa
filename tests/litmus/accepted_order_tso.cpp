// mazurka: verdict=verified traces=any graphs=no options="--suppress race:answer --memory tso"
// broken: verdict=finding finding=assertion traces=any graphs=no
// options="--suppress race:answer --memory tso"
//
// An ordinary variable, whose race with an atomic access is accepted, is explored as if it was
// seq_cst: whoever sees the answer sees the question, too. Broken: an answer may come without one.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> question{0};
int answer = 0;

int main() {
  std::thread asking([] { question.exchange(1); });
  std::thread listening([] {
    const int heard = std::atomic_ref<int>(answer).load(std::memory_order_acquire);
    const int asked = question.load(std::memory_order_acquire);
    if (heard == 2) assert(asked == 1);
  });
#ifdef BROKEN
  answer = 2;
#else
  if (question.load(std::memory_order_acquire) == 1) answer = 2;
#endif
  asking.join();
  listening.join();
}
