// mazurka: verdict=verified traces=1 also=levels options="--memory sc"
// broken: verdict=finding finding=assertion traces=any options="--memory sc"
//
// Three threads meet three times at a barrier of C++. Who arrives first does not matter, nor
// whether somebody arrives for the next phase before another has left the last one: one trace.
// Broken: they look whether all are there before they have waited.
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>
#include <utility>
#include <vector>

int main() {
  std::barrier together(3);
#ifdef BROKEN
  std::atomic<int> rounds[3] = {};
#endif
  const auto body = [&]([[maybe_unused]] int own) {
    for (int round = 1; round <= 3; ++round) {
#ifndef BROKEN
      together.arrive_and_wait();
#else
      rounds[own] = round;
      auto arrived = together.arrive();
      for (const auto& other : rounds) assert(other >= round);
      together.wait(std::move(arrived));
#endif
    }
  };
  std::vector<std::jthread> threads;
  for (int own = 0; own < 3; ++own) threads.emplace_back(body, own);
}
