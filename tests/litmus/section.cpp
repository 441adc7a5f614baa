// mazurka: verdict=verified traces=36 exhaustive=any also=yes
//
// Three threads, each with an indivisible section that writes and one that reads. The three that
// write come in 3! orders; the reader of the first of them then has 3 places among the others, that
// of the second 2, that of the third 1: 6 * 6 = 36. Where a section writes depends on what was
// there before, so its footprint is learnt on the way.
#include <mazurka/mazurka.h>

#include <thread>
#include <vector>

int total;
int history[4];
int next;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([i] {
      mazurka::atomic([&] {
        total = total + i;
        history[next] = i;
        next = (next + 1) % 4;
      });
      mazurka_assert(total <= 3);
    });
  }
  for (std::thread& thread : threads) thread.join();
  mazurka_assert(total == 3);
  return mazurka::atomic([] { return next; }) == 3 ? 0 : 1;
}
