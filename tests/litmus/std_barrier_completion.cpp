// mazurka: verdict=verified traces=9 also=levels
//
// Two phases of three threads, with a completion function. It is called by the thread that arrives
// last, which any of them may be: 3 * 3 traces. All know what the function has done, and it what
// all of them did before they arrived.
#include <barrier>
#include <cassert>
#include <thread>
#include <vector>

int main() {
  int sum = 0;
  int parts[3] = {};
  std::barrier together(3, [&]() noexcept { sum += parts[0] + parts[1] + parts[2]; });
  const auto body = [&](int own) {
    for (int round = 1; round <= 2; ++round) {
      parts[own] = round;
      together.arrive_and_wait();
      assert(sum == (round == 1 ? 3 : 9));
    }
  };
  std::vector<std::jthread> threads;
  for (int own = 0; own < 3; ++own) threads.emplace_back(body, own);
}
