// mazurka: verdict=verified traces=24 techniques="optimal source source-context:chains"
//          source-context:chains=1
//
// As sections_commute.c: four threads, each at an entry of its own of one map under one lock. 4!
// orders, one state.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::map<int, int> entries{{0, 0}, {1, 0}, {2, 0}, {3, 0}};

int main() {
  std::vector<std::thread> threads;
  for (int key = 0; key < 4; ++key) {
    threads.emplace_back([key] {
      const std::lock_guard<std::mutex> guard(mutex);
      entries.at(key) += key;
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert(entries.at(3) == 3);
}
