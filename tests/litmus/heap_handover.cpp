// mazurka: verdict=verified traces=2 also=yes
//
// One thread allocates and publishes, the other takes it over and frees it, if it sees it: the load
// comes before or after the store. Allocating and freeing are not visible to other threads.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

std::atomic<std::vector<int>*> box{nullptr};

int main() {
  std::thread one([] { box = new std::vector<int>{1, 2, 3}; });
  std::thread two([] {
    if (std::vector<int>* mine = box) {
      assert(mine->size() == 3 && (*mine)[2] == 3);
      delete mine;
      box = nullptr;
    }
  });
  one.join();
  two.join();
  delete box;
}
