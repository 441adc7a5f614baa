// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=misuse traces=any
//
// Two meet, and one of them comes once more, without waiting: it matters who comes first from then
// on, and whoever comes last calls the completion function, which sees what all have done before.
// Broken: it comes for more than are expected; what led there can be performed again.
#include <barrier>
#include <cassert>
#include <thread>

int done[2];
int sum = 0;

int main() {
  std::barrier together(2, []() noexcept { sum += done[0] + done[1]; });
  const std::jthread other([&] {
    done[1] = 1;
    together.arrive_and_wait();
  });
  done[0] = 1;
  together.arrive_and_wait();
  assert(sum == 2);
#ifdef BROKEN
  (void)together.arrive(3);
#else
  (void)together.arrive();
#endif
}
