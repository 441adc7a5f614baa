// mazurka: verdict=verified traces=any graphs=no options="--suppress race:answer --memory rc11"
// broken: verdict=finding finding=assertion traces=any graphs=no
// options="--suppress race:answer --memory rc11"
//
// As accepted_order_rc11.cpp, where both accesses of the race are ordinary ones: the read, too,
// sees what the writer has seen. Broken: an answer may come without a question.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> question{0};
int answer = 0;

int main() {
  std::thread asking([] { question.exchange(1); });
  std::thread listening([] {
    const int heard = answer;
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
